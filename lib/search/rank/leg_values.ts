import type { TextWords } from "../../embedding/mod.ts";
import { lengthNorm } from "../../index/mod.ts";
import type { CollectionTerms } from "../collection_types.ts";
import type { Candidates } from "./candidates.ts";
import { ChunkWords } from "./chunk_words.ts";
import { type Cover, coverOf, mergeMatches } from "./cover.ts";
import { isForeign } from "./foreign.ts";
import { exact } from "./legs/exact.ts";
import { feedbackTerms } from "./legs/feedback.ts";
import { maxsim } from "./legs/maxsim.ts";
import { sentence } from "./legs/sentence.ts";
import { soft } from "./legs/soft.ts";
import { window } from "./legs/window.ts";
import { counts, type PreparedQuery } from "./prepared_query.ts";
import { matchTranslations } from "./translated_words.ts";
import type { LegName } from "./types.ts";
import { matchWords, type WordMatches } from "./word_matches.ts";

/** The raw value of each leg for each candidate. A leg without data is absent. */
export type LegValues = Partial<Record<LegName, Float64Array>>;

/** Shares of the query's idf that candidates cover, from 0 to 1. */
export interface Coverages {
  /** Covered by the terms of the question. */
  readonly own: Float64Array;
  /** Covered by its translation; absent without a translation. */
  readonly translated: Float64Array | undefined;
}

/** Returns the values of the legs that the index computes, and the coverage of the candidates. */
export async function indexLegs(
  { terms, translated, legs, vector, request: { collection } }: PreparedQuery,
  { ids }: Candidates,
): Promise<{ readonly values: LegValues; readonly coverages: Coverages }> {
  const own = await collection.scoreTerms(terms, ids);
  const foreign = translated && await collection.scoreGroups(translated.groups, ids);
  return {
    values: {
      ...(legs.has("keyword") ? { keyword: own.scores } : {}),
      ...(foreign === undefined ? {} : { translation: foreign.scores }),
      ...(vector === undefined || !legs.has("vector")
        ? {}
        : { vector: await collection.cosines(vector, ids) }),
    },
    coverages: { own: own.coverage, translated: foreign?.coverage },
  };
}

/** The values of the legs that compare words, and what the words of each candidate cover. */
export interface WordLegs {
  readonly values: LegValues;
  /** The words of each candidate; absent if they were not read. */
  readonly texts?: readonly (TextWords | undefined)[];
  /** The idf that equal and similar words cover close together: Σ idf(q) · c². Absent if words were not compared. */
  readonly close?: Float64Array;
  /** Absent without a translation: then no candidate is in another language. */
  readonly covers?: readonly Cover[];
}

/**
 * Returns the values of the legs that compare words. MaxSim and the window are computed even if they have no weight, because
 * the evidence needs them.
 */
export async function wordLegs(query: PreparedQuery, candidates: Candidates): Promise<WordLegs> {
  const { legs, words, vector, translated, request: { collection, meaning, model } } = query;
  const values: LegValues = {};
  if (meaning === undefined) return { values };
  const matching = legs.has("maxsim") || legs.has("window") || counts(query, "soft") ||
    counts(query, "exact");
  if (!matching && translated === undefined && !counts(query, "sentence")) return { values };
  const { ids, found, stored } = candidates;
  const chunkWords = new ChunkWords(meaning);
  const texts = (await collection.words(ids, model)).map((bytes, i) =>
    bytes && chunkWords.of(bytes, found[i]!.index.files[found[i]!.file]!.path, stored[i]!.section)
  );
  if (counts(query, "sentence") && vector !== undefined) {
    values.sentence = sentence(texts, vector.vector, words, meaning);
  }
  if (!matching && translated === undefined) return { values, texts };
  const matches = matchWords(texts, words, meaning);
  const norms = () => Float64Array.from(stored, ({ tokens }) => lengthNorm(tokens, collection.averageTokens));
  if (legs.has("maxsim")) values.maxsim = maxsim(matches, words);
  if (counts(query, "soft")) values.soft = soft(matches, words, norms());
  if (counts(query, "exact")) values.exact = exact(matches, words);
  if (legs.has("window")) values.window = window(matches, words);
  const close = Float64Array.from(matches, (all) => coverOf(squared(all), words).near);
  if (translated === undefined) return { values, texts, close };
  const translations = matchTranslations(
    texts.map((text, i) => isForeign(query, candidates, i) ? text : undefined),
    translated,
    meaning,
  );
  const covers = matches.map((equal, i) => coverOf(mergeMatches(equal, translations[i]!), words));
  return { values, texts, close, covers };
}

/** As in MaxSim, a similar word counts as the square of its cosine. */
function squared(matches: WordMatches): WordMatches {
  return { ...matches, cosines: matches.cosines.map((cosine) => cosine * cosine) };
}

/** Returns the values of the feedback leg. `terms`: the terms that an earlier answer to the same question found. */
export async function feedbackLeg(
  query: PreparedQuery,
  candidates: Candidates,
  scores: Float64Array,
  terms: CollectionTerms | undefined,
): Promise<{ readonly values: LegValues; readonly terms: CollectionTerms | undefined }> {
  const { collection, meaning } = query.request;
  if (meaning === undefined || !counts(query, "feedback")) return { values: {}, terms: undefined };
  const used = terms ??
    await collection.lookUp(await feedbackTerms(candidates.ids, scores, collection, meaning));
  const { scores: feedback } = await collection.scoreTerms(used, candidates.ids);
  return { values: { feedback }, terms: used };
}
