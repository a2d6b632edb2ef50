import type { ChunkFilter, GroupQuery, OpenIndex, TermQuery } from "../store/mod.ts";

/** A chunk found in a collection. */
export interface FoundChunk {
  readonly index: OpenIndex;
  /** Number of the chunk in its index, and in the whole collection. */
  readonly chunk: number;
  readonly id: number;
  /** Number of its file in its index, and the full path of the file. */
  readonly file: number;
  readonly filePath: string;
  /** One of `LANGUAGE_CODES`. */
  readonly language: number;
  /** BM25, a cosine, or the score of the ranking. */
  readonly score: number;
  /** Share of the query's idf that the terms in the chunk have, from 0 to 1. */
  readonly coverage: number;
}

/** Returns the filter that holds for the chunks of an index; `undefined` if all may be found. */
export type Filter = (index: OpenIndex) => ChunkFilter | undefined;

/** Returns the full path of a file of an index by its relative path. */
export type PathOf = (index: OpenIndex, relative: string) => string;

/** Files of some indexes, by number. */
export type FilesOfIndexes = ReadonlyMap<OpenIndex, ReadonlySet<number>>;

/** Conditions of a search for candidates; see `Wanted` in `lib/store`. */
export interface CollectionWanted {
  readonly limit: number;
  readonly filter?: Filter | undefined;
  readonly exceptFiles?: FilesOfIndexes | undefined;
}

/** The terms of a query, weighted by a {@linkcode Collection}. */
export interface CollectionTerms {
  /** For each index, the terms that it contains. */
  readonly queries: readonly TermQuery[];
  /** Σ weight · idf over all terms of the query, also those in no index. */
  readonly total: number;
}

/** Term groups, weighted by a {@linkcode Collection}. */
export interface CollectionGroups {
  readonly query: GroupQuery;
  /** Σ idf of the groups: a coverage of 1. */
  readonly total: number;
}

/** Scores of given chunks, in their order; see {@linkcode FoundChunk}. */
export interface CollectionScores {
  readonly scores: Float64Array;
  readonly coverage: Float64Array;
}
