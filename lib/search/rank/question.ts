import {
  type Collection,
  type GroupScores,
  inverseDocumentFrequency,
  type QueryLists,
  type TermGroup,
} from "../../index/mod.ts";
import { type LegWeights, recipe } from "./leg_weights.ts";
import { type QueryWord, queryWords } from "./query_words.ts";
import { translate, type Translated } from "./translation.ts";
import { LEG_NAMES, type LegName, type RankRequest } from "./types.ts";
import { spreadOf, type VectorSpread } from "./vector_spread.ts";

const ALL_LEGS: ReadonlySet<LegName> = new Set(LEG_NAMES);

/** What of a question does not depend on the chunks that are looked at: worked out once. */
export class Question {
  /** Legs that take part, even where they don't count for the score. */
  readonly legs: ReadonlySet<LegName>;
  /** What each leg counts at most. */
  readonly weights: LegWeights;
  /** Its terms in the collection. */
  readonly lists: QueryLists;
  /** Its vector, if there is any. */
  readonly vector: Float32Array | undefined;
  /** Its words, where the built-in table knows words. */
  readonly words: readonly QueryWord[];
  readonly translated: Translated | undefined;
  /** What the translated question gives every chunk, reader by reader. */
  readonly groups: readonly GroupScores[] | undefined;
  /** What makes BM25 in a text of the other script comparable with that in one of the question's own. */
  readonly foreignFactor: number;
  #spread: VectorSpread | undefined;

  constructor(readonly request: RankRequest) {
    const { collection, terms, text, mode, meaning } = request;
    const legs = request.legs ?? ALL_LEGS;
    // legs are what a hybrid ranking stands on: a semantic one stands on vectors whatever they are
    this.legs = mode === "semantic" ? new Set([...legs, "vector"]) : legs;
    this.weights = weightsOf(request, this.legs);
    this.lists = collection.lookUp(terms);
    const means = mode !== "keyword" && meaning !== undefined;
    this.vector = mode === "keyword"
      ? undefined
      : request.queryVector ?? meaning?.analyzer.analyze(text).vector;
    this.words = means ? queryWords(text, terms, collection, meaning) : [];
    this.translated = means && this.legs.has("translation")
      ? translate(text, terms, this.words, collection, meaning)
      : undefined;
    const idf = this.words.reduce((sum, word) => sum + word.idf, 0);
    this.groups = this.translated && collection.scoreGroups(this.translated.groups, idf);
    this.foreignFactor = this.translated === undefined
      ? 1
      : factorOf(this.lists.total, this.translated.groups, idf, collection);
  }

  /** How the cosines of its vector with those of the collection are spread; nothing where it has no vector. */
  get spread(): VectorSpread | undefined {
    const { vector, request: { collection, model } } = this;
    return this.#spread ??= vector && spreadOf(vector, model, collection);
  }

  /** Whether a leg adds to the score. */
  counts(leg: LegName): boolean {
    return (this.weights[leg] ?? 0) > 0;
  }
}

/** Most that a text of the other script is lifted by. */
const MOST_LIFT = 4;

/**
 * A Chinese question of eight characters has fifteen terms, its translation three words: a text with a few of its characters
 * would have a higher BM25 than one that says all of it in English. The idf of all that either asks for makes up for it.
 */
function factorOf(total: number, groups: readonly TermGroup[], idf: number, { size }: Collection): number {
  const translated = Math.max(
    idf,
    groups.reduce((sum, { documentFrequency }) => sum + inverseDocumentFrequency(size, documentFrequency), 0),
  );
  return Math.min(MOST_LIFT, Math.max(1, total / translated));
}

function weightsOf(request: RankRequest, legs: ReadonlySet<LegName>): LegWeights {
  const { mode, fusion, alpha, meaning, collection } = request;
  if (mode === "keyword") return { keyword: 1 };
  if (mode === "semantic") return { vector: 1 };
  const weights: LegWeights = fusion === "rrf" || meaning === undefined
    ? { keyword: 1 - alpha, vector: alpha }
    : recipe(collection.averageWords);
  return Object.fromEntries(
    Object.entries(weights).filter(([leg, weight]) => weight > 0 && legs.has(leg as LegName)),
  );
}
