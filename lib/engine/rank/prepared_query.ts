/**
 * A question prepared for ranking: its words, translations and weights of the legs; the legs that propose candidates.
 */
import { inverseDocumentFrequency, type VectorQuery } from "#engine/index/mod.ts";
import type { FoundChunk, Segments, SegmentsOptions, SegmentsTerms } from "#engine/segments.ts";
import type { Meaning } from "./meaning.ts";
import { askedWords, type QueryWord, queryWords, totalIdf } from "./query_words.ts";
import { translate, type Translated } from "./translation.ts";
import type { Facts, Stage } from "#foundation/span.ts";
import { LEG_NAMES, type LegName, type RankRequest, type RankTrace } from "./types.ts";

const ALL_LEGS: ReadonlySet<LegName> = new Set(LEG_NAMES);

/** The data of a question by words and meaning that does not depend on single chunks. It is computed once. */
export interface PreparedQuery {
  readonly request: RankRequest;
  readonly meaning: Meaning;
  /** Legs that are computed, even if they do not count for the score. */
  readonly legs: ReadonlySet<LegName>;
  /** The greatest share of the score that each leg can give; absent for a leg that does not count. */
  readonly weights: LegWeights;
  readonly terms: SegmentsTerms;
  readonly vector: VectorQuery;
  readonly words: readonly QueryWord[];
  readonly translated: Translated | undefined;
  /** Makes BM25 in a text of the other script comparable with BM25 in a text of the question's own script. */
  readonly foreignFactor: number;
}

/** Prepares a question for a ranking in mode `hybrid` or `semantic`. `weighted`: its terms. */
export async function prepareQuery(
  request: RankRequest,
  meaning: Meaning,
  weighted: Promise<SegmentsTerms>,
): Promise<PreparedQuery> {
  const { segments, text, mode, model } = request;
  const wanted = request.legs ?? ALL_LEGS;
  // The setting `legs` is for hybrid rankings. A semantic ranking always compares vectors.
  const legs = mode === "semantic" ? new Set<LegName>([...wanted, "vector"]) : wanted;
  const asked = askedWords(text, request.terms, meaning);
  const weighed = queryWords(asked, segments, meaning);
  const [terms, words, translated] = await Promise.all([
    weighted,
    weighed,
    legs.has("translation") ? translate(text, request.terms, asked, weighed, segments, meaning) : undefined,
  ]);
  return {
    request,
    meaning,
    legs,
    weights: weightsOf(request, legs),
    terms,
    vector: { vector: meaning.analyzer.analyze(text).vector, model },
    words,
    translated,
    foreignFactor: translated === undefined
      ? 1
      : factorOf(terms.total, translated, totalIdf(words), segments),
  };
}

/** Returns whether a leg adds to the score. */
export function counts({ weights }: PreparedQuery, leg: LegName): boolean {
  return (weights[leg] ?? 0) > 0;
}

/** Maximum factor for a text of the other script. */
const MOST_LIFT = 4;

/**
 * Returns the total idf of the question divided by the total idf of its translation. A Chinese question of eight characters
 * has fifteen terms, and its translation has three words. Without the factor, a text with a few of the characters would
 * have a higher BM25 than a text with the whole content in English.
 */
function factorOf(total: number, { frequencies }: Translated, idf: number, { size }: Segments): number {
  const translated = Math.max(
    idf,
    frequencies.reduce((sum, df) => sum + inverseDocumentFrequency(size, df), 0),
  );
  return Math.min(MOST_LIFT, Math.max(1, total / translated));
}

function weightsOf(request: RankRequest, legs: ReadonlySet<LegName>): LegWeights {
  const { mode, fusion, alpha, segments, neural = [] } = request;
  const ofModels: LegWeights = neural.length > 0 && legs.has("neural") ? { neural: alpha } : {};
  if (mode === "semantic") return { vector: 1, ...ofModels };
  const weights: LegWeights = {
    ...(fusion === "rrf" ? { keyword: 1 - alpha, vector: alpha } : recipe(segments.averageWords)),
    ...ofModels,
  };
  return Object.fromEntries(
    Object.entries(weights).filter(([leg, weight]) => weight > 0 && legs.has(leg as LegName)),
  );
}

/** The greatest share of the score that each leg can give. */
export type LegWeights = Readonly<Partial<Record<LegName, number>>>;

/**
 * The weights for the built-in table. Each leg is divided by its greatest value among the candidates, keyword and
 * translation by that of their sum. Multiplying a weight by .5 to 1.5 changes little on ten collections (RANKING.md). Within
 * that range M is at the lower end and V at the upper, because legs that ignore the length of a text do harm where lengths
 * differ.
 */
const LONG: LegWeights = {
  keyword: 1,
  translation: 1,
  maxsim: 0.15,
  sentence: 0.3,
};

/**
 * Weights for texts of a sentence or two, in which frequencies and windows carry no information: .8 (.6 B + .4 M) + .2 V,
 * scaled so that B has 1.
 */
const SHORT: LegWeights = { keyword: 1, translation: 1, maxsim: 0.67, sentence: 0.42 };

/** Mean words of a chunk up to which the weights for short texts hold, and from which those for long texts hold. */
const SHORT_WORDS = 40, LONG_WORDS = 80;

/** Minimum weight of V in a text of another script than the question's, where V is more reliable than words. */
export const FOREIGN_SENTENCE = 0.4;

/** Returns the weights where chunks have `words` words on average. */
export function recipe(words: number): LegWeights {
  const long = Math.min(1, Math.max(0, (words - SHORT_WORDS) / (LONG_WORDS - SHORT_WORDS)));
  const legs = Object.keys(LONG) as LegName[];
  return Object.fromEntries(legs.map((leg) => [leg, long * LONG[leg]! + (1 - long) * (SHORT[leg] ?? 0)]));
}

/** Finds the best chunks by BM25 of the question. */
export function byOwnWords(
  { terms, request: { segments, searcher = segments, trace } }: PreparedQuery,
  wanted: SegmentsOptions,
): Promise<readonly FoundChunk[]> {
  return tracedLeg(trace, "keyword", { method: "bm25" }, () => searcher.byTerms(terms, wanted));
}

/** Finds the best chunks by BM25 of the translation; none without one. */
export async function byTranslation(
  { translated, vector, request: { segments, trace } }: PreparedQuery,
  wanted: SegmentsOptions,
): Promise<readonly FoundChunk[]> {
  if (translated === undefined) return [];
  const facts = { method: "bm25", provider: vector.model };
  return await tracedLeg(trace, "translation", facts, () => segments.byGroups(translated.groups, wanted));
}

/** Finds the `limit` chunks whose vectors are nearest to the question's, best first. */
export function nearestChunks(
  { vector, request: { segments, searcher = segments, trace } }: PreparedQuery,
  wanted: SegmentsOptions,
): Promise<readonly FoundChunk[]> {
  const facts = { method: "cosine", provider: vector.model };
  return tracedLeg(trace, "vector", facts, () => searcher.byVector(vector, wanted));
}

/** Finds candidates, best first, as a stage of a trace. */
export async function tracedLeg(
  trace: RankTrace | undefined,
  stage: Stage,
  facts: Facts,
  find: () => Promise<readonly FoundChunk[]>,
): Promise<readonly FoundChunk[]> {
  if (trace === undefined) return await find();
  const span = trace.span.child(stage, facts);
  try {
    const found = await find();
    span.add({ counts: { found: found.length } });
    trace.list(span, found);
    span.end();
    return found;
  } catch (error) {
    span.end(error);
    throw error;
  }
}
