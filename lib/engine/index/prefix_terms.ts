/**
 * The terms of words that begin with given letters. Terms are stems, so some of them do not begin as their words do.
 */
import type { Dictionary } from "./dictionary.ts";
import { foldAccents, isStemmed, wordsOfTerm, wordTerms } from "./text/tokenizer.ts";

/** The terms of the words that begin with a prefix, by their ids in a dictionary. */
export interface PrefixTerms {
  /** Every word with one of these terms begins with the prefix. */
  readonly sure: readonly number[];
  /** Only the text tells whether its word begins with the prefix. */
  readonly unsure: readonly number[];
}

/** Returns a prefix as words are compared with it: in lower case, Latin letters without accents. `text`: in NFKC. */
export function foldedPrefix(text: string): string {
  return foldAccents(text).replaceAll("’", "'").toLowerCase();
}

/** Returns the terms of the words that begin with a {@linkcode foldedPrefix}. */
export function prefixTerms(dictionary: Dictionary, prefix: string): PrefixTerms {
  const sure: number[] = [], unsure: number[] = [];
  const shorter = new Set(stemsOfWordsWith(prefix));
  for (const [id, term] of dictionary.termsWithPrefix(prefix)) {
    shorter.delete(term);
    (isSure(term, prefix) ? sure : unsure).push(id);
  }
  for (const term of shorter) {
    const id = dictionary.find(term);
    if (id >= 0) unsure.push(id);
  }
  return { sure, unsure };
}

/** Whether all words with a term that begins with `prefix` begin with it too. */
function isSure(term: string, prefix: string): boolean {
  if (!isStemmed(term)) return true;
  const words = wordsOfTerm(term);
  if (words !== undefined) return words.every((word) => word.startsWith(prefix));
  return prefix.length <= term.length - changedLetters(term);
}

/** The most letters at the end of a stem that differ from those of its words: `happi` of `happy`, `hope` of `hoping`, `die` of `dying`. */
function changedLetters(stem: string): number {
  return /ie$/.test(stem) ? 2 : /(?:[eiy]|bl)$/.test(stem) ? 1 : 0;
}

/** Endings that the stemmer removes or changes, alone or one after the other. */
const ENDINGS = `s es ed ing ings er ers ies ied y ly al ally ity ities ness nesses ful fully fulness
  ive ives ively iveness ivity ivities ous ously ousness ment ments able ables ably ability abilities ible ibly
  ibility ibilities ation ations ational ationally ator ators ate ates ated ating ative atively ize izes ized izing
  izer izers ization izations ism isms ist ists istic istics ic ics ical ically icate icates icated icating
  ication icity icities itis ance ances ancy ancies ant ants antly ence ences ency encies ent ents ently
  ion ions ioned ioning ional ionals ionality ionalities ionalism ionalisms eed eedly edly ingly ogy ogies ogist
  alism ality alities alize alizes alized alizing alization alizations`;

/**
 * All ends of {@linkcode ENDINGS}, because a prefix may end within one. Of 5,463 English words with 43,506 prefixes,
 * {@linkcode stemsOfWordsWith} missed no stem that does not begin with the prefix.
 */
const TAILS: ReadonlySet<string> = new Set(
  ENDINGS.split(/\s+/).flatMap((ending) => [ending, `${ending}'s`])
    .flatMap((ending) => Array.from(ending, (_, at) => ending.slice(at))),
);

/** Returns stems of words that begin with `prefix`, among them all that do not begin so themselves. */
function stemsOfWordsWith(prefix: string): string[] {
  if (!/^[a-z']+$/.test(prefix)) return [];
  return [...new Set(["", ...TAILS].map((tail) => wordTerms(prefix + tail)[0]!))]
    .filter((term) => !term.startsWith(prefix));
}
