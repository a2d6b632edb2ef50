/** Quotation marks that make a phrase, with those that end it. */
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
 * What stands in quotes from `at` on, and where the closing one ends; nothing where none opens there, it is never closed,
 * or there is no word in it. A straight quote opens only before a word and closes only behind one: `5" and 6"` holds no
 * phrase.
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
