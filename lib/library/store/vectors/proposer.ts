/**
 * The seam to a place that finds the nearest of many vectors without comparing all of them, such as an HNSW index.
 *
 * A place proposes; it does not score. The program computes the cosines of what is proposed from the int8 numbers, as its own scan
 * does, so a chunk that is proposed has the same score as without the place. Vectors lie there by the content hash of their text, so
 * several chunks with one text have one vector, and numbers of chunks play no part.
 *
 * The store of the collection keeps every vector itself. A place that is down, or that lacks vectors, costs time and no hits.
 * @module
 */
import { HASH_BYTES } from "#engine/index/mod.ts";
import type { VectorModel } from "../store.ts";

/** Vectors as int8 numbers, which a scale turns into those of a vector of length 1. */
export interface VectorRows {
  /** Content hashes of {@linkcode HASH_BYTES} bytes. */
  readonly hashes: readonly Uint8Array[];
  /** As many numbers as the model has dimensions for each hash. */
  readonly numbers: Int8Array;
  readonly scales: Float32Array;
}

/** Options of {@linkcode VectorProposer.nearest}. */
export interface NearestOptions {
  /** Most vectors. */
  readonly limit: number;
  /** Content hashes, up to {@linkcode MOST_AMONG}: only their vectors are compared, each of them. Default: all, approximately. */
  readonly among?: readonly Uint8Array[] | undefined;
  /** The same by the numbers of {@linkcode VectorProposer.numbersOf}, of which some may be repeated. */
  readonly amongNumbers?: Float64Array | undefined;
}

/** The vectors of one model of a collection. Its methods throw `UserError` `vectors_unavailable` or `vectors_refused`. */
export interface VectorProposer {
  readonly model: VectorModel;
  /** Chunks up to which the store's own exact scan is preferred. */
  readonly exactUpTo: number;
  /** Proposes the vectors that have the greatest cosines with a vector of length 1, the greatest first. */
  nearest(query: Float32Array, options: NearestOptions): Promise<VectorRows>;
  /** Returns the vectors of content hashes, in any order, without those that are missing. */
  rowsOf(hashes: readonly Uint8Array[]): Promise<VectorRows>;
  /** Returns for each content hash whether it has a vector. */
  has(hashes: readonly Uint8Array[]): Promise<boolean[]>;
  /**
   * Returns for each content hash the number of its vector, -1 for one without. Only for a place that finds vectors faster by number than
   * by hash: {@linkcode nearest} is given the numbers then.
   */
  numbersOf?(hashes: readonly Uint8Array[]): Promise<Float64Array>;
  /** Is called before vectors are added. Default: does nothing. */
  prepare?(): Promise<void>;
  /** Is called after vectors were added and removed. Default: does nothing. */
  finish?(): Promise<void>;
  /** Adds vectors, in the place of those that are there. */
  add(rows: VectorRows): Promise<void>;
  /** Removes every vector whose content hash `keeps` does not accept. */
  keepOnly(keeps: (hash: Uint8Array) => boolean): Promise<void>;
}

/** Most content hashes that {@linkcode NearestOptions.among} may have. */
export const MOST_AMONG = 50_000;

/** Content hashes that are asked for at once. */
export const PIECE = 1 << 13;

/** Returns content hashes as bytes, one after the other. */
export function joinedHashes(hashes: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(hashes.length * HASH_BYTES);
  for (const [i, hash] of hashes.entries()) bytes.set(hash.subarray(0, HASH_BYTES), i * HASH_BYTES);
  return bytes;
}

/** Returns a list in pieces of {@linkcode PIECE} entries. */
export function* piecesOf<T>(list: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < list.length; from += PIECE) yield list.slice(from, from + PIECE);
}
