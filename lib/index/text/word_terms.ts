// @ts-types="./porter2.d.ts"
import stem from "wink-porter2-stemmer";

/** Longer words (encoded data, mostly) are cut to this many UTF-16 units. */
const MAX_TERM = 64;
/** No English word worth stemming is longer. */
const MAX_STEMMED = 30;

/**
 * The index terms of one written word: its stem (English Snowball, Porter2) or, where it is an identifier
 * or a number with parts, the whole followed by the stems of its parts. The whole is treated as any word is, so that
 * `getusername` finds it.
 *
 * `Running` -> `run`; `getUserName` -> `getusernam, get, user, name`; `user_id` -> `user_id, user, id`;
 * `1.13` -> `1.13, 1, 13`; `café` -> `cafe`.
 */
export function wordTerms(raw: string): string[] {
  const word = foldAccents(raw.length > MAX_TERM ? cut(raw) : raw).replaceAll("’", "'");
  const parts = splitIdentifier(word);
  if (parts.length < 2) return [stemmed(parts[0] ?? word)];
  return [...new Set([word, ...parts].map(stemmed))];
}

/** The first {@linkcode MAX_TERM} units, one fewer where a surrogate pair would be parted. */
function cut(word: string): string {
  const parted = word.codePointAt(MAX_TERM - 1)! > 0xffff;
  return word.slice(0, parted ? MAX_TERM - 1 : MAX_TERM);
}

/** Latin letters without their accents; other scripts as they are (й is no и with an ornament). */
function foldAccents(word: string): string {
  // deno-lint-ignore no-control-regex
  if (/^[\x00-\x7f]*$/.test(word) || !/\p{Script=Latin}/u.test(word)) return word;
  return word.normalize("NFD").replace(/\p{M}/gu, "");
}

/**
 * Parts of an identifier: at `_` and `.`, between lower and upper case (`userName`), before the last capital
 * of a run (`HTMLParser`), between letters and digits. Other words are one part.
 */
function splitIdentifier(word: string): string[] {
  if (/^[A-Z]?[a-z']*$|^[A-Z]+$|^[0-9]+$/.test(word)) return [word];
  return word.split(
    /[_.]+|(?<=[\p{Ll}])(?=[\p{Lu}])|(?<=[\p{Lu}])(?=[\p{Lu}][\p{Ll}])|(?<=[\p{L}])(?=[0-9])|(?<=[0-9])(?=[\p{L}])/u,
  ).filter((part) => part !== "");
}

function stemmed(word: string): string {
  const lower = word.toLowerCase();
  return lower.length > 2 && lower.length <= MAX_STEMMED && /^[a-z']+$/.test(lower) ? stem(lower) : lower;
}
