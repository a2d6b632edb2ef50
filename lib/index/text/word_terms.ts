// @ts-types="./porter2.d.ts"
import stem from "wink-porter2-stemmer";

/** Longer words, mostly encoded data, are cut to this many UTF-16 units. */
const MAX_TERM = 64;
/** The most terms of a word: the whole, and each unit as a part. */
export const MOST_TERMS = MAX_TERM + 1;
/** UTF-16 units of the longest word that is stemmed. English words are shorter. */
const MAX_STEMMED = 30;

/**
 * Returns the index terms of a written word: its stem (Snowball's English stemmer, Porter2). An identifier or a number with
 * parts gives the term of the whole, so that `getusername` finds it, followed by the terms of its parts.
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

/** Returns the index terms of the word with the units from `start` to `end`, see {@linkcode wordTerms}. */
export function termsOfUnits(units: Uint16Array, start: number, end: number): string[] {
  // One unit more than a term may have tells that the word must be cut.
  return wordTerms(String.fromCharCode(...units.subarray(start, Math.min(end, start + MAX_TERM + 1))));
}

/** Returns the first {@linkcode MAX_TERM} units, or one less if that would split a surrogate pair. */
function cut(word: string): string {
  const parted = word.codePointAt(MAX_TERM - 1)! > 0xffff;
  return word.slice(0, parted ? MAX_TERM - 1 : MAX_TERM);
}

/** Removes accents from words with Latin letters. Other scripts are kept: й is a letter, not an accented и. */
function foldAccents(word: string): string {
  // deno-lint-ignore no-control-regex
  if (/^[\x00-\x7f]*$/.test(word) || !/\p{Script=Latin}/u.test(word)) return word;
  return word.normalize("NFD").replace(/\p{M}/gu, "");
}

/**
 * Splits an identifier at `_` and `.`, between lower and upper case (`userName`), before the last capital of a run
 * (`HTMLParser`) and between letters and digits. Other words are one part.
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
