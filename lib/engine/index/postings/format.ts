/**
 * Postings as stored: blocks, limits, and the parts of BM25 that are known at indexing.
 */
import type { Numbers } from "../blob/pages.ts";

/**
 * The layout of posting lists. A list is sparse or dense.
 *
 * ```
 * sparse   block 0 (128 postings)     block 1 (128 postings)     last block
 *          ┌───────┬───────┬─────┬───┬───────┬───────┬─────┬───┬───────┬─────┐
 *          │ gap,tf│ gap,tf│ ... │   │ gap,tf│ gap,tf│ ... │   │ gap,tf│ ... │
 *          └───────┴───────┴─────┴───┴───────┴───────┴─────┴───┴───────┴─────┘
 *                                    ▲                         ▲             ▲
 * skips     (last chunk, end) ───────┘  (last chunk, end) ─────┘  (..., end)─┘
 *
 * dense    one byte for each chunk of the index: its tf
 * ```
 *
 * - *Sparse*: a posting is the variable-length number `gap << 1 | (tf = 1)`, followed by tf as another one unless it is 1.
 *   `gap` counts from the chunk before, and from -1 at the start of the list. The skip table holds the last chunk of each
 *   block of {@linkcode BLOCK} postings and the offset of its end within the list, so that a single chunk is reached by a
 *   binary search and the decoding of one block.
 * - *Dense*, where at least half of all chunks hold the term: smaller than gaps, and read without decoding.
 */
export const BLOCK = 128;
/** `skip` of a dense list. */
export const DENSE = 0xffffffff;
/** The greatest tf a dense list can hold. */
export const MAX_DENSE_TF = 0xff;

/** All posting lists of an index. `T` terms, `N` chunks. */
export interface Postings {
  /** Bytes `from` to `to` (exclusive) of the lists, which lie one after the other. */
  bytes(from: number, to: number): Uint8Array;
  /** N. */
  readonly chunks: number;
  /** T + 1 offsets into the lists. */
  readonly offsets: Numbers;
  /** T document frequencies: the number of chunks that contain the term. */
  readonly documentFrequency: Numbers;
  /** T upper bounds of tf / (tf + k1 (1 - b + b length / average)), see {@linkcode import("./bm25.ts")}. */
  readonly maxFrequencyPart: Numbers;
  /** T positions of a list's first pair among the skips, or DENSE. */
  readonly skipStart: Numbers;
  /** Numbers `from` to `to` of the skips: pairs (last chunk, end offset within the list), one for each block. */
  skips(from: number, to: number): Uint32Array;
  /** Present if bytes may have to be fetched: reads at once what is needed of a term's list. Without `isWhole` only the numbers above. */
  expect?(term: number, isWhole: boolean): void;
  /** Makes the error for a malformed list. */
  damaged(problem: string): Error;
}

/** Thrown if an index becomes too large: its lists exceed 4 GiB, or the new ones in memory, which are less dense, 8 GiB. */
export class IndexTooLargeError extends Error {
  override readonly name = "IndexTooLargeError";
}

/** Offsets have 32 bits, so the lists of one index must be shorter than this many bytes. */
export const MAX_POSTINGS_BYTES = 0xffff_ffff;

/** BM25's saturation of the term frequency. */
export const K1 = 1.2;
/** BM25's weight of the length. */
const B = 0.75;

/**
 * The part of BM25 that depends on the chunk: tf / (tf + k1 (1 - b + b length / average)); 0 to 1. A term's score
 * in a chunk is idf (k1 + 1) times it.
 *
 * Robertson, Zaragoza: The Probabilistic Relevance Framework: BM25 and Beyond (2009), 3.5.
 */
export function frequencyPart(tf: number, length: number, average: number): number {
  return tf / (tf + lengthNorm(length, average));
}

/** k1 (1 - b + b length / average): the penalty for a long chunk. */
export function lengthNorm(length: number, average: number): number {
  return K1 * (1 - B + B * (average > 0 ? length / average : 0));
}

/** idf = ln(1 + (N - df + 0.5) / (df + 0.5)), above 0 for every df up to N. */
export function inverseDocumentFrequency(documents: number, documentFrequency: number): number {
  return Math.log(1 + (documents - documentFrequency + 0.5) / (documentFrequency + 0.5));
}

/**
 * k1 (1 - b + b length / average) of each chunk: `values[codes[chunk]]`. Chunks of the same length share a value, so that
 * the norms of a million chunks are 2 MB, which stay in a core's cache, and a new average changes few numbers.
 */
export interface Norms {
  readonly codes: Uint16Array | Uint32Array;
  readonly values: Float64Array;
}

/** The lengths of all chunks of an index, each length once. */
export class ChunkLengths {
  readonly #codes: Norms["codes"];
  readonly #distinct: readonly number[];

  /** `lengths`: tokens of each chunk. */
  constructor(lengths: Uint32Array) {
    const codeOf = new Map<number, number>();
    for (let i = 0; i < lengths.length; i++) {
      if (!codeOf.has(lengths[i]!)) codeOf.set(lengths[i]!, codeOf.size);
    }
    const codes = codeOf.size <= 1 << 16 ? new Uint16Array(lengths.length) : new Uint32Array(lengths.length);
    for (let i = 0; i < lengths.length; i++) codes[i] = codeOf.get(lengths[i]!)!;
    this.#codes = codes;
    this.#distinct = [...codeOf.keys()];
  }

  /** Returns the norms for a mean length. */
  norms(average: number): Norms {
    return {
      codes: this.#codes,
      values: Float64Array.from(this.#distinct, (length) => lengthNorm(length, average)),
    };
  }
}
