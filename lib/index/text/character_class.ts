import { UNSPACED } from "./unspaced_scripts.ts";

/** Classes of UTF-16 code units. A separator belongs to no term. */
export const SEPARATOR = 0;
/** Part of a word in a script that puts spaces between words. */
export const WORD = 1;
/** A character of a script written without spaces: indexed as unigram and bigrams. */
export const GRAM = 2;
/** First half of a surrogate pair: the code point decides. */
export const LEAD = 3;

const GRAM_SCRIPTS = new RegExp(`[${UNSPACED}]`, "u");
const WORD_CHARACTERS = /[\p{L}\p{N}\p{M}_]/u;
/**
 * These only select how the character before is drawn. As word characters they would turn the second half of `⚠️` into a
 * word.
 */
const VARIATION_SELECTOR = /\p{Variation_Selector}/u;
const PICTOGRAPH = /\p{Extended_Pictographic}/u;

/** Returns the class of a code point. Pictographs (emoji) are grams, so that they can be searched for. */
export function classOfCodePoint(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  if (GRAM_SCRIPTS.test(character)) return WORD_CHARACTERS.test(character) ? GRAM : SEPARATOR;
  if (VARIATION_SELECTOR.test(character)) return SEPARATOR;
  if (WORD_CHARACTERS.test(character)) return WORD;
  return codePoint > 0xffff && PICTOGRAPH.test(character) ? GRAM : SEPARATOR;
}

/** Returns the classes of all 65,536 code units. Built once per tokenizer, because it takes some milliseconds. */
export function buildClassTable(): Uint8Array {
  const table = new Uint8Array(0x10000);
  for (let unit = 0; unit < 0x10000; unit++) {
    // The ranges with the most characters, Chinese and Korean, are known without a test.
    if (unit >= 0x4e00 && unit <= 0x9fff || unit >= 0xac00 && unit <= 0xd7a3) table[unit] = GRAM;
    else if (unit >= 0xd800 && unit <= 0xdbff) table[unit] = LEAD;
    else if (unit >= 0xdc00 && unit <= 0xf8ff) table[unit] = SEPARATOR;
    else table[unit] = classOfCodePoint(unit);
  }
  return table;
}
