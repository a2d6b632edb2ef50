import { inverseDocumentFrequency, type QueryTerm } from "../../index/mod.ts";
import { CHINESE_TERMS_A_WORD, type Collection } from "../collection.ts";
import { STOP_WORD_WEIGHT } from "../query/stop_words.ts";
import type { Meaning } from "./meaning.ts";

/** A word of the question that is no stop word. */
export interface QueryWord {
  readonly text: string;
  /** Number of the word in the built-in table; negative for a word that it lacks. */
  readonly id: number;
  readonly idf: number;
  /** Part of a name or number with a digit, such as `hunter2`: no other word is like it. */
  readonly exact?: boolean;
}

/** Runs of Chinese characters, and of other letters and digits. */
const RUN = /\p{Script=Han}+|(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}'’])+/gu;

const DIGIT = /\p{N}/u;

/** Words of a question at most: a pasted page has more, which would cost more than they bring. */
const MAX_WORDS = 32;

/**
 * The distinct words of the question, as the table cuts it, whose index terms are among `terms`. Stop words have no terms
 * there.
 */
export async function queryWords(
  text: string,
  terms: readonly QueryTerm[],
  collection: Collection,
  meaning: Meaning,
): Promise<QueryWord[]> {
  const { table, analyzer, tokenizer } = meaning;
  const asked = contentTerms(terms);
  const words = new Map<number, Omit<QueryWord, "idf"> & { readonly terms: string[] }>();
  for (const [run] of text.matchAll(RUN)) {
    for (const id of analyzer.analyze(run).words.ids) {
      const word = id < 0 ? run : table.words.word(id);
      const ofWord = strongTerms(tokenizer.queryTerms(word));
      const isAsked = id < 0
        ? ofWord.some((term) => asked.has(term))
        : ofWord.every((term) => asked.has(term));
      const known = meaning.stemClass(id);
      if (!isAsked || words.has(known)) continue;
      words.set(known, { text: word, id, terms: ofWord, ...(DIGIT.test(run) ? { exact: true } : {}) });
    }
  }
  const all = [...new Set(words.values().flatMap(({ terms }) => terms))];
  const counted = await collection.documentFrequencies(all);
  const frequencies = new Map(all.map((term, i) => [term, counted[i]!]));
  return Array.from(words.values(), ({ terms, ...word }): QueryWord => {
    const df = Math.min(...terms.map((term) => frequencies.get(term)!));
    return { ...word, idf: idfOf(word.id, terms.length === 0 ? 0 : df, collection, meaning) };
  }).sort((a, b) => b.idf - a.idf).slice(0, MAX_WORDS);
}

/** Σ idf of words. */
export function totalIdf(words: readonly QueryWord[]): number {
  return words.reduce((sum, { idf }) => sum + idf, 0);
}

/** The terms to translate: all of the question, or those of `words` if the question had more words than are kept. */
export function translatedTerms(
  terms: readonly QueryTerm[],
  words: readonly QueryWord[],
  { tokenizer }: Meaning,
): ReadonlySet<string> {
  return words.length < MAX_WORDS
    ? contentTerms(terms)
    : new Set(words.flatMap(({ text }) => strongTerms(tokenizer.queryTerms(text))));
}

/** The terms of a question without those of stop words, which have next to no weight. */
function contentTerms(terms: readonly QueryTerm[]): ReadonlySet<string> {
  return new Set(terms.filter(({ weight }) => weight > STOP_WORD_WEIGHT).map(({ term }) => term));
}

/** The terms of a word with the greatest weight: the bigrams of a Chinese word, the stem of an English one. */
export function strongTerms(terms: readonly QueryTerm[]): string[] {
  const most = terms.reduce((max, { weight }) => Math.max(max, weight), 0);
  return terms.filter(({ weight }) => weight === most).map(({ term }) => term);
}

/**
 * The idf of a word that is in `held` chunks. A word that the collection lacks, such as one of another language, is taken to
 * be as frequent as in common text: df = N (1 − e^(−p · average length)).
 */
function idfOf(id: number, held: number, { size, averageTokens }: Collection, { table }: Meaning): number {
  if (held > 0 || id < 0) return inverseDocumentFrequency(size, held);
  const length = averageTokens / (id < table.englishCount ? 1 : CHINESE_TERMS_A_WORD);
  return inverseDocumentFrequency(size, size * (1 - Math.exp(-table.p[id]! * length)));
}
