import { UNSPACED } from "./text/mod.ts";

/** A character of a word in any other script. */
const SPACED = `(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}_]`;
/** What may stand between two words: white space and punctuation, so that Markdown's marks and line breaks don't matter. */
const BETWEEN = "[^\\p{L}\\p{N}\\p{M}_]";
/**
 * The same beside an emoji of the phrase, where another emoji is a word: could it be both, every way to tell them apart
 * would be tried.
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
 * Words of a phrase that are looked for. A pattern of two thousand takes seconds, and where one word is repeated each place
 * of a text is compared so often.
 */
const MAX_PARTS = 100;

/** The words of a folded text, one after the other; of unspaced scripts the characters. */
export function wordParts(text: string): readonly string[] {
  return text.match(PARTS) ?? [];
}

/**
 * Finds the words of `phrase` one after the other, as whole words. White space and punctuation between words don't matter,
 * beside Chinese, Japanese or Korean none is needed, and within it only white space may come in between. Nothing where
 * there is no word. Of more than {@linkcode MAX_PARTS} words the first are looked for. Phrase and text must have
 * been folded (NFKC, simplified characters); upper and lower case are the same.
 * Its first use takes 3 ms, for the classes of characters: not for patterns by the hundred.
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
    // of all that a part can hold only the signs of C++ mean something in a pattern
    source += part.replaceAll("+", "\\+");
    end = index + part.length;
    if (++parts === MAX_PARTS) break;
  }
  if (end === 0) return undefined;
  // C++ is whole by itself
  return new RegExp(/[+#]$/.test(source) || !spaced ? source : `${source}(?!${SPACED})`, "iu");
}
