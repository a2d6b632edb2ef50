/**
 * A phrase as a regular expression that finds it word for word, whatever lies between the words.
 */
import { UNSPACED } from "./text/tokenizer.ts";

/** A character of a word in any other script. */
const SPACED = `(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}_]`;
/**
 * Characters that may separate two words: white space and punctuation, so that Markdown's marks and line breaks do not
 * matter.
 */
const BETWEEN = "[^\\p{L}\\p{N}\\p{M}_]";
/**
 * Separators next to an emoji of the phrase. Other emoji are words there: if they could also be separators, the matcher
 * would try all combinations.
 */
const BESIDE_EMOJI = "[^\\p{L}\\p{N}\\p{M}_\\p{Extended_Pictographic}]";
/** Words, C++ and C# among them, and characters of unspaced scripts. */
const PARTS = new RegExp(
  `[${UNSPACED}]|\\p{Extended_Pictographic}|(?<!${SPACED})[a-zA-Z](?:\\+\\+|#)(?!${SPACED})|(?:${SPACED})+`,
  "gu",
);
const IS_SPACED = new RegExp(`^${SPACED}`, "u");
const IS_EMOJI = /^\p{Extended_Pictographic}/u;

/**
 * Words of a phrase that are searched for. A pattern of two thousand words takes seconds, and if a word is repeated, each
 * position of a text is compared that often.
 */
const MAX_PARTS = 100;

/** Returns the words of a folded text in order; in unspaced scripts, the characters. */
export function wordParts(text: string): readonly string[] {
  return text.match(PARTS) ?? [];
}

/**
 * Returns a pattern that finds the words of `phrase` in order, as whole words, or `undefined` if it has no word. White
 * space and punctuation between words are ignored. Next to Chinese, Japanese or Korean, words need no separator, and
 * between its characters only white space is allowed. Only the first {@linkcode MAX_PARTS} words are searched for. Phrase
 * and text must have been folded (NFKC, simplified characters); case is ignored. The first use of a pattern takes 3 ms, for
 * the classes of characters, so do not use hundreds of them.
 */
export function phrasePattern(phrase: string): RegExp | undefined {
  let source = "", end = 0, parts = 0, spaced = false, emoji = false;
  for (const { 0: part, index } of phrase.matchAll(PARTS)) {
    const [wasSpaced, wasEmoji] = [spaced, emoji];
    spaced = IS_SPACED.test(part);
    emoji = IS_EMOJI.test(part);
    const between = emoji || wasEmoji ? BESIDE_EMOJI : BETWEEN;
    if (source === "") source = spaced ? `(?<!${SPACED})` : "";
    else if (wasSpaced && spaced) source += `${between}+`;
    else source += wasSpaced || spaced || index > end ? `${between}*` : "\\s*";
    // Of all characters in a part, only those of `C++` have a meaning in a pattern.
    source += part.replaceAll("+", "\\+");
    end = index + part.length;
    if (++parts === MAX_PARTS) break;
  }
  if (end === 0) return undefined;
  // C++ needs no word boundary after it.
  return new RegExp(/[+#]$/.test(source) || !spaced ? source : `${source}(?!${SPACED})`, "iu");
}
