import {
  CJK,
  inverseDocumentFrequency,
  type QueryTerm,
  stemOfTerm,
  termsOfStem,
  type Tokenizer,
} from "../index/mod.ts";
import type { Collection } from "./collection.ts";
import { MarkFinder, type Wanted } from "./find_marks.ts";
import type { Passage } from "./passages.ts";
import { STOP_WORD_WEIGHT } from "./query/mod.ts";
import { COMMON, type Meaning, type QueryWord, type Ranking, type WordPair } from "./rank/mod.ts";
import type { Hit } from "./types.ts";

/**
 * Words whose vectors are less alike than this are not marked. Pairs of unrelated words come up to .55 (`log`, `catalogue`).
 */
const ALIKE = 0.6;

/** The least score of a translation that is marked. Below are rare senses, such as `锉刀` (a tool) for `file`. */
const SURE = 0.5;

/** Particles. A pair of characters with one of them is mostly the end of one word and the start of the next. */
const PARTICLE = /[的了吗呢]/;
const UNSPACED_TERM = new RegExp(`^[${CJK}]+$`, "u");

/** Input of {@linkcode markHits}. */
export interface Marking {
  readonly collection: Collection;
  readonly ranking: Ranking;
  readonly tokenizer: Tokenizer;
  /** The terms of the question. */
  readonly terms: readonly QueryTerm[];
  /** The built-in table; without it, only the question's own words are marked. */
  readonly meaning: Meaning | undefined;
  /** The passages of the hits, in their order. There may be more passages than hits. */
  readonly passages: readonly Passage[];
}

/**
 * The hits with marks at the words of the question, at their translations, and at words like them where they are missing.
 */
export async function markHits(hits: readonly Hit[], marking: Marking): Promise<Hit[]> {
  const { ranking, tokenizer, meaning, passages } = marking;
  const wanted = await wantedAnywhere(marking);
  const chunks = passages.slice(0, hits.length).flatMap((passage) => passage.chunks)
    .sort((a, b) => a.id - b.id);
  const pairs = meaning === undefined ? [] : await ranking.pairs(chunks);
  const pairsOf = new Map(chunks.map(({ id }, i) => [id, pairs[i] ?? []]));
  const finder = new MarkFinder(tokenizer);
  return hits.map((hit, i) => {
    const own = passages[i]!.chunks.flatMap(({ id }) => pairsOf.get(id) ?? []);
    const all = withLikeWords(wanted, own, marking);
    const marksOf = (text: string) => finder.find(text, all);
    return { ...hit, marks: marksOf(hit.content), sectionMarks: hit.section.map(marksOf) };
  });
}

/** The terms of the question, and the translations of its words. */
async function wantedAnywhere({ collection, ranking, terms, meaning }: Marking): Promise<Wanted> {
  const asked = markedTerms(terms);
  const counts = await collection.documentFrequencies(asked);
  const wanted = {
    terms: new Map(asked.map((term, i) => [term, inverseDocumentFrequency(collection.size, counts[i]!)])),
    words: new Map<string, number>(),
  };
  for (const word of meaning === undefined ? [] : ranking.words) {
    for (const { word: translation, score } of translationsOf(word, meaning!)) {
      if (score >= SURE) add(wanted, translation, score * word.idf, meaning!.tokenizer);
    }
  }
  return wanted;
}

function translationsOf({ text, id }: QueryWord, { table, tokenizer }: Meaning) {
  if (id < 0 || table.p[id]! > COMMON) return [];
  if (id >= table.englishCount) {
    return table.toEnglish(id).flatMap(({ word, score }) =>
      termsOfStem(word).map((term) => ({ word: term, score }))
    );
  }
  // A single character is a part of too many words.
  return table.toChinese(stemOfTerm(tokenizer.tokenize(text)[0] ?? text)).filter(({ word }) =>
    [...word].length > 1
  );
}

/** Adds the words of a passage that stand for words of the question which the passage lacks. */
function withLikeWords(wanted: Wanted, pairs: readonly WordPair[], { ranking, tokenizer }: Marking): Wanted {
  const all = { terms: new Map(wanted.terms), words: new Map(wanted.words) };
  for (const { query, chunk, cosine } of pairs) {
    if (cosine < ALIKE || cosine === 1) continue;
    const idf = ranking.words.find(({ text }) => text === query)?.idf ?? 0;
    add(all, chunk, cosine * idf, tokenizer);
  }
  return all;
}

function add(
  { terms, words }: { terms: Map<string, number>; words: Map<string, number> },
  word: string,
  weight: number,
  tokenizer: Tokenizer,
): void {
  const [key, known] = UNSPACED_TERM.test(word)
    ? [tokenizer.fold(word), words]
    : [tokenizer.tokenize(word)[0] ?? word, terms];
  if (!known.has(key)) known.set(key, weight);
}

/**
 * The terms without stop words, without single characters and digits of longer terms, and without pairs that cross two
 * words.
 */
function markedTerms(terms: readonly QueryTerm[]): string[] {
  const content = terms.filter(({ weight }) => weight > STOP_WORD_WEIGHT).map(({ term }) => term);
  const isPair = (term: string) => [...term].length === 2 && UNSPACED_TERM.test(term);
  const many = content.filter(isPair).length > 1;
  const isPart = (term: string) =>
    [...term].length === 1 && content.some((other) => other !== term && other.includes(term));
  return content.filter((term) => !isPart(term) && !(many && isPair(term) && PARTICLE.test(term)));
}
