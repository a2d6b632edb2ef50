/** Opening quotation marks with their closing ones. */
const CLOSING: Readonly<Record<string, string>> = {
  '"': '"',
  "＂": "＂",
  "“": "”",
  "「": "」",
  "『": "』",
};

/** A letter or digit of a script with spaces between its words: a straight quote beside it may be an inch sign. */
const LATIN = /[\p{Script=Latin}\p{N}]/u;
const WORDS = /[\p{L}\p{N}]/u;

/**
 * Returns the text in quotes that begins at `at`, and the end of its closing quote. Returns `undefined` if no quote opens
 * there, if it is not closed, or if it contains no word. A straight quote opens only before a word and closes only after
 * one, so `5" and 6"` contains no phrase.
 */
export function quotedAt(text: string, at: number): { inner: string; end: number } | undefined {
  const closing = CLOSING[text.charAt(at)];
  if (closing === undefined) return undefined;
  const straight = closing === text.charAt(at);
  if (straight && LATIN.test(text.charAt(at - 1))) return undefined;
  let to = text.indexOf(closing, at + 1);
  while (straight && to >= 0 && LATIN.test(text.charAt(to + 1))) to = text.indexOf(closing, to + 1);
  const inner = text.slice(at + 1, to).trim();
  return to < 0 || !WORDS.test(inner) ? undefined : { inner, end: to + 1 };
}
