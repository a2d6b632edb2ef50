import { isCommonChinese } from "./_common_hanzi.ts";

/** How much of a file is looked at, in bytes; even. */
const SAMPLE = 16_384;

/**
 * Which UTF-16 a text without byte order mark is in, or null when it is not. ASCII characters leave a NUL in
 * every second byte, always on the same side; other scripts have at least spaces, digits or line ends to show
 * the side. What is then decoded must be made of what texts are made of, which tells it from ordinary bytes
 * with a stray NUL.
 */
export function looksLikeUtf16(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  const sample = bytes.subarray(0, Math.min(SAMPLE, bytes.length & ~1));
  let even = 0;
  let odd = 0;
  for (let i = 0; i < sample.length; i += 2) {
    if (sample[i] === 0) even++;
    if (sample[i + 1] === 0) odd++;
  }
  // U+4E00, U+3000 and the like put a few NULs on the other side.
  if (even === odd || Math.min(even, odd) * 4 > Math.max(even, odd)) return null;
  const encoding = odd > even ? "utf-16le" : "utf-16be";
  return isPlausible(new TextDecoder(encoding).decode(sample)) ? encoding : null;
}

/**
 * At least six in ten characters are usual ones; no control character; the sample's end may cut one in two.
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
