/** Chinese, Japanese and Korean characters, for a class `[…]` of a regular expression with the flag `u`. */
export const CJK = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}";

/**
 * Characters of scripts written without spaces between words, for the same use. `ー` (U+30FC) is listed because it belongs
 * to two scripts. Hangul is included because Korean words are inflected.
 */
export const UNSPACED =
  `${CJK}\\p{Script=Bopomofo}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\u30fc`;
