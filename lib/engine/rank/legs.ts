/**
 * The legs of the ranking: each judges a candidate by one property; see RANKING.md.
 */
import type { TextWords } from "#models/embedding/mod.ts";
import { type Candidates, type ChunkFacts, comparesWords, isForeign } from "./candidates.ts";
import { counts, type PreparedQuery } from "./prepared_query.ts";
import { ChunkWords } from "./meaning.ts";
import {
  type Cover,
  Covers,
  MatchList,
  matchWords,
  mergeMatches,
  type QueryWord,
  type WordMatches,
} from "./query_words.ts";
import { sentence } from "./sentences.ts";
import { matchTranslations } from "./translation.ts";
import type { LegName } from "./types.ts";

/** The raw value of each leg for each candidate. A leg without data is absent. */
export type LegValues = Partial<Record<LegName, Float64Array>>;

/** Shares of the query's idf that candidates cover, from 0 to 1. */
export interface Coverages {
  /** Covered by the terms of the question. */
  readonly own: Float64Array;
  /** Covered by its translation; absent without a translation. */
  readonly translated: Float64Array | undefined;
  /** Covered by the terms of generated texts; absent where there are none. */
  readonly generated: Float64Array | undefined;
}

/** Returns the values of the legs that the index computes, and the coverage of the candidates. */
export function indexLegs(
  { terms, translated, legs }: PreparedQuery,
  { facts }: Candidates,
): { readonly values: LegValues; readonly coverages: Coverages } {
  const all = (value: (of: ChunkFacts) => number) => Float64Array.from(facts, value);
  return {
    values: {
      ...(legs.has("keyword") ? { keyword: all(({ score }) => score) } : {}),
      ...(translated === undefined ? {} : { translation: all(({ translatedScore }) => translatedScore) }),
      ...(legs.has("vector") ? { vector: all(({ cosine }) => cosine) } : {}),
    },
    coverages: {
      own: all(({ coverage }) => coverage),
      translated: translated && all(({ translatedCoverage }) => translatedCoverage),
      generated: terms.generated && all(({ generatedCoverage }) => generatedCoverage),
    },
  };
}

/** The values of the legs that compare words, and what the words of each candidate cover. */
export interface WordLegs {
  readonly values: LegValues;
  /** The words of each candidate; absent if they were not read. */
  readonly texts?: readonly (TextWords | undefined)[];
  /** The idf that equal and similar words cover close together: Σ idf(q) · c². Absent if words were not compared. */
  readonly close?: Float64Array;
  /** The same of equal words alone. Absent without the leg M. */
  readonly equal?: Float64Array;
  /** Absent without a translation: then no candidate is in another language. */
  readonly covers?: readonly Cover[];
}

/** Returns the values of the legs that compare words. MaxSim is computed even without a weight: the evidence needs it. */
export function wordLegs(query: PreparedQuery, candidates: Candidates): WordLegs {
  const { legs, words, vector, translated, meaning } = query;
  const values: LegValues = {};
  const matching = legs.has("maxsim");
  if (!comparesWords(query)) return { values };
  const { found, facts } = candidates;
  const chunkWords = new ChunkWords(meaning);
  const texts = facts.map(({ words, stored }, i) =>
    words && chunkWords.of(words, found[i]!.index.files[found[i]!.file]!.path, stored.section)
  );
  if (counts(query, "sentence")) values.sentence = sentence(texts, vector.vector, words, meaning);
  if (!matching && translated === undefined) return { values, texts };
  const matches = matchWords(texts, words, meaning);
  if (matching) values.maxsim = maxsim(matches, words);
  const covered = new Covers(words);
  const near = {
    close: Float64Array.from(matches, (all) => covered.nearOfSquares(all)),
    ...(matching && { equal: Float64Array.from(matches, (all) => covered.nearOfEqual(all)) }),
  };
  if (translated === undefined) return { values, texts, ...near };
  const translations = matchTranslations(
    texts.map((text, i) => isForeign(query, candidates, i) ? text : undefined),
    translated,
    meaning,
  );
  const list = new MatchList();
  const covers = matches.map((own, i) => covered.of(mergeMatches(own, translations[i]!, list)));
  return { values, texts, ...near, covers };
}

/**
 * M = Σ idf(q) · max c² over the words q of the question, c the cosine with any word of the text (late interaction of static
 * vectors, after Khattab, Zaharia, "ColBERT", 2020).
 */
export function maxsim(matches: readonly WordMatches[], question: readonly QueryWord[]): Float64Array {
  const best = new Float32Array(question.length);
  return Float64Array.from(matches, ({ words, cosines }) => {
    best.fill(0);
    for (let i = 0; i < words.length; i++) {
      if (cosines[i]! > best[words[i]!]!) best[words[i]!] = cosines[i]!;
    }
    return question.reduce((sum, { idf }, q) => sum + idf * best[q]! * best[q]!, 0);
  });
}
