/**
 * Exact search among int8 vectors by a scan in WebAssembly.
 */
import { simdExports } from "#foundation/simd.ts";
import { TopScores } from "../postings/bm25.ts";
import { SCAN_MODULE } from "./scan_module.ts";

/** Description of the vectors of an index. */
export interface VectorMeta {
  /** Name of provider, model and version. Vectors of different models must not be compared. */
  readonly model: string;
  readonly dimensions: number;
}

/** A chunk and the cosine of its vector with the query's. */
interface VectorScore {
  readonly chunk: number;
  readonly score: number;
}

/** A row and its scale. */
interface ScaledRow {
  readonly row: Int8Array;
  readonly scale: number;
}

/** The vectors as they lie in an open index. */
export interface VectorSource {
  /** Throws `MissingBytes` if `fill` would. */
  expect(): void;
  /** Fills in the rows and their scales. */
  fill(rows: Int8Array<ArrayBuffer>, scales: Float32Array<ArrayBuffer>): void;
  /** Reads a single row. Absent if reading all of them is cheap. */
  row?(chunk: number): ScaledRow;
}

/**
 * The vectors of an index, one per chunk. A search scans every row, without an approximate index. The first search loads
 * them; in memory they are int8.
 */
export class VectorIndex {
  readonly meta: VectorMeta;
  readonly #count: number;
  readonly #source: VectorSource;
  #scanner: VectorScanner | undefined;

  constructor(meta: VectorMeta, count: number, source: VectorSource) {
    this.meta = meta;
    this.#count = count;
    this.#source = source;
  }

  /**
   * Returns the `limit` chunks nearest to `query` (length 1) with a cosine above 0, best first. Ties are sorted by number.
   * `allowed`: a 1 for each chunk that may be found.
   */
  search(query: Float32Array, limit: number, allowed?: Uint8Array): VectorScore[] {
    return best(this.#loaded(), query, limit, allowed);
  }

  /** Reads all vectors, if that was not done yet. */
  load(): void {
    this.#loaded();
  }

  /** Returns the row of a chunk and its scale, as stored. */
  row(chunk: number): ScaledRow {
    if (this.#scanner === undefined && this.#source.row !== undefined) return this.#source.row(chunk);
    const { rows, scales } = this.#loaded();
    const stride = rows.length / this.#count;
    return { row: rows.subarray(chunk * stride, (chunk + 1) * stride), scale: scales[chunk]! };
  }

  /** Cosine of `query` (length 1) with the vector of a chunk. */
  cosine(query: Float32Array, chunk: number): number {
    const { row, scale } = this.row(chunk);
    let sum = 0;
    for (let i = 0; i < query.length; i++) sum += query[i]! * row[i]!;
    return scale * sum;
  }

  #loaded(): VectorScanner {
    if (this.#scanner === undefined) {
      this.#source.expect();
      const scanner = new VectorScanner(this.#count, this.meta.dimensions);
      this.#source.fill(scanner.rows, scanner.scales);
      this.#scanner = scanner;
    }
    return this.#scanner;
  }
}

/** Keeps a product whose rounded cosine may be the threshold. */
const SLACK = 1 - 1e-6;

function best(
  scanner: VectorScanner,
  query: Float32Array,
  limit: number,
  allowed: Uint8Array | undefined,
): VectorScore[] {
  const top = new TopScores(limit);
  const found: VectorScore[] = [];
  const scale = quantizeQuery(query, scanner.factors);
  let threshold = 0, least = 0;
  for (let first = 0; first < scanner.count; first += AT_ONCE) {
    const { products, places, count } = scanner.above(first, least);
    for (let i = 0; i < count; i++) {
      const chunk = first + places[i]!;
      // The last step looks at numbers after the last row.
      if (chunk >= scanner.count || allowed !== undefined && allowed[chunk] === 0) continue;
      if (products[chunk]! <= least) continue;
      const score = Math.fround(products[chunk]! * scale);
      if (score <= threshold) continue;
      found.push({ chunk, score });
      threshold = top.offer(score);
      least = threshold / scale * SLACK;
    }
  }
  return found.sort((a, b) => b.score - a.score || a.chunk - b.chunk).slice(0, limit);
}

/** Rows that are scanned at a time, so that their products are still in the first cache of a core when they are compared. */
const AT_ONCE = 1024;

const PAGE = 1 << 16;

type Scan = (
  query: number,
  row: number,
  scale: number,
  out: number,
  count: number,
  stride: number,
) => void;

/** Bytes of the longest rows for `scan_short`. It is slower for rows of 256 bytes: see `scan.wat`. */
const SHORT = 128;

interface Exports {
  scan: Scan;
  /** The same for rows of {@linkcode SHORT} bytes at most. It reads up to three numbers after the last scale, and writes as many. */
  "scan_short": Scan;
  above(out: number, count: number, least: number, places: number): number;
}

/**
 * Rows of int8 in the memory of a small WebAssembly module, whose SIMD instructions multiply 16 numbers a step: the nearest
 * of 100,000 rows of 384 are found in 4 ms (`deno task bench`).
 */
export class VectorScanner {
  readonly count: number;
  readonly stride: number;
  /** `count` rows of `stride` numbers, to be filled in; the numbers after `dimensions` stay 0. */
  readonly rows: Int8Array<ArrayBuffer>;
  /** The scale of each row, to be filled in. */
  readonly scales: Float32Array<ArrayBuffer>;
  /** The numbers to multiply the rows by, to be filled in before {@linkcode scan}. */
  readonly factors: Int16Array<ArrayBuffer>;
  readonly #out: Float32Array;
  readonly #places: Int32Array;
  readonly #exports: Exports;

  constructor(count: number, dimensions: number) {
    this.count = count;
    const stride = this.stride = strideOf(dimensions);
    // Each part begins at a multiple of 16 bytes.
    const rowsAt = 2 * stride;
    const scalesAt = rowsAt + count * stride;
    const outAt = scalesAt + Math.ceil(count / 4) * 16;
    const placesAt = outAt + Math.ceil(count / 4) * 16;
    const bytes = placesAt + 4 * AT_ONCE;
    const memory = new WebAssembly.Memory({ initial: Math.max(1, Math.ceil(bytes / PAGE)) });
    this.#exports = simdExports<Exports>(SCAN_MODULE, memory);
    const buffer = memory.buffer as ArrayBuffer;
    this.factors = new Int16Array(buffer, 0, stride);
    this.rows = new Int8Array(buffer, rowsAt, count * stride);
    this.scales = new Float32Array(buffer, scalesAt, count);
    this.#out = new Float32Array(buffer, outAt, count);
    this.#places = new Int32Array(buffer, placesAt, AT_ONCE);
  }

  /**
   * Returns a number for each row and a scale: times the scale, rounded to float32, they are the dot products of `query`
   * with the rows. The array is valid until the next call.
   */
  products(query: Float32Array): { readonly products: Float32Array; readonly scale: number } {
    const scale = quantizeQuery(query, this.factors);
    return { products: this.scan(this.count), scale };
  }

  /**
   * Returns the scaled product of the factors with each of the first `count` rows. Valid until the next call. Products of
   * whole numbers are exact below 2^24.
   */
  scan(count: number): Float32Array {
    this.#scan(0, count);
    return this.#out;
  }

  /**
   * Scans the {@linkcode AT_ONCE} rows from `first` on. Returns the scaled products by row, and the places after `first` of those that
   * are at least `least` as a float32. Valid until the next call.
   */
  above(first: number, least: number) {
    const count = Math.min(AT_ONCE, this.count - first);
    const out = this.#scan(first, count);
    const found = this.#exports.above(out, count, least, this.#places.byteOffset);
    return { products: this.#out, places: this.#places, count: found };
  }

  /** Scans `count` rows from `first` on. Returns the address of their products. */
  #scan(first: number, count: number): number {
    const { rows, scales, stride } = this;
    const out = this.#out.byteOffset + 4 * first;
    const [row, scale] = [rows.byteOffset + first * stride, scales.byteOffset + 4 * first];
    const scan = stride <= SHORT ? this.#exports.scan_short : this.#exports.scan;
    scan(0, row, scale, out, count, stride);
    return out;
  }
}

/** Rows are padded to a multiple of this many numbers, which one step of the scan processes. */
const STEP = 16;

/** Bytes from one row of int8 numbers to the next. */
export function strideOf(dimensions: number): number {
  return Math.ceil(dimensions / STEP) * STEP;
}

/**
 * Writes `vector` as int8 numbers into `row` from `at` on, its greatest number as ±127. Returns the scale: the numbers times
 * the scale are those of the vector, within half a step. The scale of a vector of zeros is 0.
 */
export function quantizeRow(vector: Float32Array, row: Int8Array, at: number): number {
  let most = 0;
  for (let i = 0; i < vector.length; i++) most = Math.max(most, Math.abs(vector[i]!));
  if (most === 0) return 0;
  const factor = 127 / most;
  for (let i = 0; i < vector.length; i++) row[at + i] = Math.round(vector[i]! * factor);
  return most / 127;
}

/**
 * Writes a query as int16 numbers into `into` and returns the scale. The greatest number is as large as the 32-bit sums of
 * the scan allow, so the query is finer than the rows.
 */
export function quantizeQuery(query: Float32Array, into: Int16Array): number {
  let most = 0;
  for (let i = 0; i < query.length; i++) most = Math.max(most, Math.abs(query[i]!));
  into.fill(0);
  if (most === 0) return 0;
  const limit = Math.min(0x7fff, Math.floor(0x7fff_ffff / (128 * into.length)));
  const factor = limit / most;
  for (let i = 0; i < query.length; i++) into[i] = Math.round(query[i]! * factor);
  return most / limit;
}
