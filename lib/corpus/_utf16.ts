import { isCommonChinese } from "./_common_hanzi.ts";

/** Bytes that are examined; an even number. */
const SAMPLE = 16_384;

/**
 * The byte order of UTF-16 without a byte order mark, or null if the bytes are not UTF-16. An ASCII character has a NUL in
 * one of its two bytes, always on the same side. Texts in other scripts show the side by their spaces, digits and line ends.
 * The decoded text must have mostly usual characters; other bytes with a few NULs do not.
 */
export function looksLikeUtf16(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  const sample = bytes.subarray(0, Math.min(SAMPLE, bytes.length & ~1));
  let even = 0;
  let odd = 0;
  for (let i = 0; i < sample.length; i += 2) {
    if (sample[i] === 0) even++;
    if (sample[i + 1] === 0) odd++;
  }
  // Characters such as U+4E00 and U+3000 have the NUL on the other side.
  if (even === odd || Math.min(even, odd) * 4 > Math.max(even, odd)) return null;
  const encoding = odd > even ? "utf-16le" : "utf-16be";
  return isPlausible(new TextDecoder(encoding).decode(sample)) ? encoding : null;
}

/**
 * Whether at least 60 % of the characters are usual ones and none is a control character. One U+FFFD is allowed, because the
 * sample may end within a character.
 */
function isPlausible(text: string): boolean {
  let usual = 0;
  let all = 0;
  let broken = 0;
  for (const char of text) {
    const code = char.codePointAt(0)!;
    all++;
    if (code === 0xfffd && ++broken > 1) return false;
    if (code < 32 && (code < 8 || code > 13) && code !== 27) return false;
    if (isUsual(code)) usual++;
  }
  return all > 1 && usual >= 0.6 * all;
}

/** Latin, Greek, Cyrillic, Hebrew; kana; hangul; common hanzi. */
function isUsual(code: number): boolean {
  return code < 0x600 || (code >= 0x3040 && code <= 0x30ff) || (code >= 0xac00 && code <= 0xd7a3) ||
    isCommonChinese(code);
}
