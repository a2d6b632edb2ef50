// @ts-types="./porter2.d.ts"
import stem from "wink-porter2-stemmer";
import { FALSE_FRIENDS } from "./false_friends.ts";

/** Longer words, mostly encoded data, are cut to this many UTF-16 units. */
const MAX_TERM = 64;
/** The most terms of a word: the whole, and each unit as a part. */
export const MOST_TERMS = MAX_TERM + 1;
/** UTF-16 units of the longest word that is stemmed. English words are shorter. */
const MAX_STEMMED = 30;

/**
 * Returns the index terms of a written word: its stem (Snowball's English stemmer, Porter2), or a term of its
 * own for a word that shares its stem with a word of another meaning (`false_friends.ts`). An identifier or a number with
 * parts gives the term of the whole, so that `getusername` finds it, followed by the terms of its parts.
 *
 * `Running` -> `run`; `severance` -> `severance`, because `sever` is the stem of `several` too; `getUserName` -> `getusernam, get, user, name`; `user_id` -> `user_id, user, id`;
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
  if (lower.length <= 2 || lower.length > MAX_STEMMED || !/^[a-z']+$/.test(lower)) return lower;
  return apart().ofWords.get(lower) ?? stem(lower);
}

/** The words whose term is not their stem, and the terms of each stem. */
interface Apart {
  readonly ofWords: ReadonlyMap<string, string>;
  readonly ofStems: ReadonlyMap<string, readonly string[]>;
}

let parsed: Apart | undefined;

function apart(): Apart {
  if (parsed !== undefined) return parsed;
  const ofWords = new Map<string, string>(), ofStems = new Map<string, string[]>();
  for (const line of FALSE_FRIENDS.trim().split("\n")) {
    const words = line.split(" ");
    const [term] = words as [string];
    for (const word of words) ofWords.set(word, term);
    const ofStem = stem(term);
    ofStems.set(ofStem, [...ofStems.get(ofStem) ?? [], term]);
  }
  return parsed = { ofWords, ofStems };
}

/** Returns Snowball's stem of an index term, which the dictionaries of the built-in table know it by. */
export function stemOfTerm(term: string): string {
  return apart().ofWords.get(term) === term ? stem(term) : term;
}

/** Returns the index terms of the words with a stem: the stem, and the terms of the words that mean something else. */
export function termsOfStem(ofWords: string): readonly string[] {
  return [ofWords, ...apart().ofStems.get(ofWords) ?? []];
}
