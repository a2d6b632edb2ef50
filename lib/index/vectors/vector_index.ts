import { TopScores } from "../postings/top.ts";
import { VectorScanner } from "./scanner.ts";

/** Description of the vectors of an index. */
export interface VectorMeta {
  /** Name of provider, model and version. Vectors of different models must not be compared. */
  readonly model: string;
  readonly dimensions: number;
  /** Whether the numbers are also stored as float32, to score the best again. */
  readonly exact: boolean;
}

/** A chunk and the cosine of its vector with the query's. */
export interface VectorScore {
  readonly chunk: number;
  readonly score: number;
}

/** Access to the vectors of an open index. */
export interface VectorSource {
  /** Fills the int8 rows and their scales. */
  load(rows: Int8Array<ArrayBuffer>, scales: Float32Array<ArrayBuffer>): void;
  /** The float32 vector of a chunk. */
  exact(chunk: number): Float32Array;
}

/**
 * This many times the requested number of chunks are scored again with their exact vectors. Rounding to int8 changes only
 * the order of neighbours.
 */
const RESCORED = 4;

/**
 * The vectors of an index, one per chunk. A search scans every row, without an approximate index. The first search loads
 * them; in memory they are int8.
 */
export class VectorIndex {
  readonly #source: VectorSource;
  #scanner: VectorScanner | undefined;

  constructor(readonly meta: VectorMeta, readonly count: number, source: VectorSource) {
    this.#source = source;
  }

  /**
   * Returns the `limit` chunks nearest to `query` (length 1) with a cosine above 0, best first. Ties are sorted by number.
   * `allowed`: a 1 for each chunk that may be found.
   */
  search(query: Float32Array, limit: number, allowed?: Uint8Array): VectorScore[] {
    const { exact } = this.meta;
    const nearest = best(this.#loaded().products(query), exact ? limit * RESCORED : limit, allowed);
    const scored = exact
      ? nearest.map(({ chunk }) => ({ chunk, score: dot(query, this.#source.exact(chunk)) }))
      : nearest;
    return scored.sort((a, b) => b.score - a.score || a.chunk - b.chunk).slice(0, limit);
  }

  /** Returns the row of a chunk and its scale, as stored. */
  row(chunk: number): { row: Int8Array; scale: number } {
    const { rows, scales } = this.#loaded();
    const stride = rows.length / this.count;
    return { row: rows.subarray(chunk * stride, (chunk + 1) * stride), scale: scales[chunk]! };
  }

  /** Cosine of `query` (length 1) with the vector of a chunk, as accurate as the vectors are stored. */
  cosine(query: Float32Array, chunk: number): number {
    return this.meta.exact ? dot(query, this.exact(chunk)) : this.roughCosine(query, chunk);
  }

  /** Cosine of `query` (length 1) with the vector of a chunk, from the int8 numbers in memory. */
  roughCosine(query: Float32Array, chunk: number): number {
    const { row, scale } = this.row(chunk);
    return scale * dot(query, row);
  }

  /** Returns the float32 vector of a chunk, if the index has such vectors. */
  exact(chunk: number): Float32Array {
    return this.#source.exact(chunk);
  }

  #loaded(): VectorScanner {
    if (this.#scanner === undefined) {
      const scanner = new VectorScanner(this.count, this.meta.dimensions);
      this.#source.load(scanner.rows, scanner.scales);
      this.#scanner = scanner;
    }
    return this.#scanner;
  }
}

/** Keeps a product whose rounded cosine may be the threshold. */
const SLACK = 1 - 1e-6;

function best(
  { products, scale }: ReturnType<VectorScanner["products"]>,
  limit: number,
  allowed: Uint8Array | undefined,
): VectorScore[] {
  const top = new TopScores(limit);
  const found: VectorScore[] = [];
  let threshold = 0, least = 0;
  for (let chunk = 0; chunk < products.length; chunk++) {
    // Nearly all rows end here, so only a few are scaled.
    if (products[chunk]! <= least || allowed !== undefined && allowed[chunk] === 0) continue;
    const score = Math.fround(products[chunk]! * scale);
    if (score <= threshold) continue;
    found.push({ chunk, score });
    threshold = top.offer(score);
    least = threshold / scale * SLACK;
  }
  return found.sort((a, b) => b.score - a.score || a.chunk - b.chunk).slice(0, limit);
}

/** Returns Σ a · b. `b` may be longer than `a`. */
function dot(a: Float32Array, b: Float32Array | Int8Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
