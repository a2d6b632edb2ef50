/** What a UTF-16 code unit is to the tokenizer. */
export const SEPARATOR = 0;
/** Part of a word in a script that puts spaces between words. */
export const WORD = 1;
/** A character of a script written without spaces: indexed as unigram and bigrams. */
export const GRAM = 2;
/** First half of a surrogate pair: the code point decides. */
export const LEAD = 3;

/** Scripts written without spaces between words; Hangul is among them because its words are inflected. */
const GRAM_SCRIPTS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]/u;
const WORD_CHARACTERS = /[\p{L}\p{N}\p{M}_]/u;
/** They choose a character's looks: `⚠️` must not leave a word of nothing but one of them. */
const VARIATION_SELECTOR = /\p{Variation_Selector}/u;
const PICTOGRAPH = /\p{Extended_Pictographic}/u;

/** Class of one code point. Pictographs (emoji) are grams, so that they can be searched. */
export function classOfCodePoint(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  if (GRAM_SCRIPTS.test(character)) return WORD_CHARACTERS.test(character) ? GRAM : SEPARATOR;
  if (VARIATION_SELECTOR.test(character)) return SEPARATOR;
  if (WORD_CHARACTERS.test(character)) return WORD;
  return codePoint > 0xffff && PICTOGRAPH.test(character) ? GRAM : SEPARATOR;
}

/** Classes of all 65,536 code units; made once per tokenizer because the tests cost some milliseconds. */
export function buildClassTable(): Uint8Array {
  const table = new Uint8Array(0x10000);
  for (let unit = 0; unit < 0x10000; unit++) {
    if (unit >= 0x4e00 && unit <= 0x9fff || unit >= 0xac00 && unit <= 0xd7a3) table[unit] = GRAM;
    else if (unit >= 0xd800 && unit <= 0xdbff) table[unit] = LEAD;
    else if (unit >= 0xdc00 && unit <= 0xf8ff) table[unit] = SEPARATOR;
    else table[unit] = classOfCodePoint(unit);
  }
  return table;
}
