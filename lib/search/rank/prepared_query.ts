import { inverseDocumentFrequency } from "../../index/mod.ts";
import type { VectorQuery } from "../../store/mod.ts";
import type { CollectionTerms } from "../collection_types.ts";
import type { Collection } from "../collection.ts";
import { type LegWeights, recipe } from "./leg_weights.ts";
import { type QueryWord, queryWords, totalIdf } from "./query_words.ts";
import { translate, type Translated } from "./translation.ts";
import { LEG_NAMES, type LegName, type RankRequest } from "./types.ts";

const ALL_LEGS: ReadonlySet<LegName> = new Set(LEG_NAMES);

/** The data of a question that does not depend on single chunks. It is computed once. */
export interface PreparedQuery {
  readonly request: RankRequest;
  /** Legs that are computed, even if they do not count for the score. */
  readonly legs: ReadonlySet<LegName>;
  /** The greatest share of the score that each leg can give; absent for a leg that does not count. */
  readonly weights: LegWeights;
  readonly terms: CollectionTerms;
  /** Absent if no vectors are compared. */
  readonly vector: VectorQuery | undefined;
  /** The words of the question; empty without the built-in table. */
  readonly words: readonly QueryWord[];
  readonly translated: Translated | undefined;
  /** Makes BM25 in a text of the other script comparable with BM25 in a text of the question's own script. */
  readonly foreignFactor: number;
  /** The spread of the vector's cosines; only with vectors of an outside model. */
  readonly spread: VectorSpread | undefined;
}

/** Prepares a question for ranking. */
export async function prepareQuery(request: RankRequest): Promise<PreparedQuery> {
  const { collection, terms, text, mode, meaning, model } = request;
  const wanted = request.legs ?? ALL_LEGS;
  // The setting `legs` is for hybrid rankings. A semantic ranking always compares vectors.
  const legs = mode === "semantic" ? new Set<LegName>([...wanted, "vector"]) : wanted;
  const numbers = mode === "keyword"
    ? undefined
    : request.queryVector ?? meaning?.analyzer.analyze(text).vector;
  const vector = numbers && { vector: numbers, model };
  const lookedUp = await collection.lookUp(terms, request.noDemand);
  const means = mode !== "keyword" && meaning !== undefined;
  const words = means ? await queryWords(text, terms, collection, meaning) : [];
  const translated = means && legs.has("translation")
    ? await translate(text, terms, words, collection, meaning)
    : undefined;
  const isOutside = meaning === undefined && legs.has("vector");
  return {
    request,
    legs,
    weights: weightsOf(request, legs),
    terms: lookedUp,
    vector,
    words,
    translated,
    foreignFactor: translated === undefined
      ? 1
      : factorOf(lookedUp.total, translated, totalIdf(words), collection),
    spread: vector !== undefined && isOutside ? await spreadOf(vector, collection) : undefined,
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
function factorOf(total: number, { frequencies }: Translated, idf: number, { size }: Collection): number {
  const translated = Math.max(
    idf,
    frequencies.reduce((sum, df) => sum + inverseDocumentFrequency(size, df), 0),
  );
  return Math.min(MOST_LIFT, Math.max(1, total / translated));
}

function weightsOf(request: RankRequest, legs: ReadonlySet<LegName>): LegWeights {
  const { mode, fusion, alpha, meaning, collection, neural = [] } = request;
  if (mode === "keyword") return { keyword: 1 };
  const ofModels: LegWeights = neural.length > 0 && legs.has("neural") ? { neural: alpha } : {};
  if (mode === "semantic") return { vector: 1, ...ofModels };
  const weights: LegWeights = {
    ...(fusion === "rrf" || meaning === undefined
      ? { keyword: 1 - alpha, vector: alpha }
      : recipe(collection.averageWords)),
    ...ofModels,
  };
  return Object.fromEntries(
    Object.entries(weights).filter(([leg, weight]) => weight > 0 && legs.has(leg as LegName)),
  );
}

/** Chunks in the sample: enough to know mean and deviation to a few hundredths. */
const SAMPLE = 1000;

/** Mean and standard deviation of the cosines of a question's vector. */
interface VectorSpread {
  readonly mean: number;
  readonly deviation: number;
}

/**
 * Returns the spread of a vector's cosines with comparable vectors, from an even sample; 0 if there are no comparable
 * vectors.
 */
async function spreadOf(vector: VectorQuery, collection: Collection): Promise<VectorSpread> {
  const step = Math.max(1, Math.floor(collection.size / SAMPLE));
  const cosines = await collection.sampleCosines(vector, step);
  if (cosines.length === 0) return { mean: 0, deviation: 0 };
  let sum = 0, squares = 0;
  for (const cosine of cosines) {
    sum += cosine;
    squares += cosine * cosine;
  }
  const mean = sum / cosines.length;
  return { mean, deviation: Math.sqrt(Math.max(0, squares / cosines.length - mean * mean)) };
}
