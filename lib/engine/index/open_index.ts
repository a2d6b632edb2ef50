/**
 * The interface of an open index.
 */
import type { UserError } from "#foundation/errors.ts";
import type { ChunkTest, Expression } from "./expression.ts";
import type { MarksOf } from "./field_table.ts";
import type { Generated } from "./generated.ts";
import type { IndexMeta, StoredChunk, StoredFile } from "./types.ts";
import type { VectorMeta } from "./vectors/vector_index.ts";

/** Chunks and tokens of one language in an index. */
export interface LanguageStatistics {
  /** One of `LANGUAGE_CODES`. */
  readonly language: number;
  readonly chunks: number;
  readonly tokens: number;
}

/** Sizes of an index. */
export interface IndexStatistics {
  readonly chunks: number;
  /** Distinct terms. May count terms of which the last chunk is gone, and those of several databases in each of them. */
  readonly terms: number;
  /** Sum of the token counts of all chunks. */
  readonly tokens: number;
  /** One entry for each language that occurs, ordered by language code. */
  readonly languages: readonly LanguageStatistics[];
  /** Bytes of all chunk texts in UTF-8, where overlaps count once. */
  readonly textBytes: number;
  /** Bytes that the index takes on the disk. */
  readonly bytes: number;
}

/** Terms to search one index for. Passing the same object again is faster. */
export interface TermQuery {
  /**
   * Distinct terms. `weight` is the term's weight in the query times its idf in all indexes searched, `covers` the part of the query that
   * a chunk with the term covers. Default: the weight.
   */
  readonly terms: readonly { readonly term: string; readonly weight: number; readonly covers?: number }[];
  /** Mean tokens of a chunk over all indexes searched. */
  readonly averageTokens: number;
}

/** One way to express a {@linkcode TermGroup}. */
export interface TermGroupMember {
  /** A chunk must hold all of them, and its term frequency for the member is the least of theirs. Not empty. */
  readonly terms: readonly string[];
  /** How much an occurrence counts: 0 to 1. */
  readonly score: number;
}

/**
 * Several ways to say the same thing (translations of one word), which count as one term: its frequency in a chunk is the
 * sum of score times term frequency over the members. Passing the same object again is faster.
 */
export interface TermGroup {
  readonly members: readonly TermGroupMember[];
}

/** Term groups to search one index for. Only chunks of one language match. Passing the same object again is faster. */
export interface GroupQuery {
  /** `weight` is the idf of the group in all indexes searched. */
  readonly groups: readonly { readonly group: TermGroup; readonly weight: number }[];
  /** One of `LANGUAGE_CODES`. */
  readonly language: number;
  /** Mean tokens of a chunk over all indexes searched. */
  readonly averageTokens: number;
}

/** A vector to compare chunks with. */
export interface VectorQuery {
  /** Of length 1. */
  readonly vector: Float32Array;
  /** Only vectors of this model are compared. `undefined` compares any vectors with as many dimensions. */
  readonly model: string | undefined;
}

/** A vector as an index stores it: whole numbers, which the scale turns into those of a vector of length 1. */
export interface StoredVector {
  readonly numbers: Int8Array;
  readonly scale: number;
}

/** Which chunks may be found. All conditions must hold. Passing the same object again is faster. */
export interface ChunkFilter {
  /** For each file of the index a 1 if its chunks may be found. Default: all files. */
  readonly files?: Uint8Array;
  /** Languages (`LANGUAGE_CODES`) that a chunk may have. Default: all. */
  readonly languages?: ReadonlySet<number>;
  /** A chunk must hold each phrase word for word, in its text, a heading above it or the name of its file. */
  readonly phrases: readonly string[];
  /** A chunk must hold none of these words in any form of the same stem. */
  readonly excluded: readonly string[];
  /** A chunk must hold none of these phrases word for word. */
  readonly excludedPhrases: readonly string[];
  /** A condition that a chunk must meet. */
  readonly expression?: Expression<ChunkTest> | undefined;
}

/** Conditions of a search for candidates. */
export interface SearchOptions {
  /** Maximum number of chunks. */
  readonly limit: number;
  readonly filter?: ChunkFilter | undefined;
  /** Numbers of files whose chunks are left out even if they pass the filter. */
  readonly exceptFiles?: ReadonlySet<number> | undefined;
}

/** A chunk found by one leg. */
export interface ScoredChunk {
  readonly chunk: number;
  /** Number of its file. */
  readonly file: number;
  /** One of `LANGUAGE_CODES`. */
  readonly language: number;
  /** BM25, or the cosine of the vectors. */
  readonly score: number;
  /** Sum of the weights of the terms or groups that the chunk contains; 0 in a search by vector. */
  readonly covered: number;
}

/** The scores of given chunks, in their order; see {@linkcode ScoredChunk}. */
export interface ChunkScores {
  readonly scores: Float64Array;
  readonly covered: Float64Array;
}

/** The facts that distinguish a chunk from the other chunks of its file. */
export interface ChunkIdentity {
  /** First 16 bytes of the SHA-256 of its text. */
  readonly contentHash: Uint8Array;
  /** Number of earlier chunks of the file with the same text in the same section. */
  readonly earlierCopies: number;
}

/** An index that is open for reading. It shows one state of the index even if that is replaced meanwhile. */
export interface OpenIndex extends Disposable {
  readonly meta: IndexMeta;
  readonly files: readonly StoredFile[];
  readonly statistics: IndexStatistics;
  /** Absent if the index was made without vectors. */
  readonly vectors: VectorMeta | undefined;
  /** Whether a chunk may have generated texts. Their terms are {@linkcode generatedTerm}s. */
  readonly hasGenerated: boolean;
  /** Damage found since it was opened, in English. */
  readonly damage: string | undefined;
  /** Why another place could not propose the nearest vectors, so that the index compared its own. */
  readonly vectorProblem?: UserError | undefined;
  /** Whether so much has changed since the index was written as a whole that it should be written so again soon. */
  readonly isFragmented?: boolean;

  /** Returns a mark for each file: those that `marksOf` gives for the files of tables of their metadata. */
  fileMarks(marksOf: MarksOf): Uint8Array;
  /** Returns the number of chunks that contain each term. */
  documentFrequencies(terms: readonly string[]): Promise<ArrayLike<number>>;
  /**
   * Returns the terms of texts with `least` to `most` UTF-16 units. The list may have a term twice, and terms of which the last chunk
   * is gone. It may only be read until the next call of any method.
   */
  termsOfLength(least: number, most: number): Promise<Iterable<string>>;
  /** Returns terms of words that begin with a prefix in lower case. The list may have terms of which the last chunk is gone. */
  termsWithPrefix(prefix: string): Promise<readonly string[]>;
  /** Returns the number of chunks of a language that contain any member of each group. */
  groupFrequencies(groups: readonly TermGroup[], language: number): Promise<ArrayLike<number>>;

  /** Returns the best chunks by BM25 with a score above 0, best first. Ties are sorted by number. */
  byTerms(query: TermQuery, wanted: SearchOptions): Promise<readonly ScoredChunk[]>;
  /** Like {@linkcode byTerms}, but each group counts as one term, and all chunks that tie with the last one are included. */
  byGroups(query: GroupQuery, wanted: SearchOptions): Promise<readonly ScoredChunk[]>;
  /**
   * Returns the chunks with the greatest cosines above 0, best first. Ties are sorted by number. Empty if no vector is
   * comparable.
   */
  byVector(query: VectorQuery, wanted: SearchOptions): Promise<readonly ScoredChunk[]>;
  /**
   * Returns the chunks with the greatest scores above 0, best first. Ties are sorted by number. `scores` has a number for
   * each chunk, such as a cosine that was computed elsewhere.
   */
  byScores(scores: Float64Array, wanted: SearchOptions): Promise<readonly ScoredChunk[]>;
  /** Returns whether any chunk passes a filter. */
  passesAny(filter: ChunkFilter): Promise<boolean>;

  /** BM25 of given chunks. */
  scoreTerms(query: TermQuery, chunks: Int32Array): Promise<ChunkScores>;
  /** BM25 of given chunks, where each group counts as a term. */
  scoreGroups(query: GroupQuery, chunks: Int32Array): Promise<ChunkScores>;
  /** Cosines of given chunks; 0 for a chunk without a comparable vector. */
  cosines(query: VectorQuery, chunks: Int32Array): Promise<Float64Array>;

  /** The vectors of given chunks. Only for an index that has vectors. */
  storedVectors(chunks: Int32Array): Promise<readonly StoredVector[]>;
  /** The chunks without their texts. */
  chunks(chunks: Int32Array): Promise<readonly StoredChunk[]>;
  /**
   * The texts of chunks. A text of more than `maxBytes` bytes in UTF-8 is cut after the last whole character within them.
   */
  texts(chunks: Int32Array, maxBytes: number): Promise<readonly string[]>;
  /**
   * The bytes that the embedding stored for each chunk beside its vector. An empty array if it stored no bytes, and
   * `undefined` if the index has no such bytes for any chunk.
   */
  words(chunks: Int32Array): Promise<readonly (Uint8Array | undefined)[]>;
  /** The generated texts of given chunks. */
  generated(chunks: Int32Array): Promise<readonly (Generated | undefined)[]>;
  identities(chunks: Int32Array): Promise<readonly ChunkIdentity[]>;
  /** The content hashes of given chunks; see {@linkcode ChunkIdentity}. */
  contentHashes(chunks: Int32Array): Promise<readonly Uint8Array[]>;
  /** The languages of given chunks, as `LANGUAGE_CODES`. */
  languages(chunks: Int32Array): Promise<readonly number[]>;

  /**
   * Returns this index, which is taken over, without the chunks of some files: files and chunks keep their numbers, but these are not found
   * or counted. `files`: in ascending order; those that are left out already are among them.
   */
  without?(files: readonly number[]): OpenIndex;
  /**
   * Returns this index for one search: its methods throw the reason of a signal as soon as that comes. It needs no closing. Absent where
   * no method waits long.
   */
  withSignal?(signal: AbortSignal): OpenIndex;
  /** Reads and checks everything that is stored. */
  verify(): Promise<void>;
  close(): void;
}
