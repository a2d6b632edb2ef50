/** Chinese, Japanese and Korean characters, for a class `[…]` of a regular expression with the flag `u`. */
export const CJK = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}";

/**
 * Characters of scripts written without spaces between words, likewise; `ー` (U+30FC) belongs to two scripts and has to be
 * named. Hangul is among them because Korean words are inflected.
 */
export const UNSPACED =
  `${CJK}\\p{Script=Bopomofo}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\u30fc`;
