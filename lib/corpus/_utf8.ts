/** Counts of valid multi-byte sequences and of invalid places in UTF-8. */
export interface Utf8Health {
  readonly valid: number;
  readonly broken: number;
  /** Whether the last invalid place is a sequence that the end of the bytes cuts off. */
  readonly cutAtEnd: boolean;
}

/**
 * Counts valid and invalid sequences. One invalid place becomes one U+FFFD in a decoder: the longest beginning of a valid
 * sequence, or a single byte (Unicode 16, §3.9, "substitution of maximal subparts").
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

/** Whether `byte` is a continuation byte. Some lead bytes allow a smaller range for the next byte. */
function isContinuation(byte: number | undefined, lead: number): boolean {
  if (byte === undefined) return false;
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  return byte >= low && byte <= high;
}

/**
 * Whether bytes are meant as UTF-8: nothing is invalid except perhaps the end, or there are at least 8 valid sequences for
 * each invalid place. In other encodings nearly every sequence is invalid.
 */
export function isNearlyUtf8({ valid, broken, cutAtEnd }: Utf8Health): boolean {
  const damage = cutAtEnd ? broken - 1 : broken;
  return damage === 0 ? broken === 0 || valid > 0 : valid >= 8 * damage;
}
