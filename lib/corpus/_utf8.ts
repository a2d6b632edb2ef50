/**
 * How well bytes keep to UTF-8: sequences of two to four bytes that are whole, and places that are broken.
 */
export interface Utf8Health {
  readonly valid: number;
  readonly broken: number;
  /** True when the last of the broken places is a sequence cut off by the end of the bytes. */
  readonly cutAtEnd: boolean;
}

/**
 * Counts sound and broken sequences. A broken place is what a decoder turns into one U+FFFD: the longest
 * start of a sequence that could have become one, or a single byte (Unicode 16, §3.9, "substitution of
 * maximal subparts").
 */
export function utf8Health(bytes: Uint8Array): Utf8Health {
  let valid = 0;
  let broken = 0;
  let lastBrokenEnd = -1;
  let i = 0;
  while (i < bytes.length) {
    const lead = bytes[i]!;
    if (lead < 0x80) {
      i++;
      continue;
    }
    const need = lead >= 0xc2 && lead <= 0xdf
      ? 1
      : lead >= 0xe0 && lead <= 0xef
      ? 2
      : lead >= 0xf0 && lead <= 0xf4
      ? 3
      : 0;
    let have = 0;
    while (have < need && isContinuation(bytes[i + 1 + have], have === 0 ? lead : 0)) have++;
    if (need > 0 && have === need) valid++;
    else {
      broken++;
      lastBrokenEnd = need === 0 ? -1 : i + 1 + have;
    }
    i += 1 + have;
  }
  return { valid, broken, cutAtEnd: lastBrokenEnd === bytes.length };
}

/** Whether `byte` may follow; some leads narrow the range of the byte right after them. */
function isContinuation(byte: number | undefined, lead: number): boolean {
  if (byte === undefined) return false;
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  return byte >= low && byte <= high;
}

/**
 * Whether bytes are meant to be UTF-8: nothing broken but perhaps the end, or so little, beside many sound
 * sequences, that it must be damage. Other encodings break nearly every sequence.
 */
export function isNearlyUtf8({ valid, broken, cutAtEnd }: Utf8Health): boolean {
  const damage = cutAtEnd ? broken - 1 : broken;
  return damage === 0 ? broken === 0 || valid > 0 : valid >= 8 * damage;
}
