/**
 * One question to a ranking, and what the ranking says of each chunk: legs, evidence, signs and chance.
 */
import { LEGS } from "#foundation/constants.ts";
import type { Span } from "#foundation/span.ts";
import type { OpenIndex, QueryTerm } from "#engine/index/mod.ts";
import type { FoundChunk, Segments, SegmentsOptions } from "#engine/segments.ts";
import type { Meaning } from "./meaning.ts";

/** The legs of a search. Without vectors, `hybrid` uses only keywords. */
export type SearchMode = "hybrid" | "keyword" | "semantic";

/** The legs of a ranking; `legs.ts` computes most of them. */
export const LEG_NAMES = ["keyword", ...LEGS] as const;

/** One of {@linkcode LEG_NAMES}. */
export type LegName = typeof LEG_NAMES[number];

/** Traces a ranking. */
export interface RankTrace {
  /** The stage that those of the ranking are in. */
  readonly span: Span;
  /** Notes the candidates of a stage, best first. They are named after the search. */
  list(stage: Span, candidates: readonly FoundChunk[]): void;
}

/** Finds the best chunks by terms and by vector. */
export type Searcher = Pick<Segments, "byTerms" | "byVector">;

/** The cosines of a question with all chunks by one local model. */
export interface NeuralScores {
  /**
   * Returns the cosine of each chunk of an index, 0 for a chunk without a vector; `undefined` if the index has no vectors.
   */
  readonly cosinesOf: (index: OpenIndex) => Float64Array | undefined;
  /**
   * Fills in cosines of candidates without a vector, as far as there is time; they are given best first. Default: does
   * nothing.
   */
  readonly complete?: (candidates: readonly FoundChunk[]) => Promise<void>;
  /** Mean and standard deviation of the cosines that are not 0. */
  readonly mean: number;
  readonly deviation: number;
  /** Id of the model, for traces. */
  readonly model?: string;
}

/** One question to some indexes. */
export interface RankRequest {
  readonly segments: Segments;
  /** Finds the candidates. Default: the segments themselves. */
  readonly searcher?: Searcher;
  /** The terms of the question; stop words have next to no weight. */
  readonly terms: readonly QueryTerm[];
  /** Terms that a chunk need not have to cover the question. Default: none. */
  readonly noDemand?: ReadonlySet<string>;
  /** The question in plain words. */
  readonly text: string;
  readonly mode: SearchMode;
  readonly fusion: "weighted" | "rrf";
  /** Share of the vectors of neural models, and of the built-in vectors in `rrf`, from 0 to 1. */
  readonly alpha: number;
  /** Legs of a hybrid ranking. Others cost no time. Default: all. */
  readonly legs?: ReadonlySet<LegName>;
  /** Candidates that the keyword and the vector leg propose at least. */
  readonly ftsTopn: number;
  readonly vecTopn: number;
  /** Id of the built-in table. Only vectors and words of this model are compared. Default: any with as many dimensions. */
  readonly model?: string;
  /** The cosines by the local models that the question was given to. Default: none. */
  readonly neural?: readonly NeuralScores[];
  /** The built-in table, if the vectors and words of the indexes are its own. Without it, keywords alone rank. */
  readonly meaning?: Meaning;
  /** Traces the stages. Default: they are not traced. */
  readonly trace?: RankTrace;
}

/** The part of a leg in the score of a chunk. */
export interface LegShare {
  /** Value of the leg's formula. */
  readonly raw: number;
  /** Added to the chunk's score. */
  readonly share: number;
  /** Rank of the chunk in the list of the keyword or the vector leg, counted from 1; absent if it is not in the list. */
  readonly rank?: number;
}

/** How much of the question a chunk holds: shares of the question's idf, from 0 to 1. */
export interface ChunkEvidence {
  /** By the words of the question itself. */
  readonly verbatim: number;
  /** By equal or similar words. */
  readonly alike?: number;
  /** Only for a chunk in another language: by equal words and sure translations that are close together. */
  readonly translated?: number;
  /**
   * Factor that the score was multiplied by, if it was not 1: for another language, or to put the question's own words
   * first.
   */
  readonly factor?: number;
}

/** Signs of how likely a chunk answers the question. All are about 0 to 1, except the outlier. */
export interface Signs {
  /** Share of the question's idf that its terms have. */
  readonly held: number;
  /** The most within a few words by equal and similar words (c²); in a text of the other language by equal words and sure translations. */
  readonly near?: number | undefined;
  /** Only in a text of the other language: by translations of any sureness. */
  readonly translated?: number | undefined;
  /** Only in a text of the other language: words of the question that are surely there, together; several count as two. */
  readonly sure?: number | undefined;
  /** Greatest cosine of a sentence. */
  readonly sentence?: number | undefined;
  /** Standard deviations of the vector of a neural model above the mean of all vectors, divided by ten. */
  readonly outlier?: number | undefined;
  /** The score less the greatest other one, as a part of the greatest. Absent if scores are not sums of evidence. */
  readonly lead?: number | undefined;
}

/** A logistic function of some signs. */
export interface Formula {
  /** Whether it is for texts of the other language. */
  readonly foreign: boolean;
  readonly constant: number;
  readonly weights: readonly (readonly [sign: keyof Signs, weight: number])[];
}

/** The part of a reranker in the place of a chunk. */
export interface ChunkRerank {
  /** Rank before, counted from 1. Absent for a chunk that the reranker did not judge. */
  readonly rankBefore?: number;
  /** Score before: the sum of the shares of the legs. */
  readonly scoreBefore: number;
}

/** The part of a document's date in the score of a chunk. */
export interface ChunkRecency {
  /** Milliseconds since 1970. */
  readonly date: number;
  /** Factor that the score was multiplied by. */
  readonly factor: number;
}

/** A chunk with its score and the parts of the score. Only scores of the same {@linkcode Ranking} are comparable. */
export interface RankedChunk extends FoundChunk {
  /** The legs that had a value for the chunk. */
  readonly legs: Readonly<Partial<Record<LegName, LegShare>>>;
  /** How likely it answers the question, from 0 to 1; 0 if it has nothing in common with it. */
  readonly chance: number;
  /** The signs that the chance was computed from. Absent if it is 0. */
  readonly signs?: Signs;
  /** Share of the question's idf that the words of its generated texts have, from 0 to 1. Absent without such texts. */
  readonly generated?: number;
  /** Absent in keyword mode. */
  readonly evidence?: ChunkEvidence;
  /** Absent unless a reranker has judged the best chunks. `score` is then its judgement, or below the lowest of them. */
  readonly rerank?: ChunkRerank;
  /** Absent unless newer documents come first. */
  readonly recency?: ChunkRecency;
}

/** Conditions of {@linkcode Ranking.best}. They must not pass chunks that an earlier call for the same question excluded. */
export interface RankWanted extends SegmentsOptions {
  /** Number of hits: the legs propose at least as many candidates, the keyword leg twice as many. Default: 0. */
  readonly hits?: number;
  /** Chunks that are ranked beside those that the legs propose, whether they pass the filter or not. Default: none. */
  readonly also?: readonly FoundChunk[];
}
