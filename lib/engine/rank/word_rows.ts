/**
 * Computing with the rows of the built-in table in WebAssembly, where they lie: cosines of words, and sums of rows.
 */
import type { Table } from "#models/embedding/mod.ts";
import { simdExports } from "#foundation/simd.ts";
import { strideOf } from "#engine/index/mod.ts";
import { COMPARE_MODULE } from "./compare_module.ts";

/** Words of a question at most: a pasted page has more, and they would cost more than they bring. */
export const MAX_WORDS = 32;
/** Words that are compared or added in one call. */
const WORDS = 4096;

interface Exports {
  sum(rows: number, weights: number, count: number, sums: number, dimensions: number): void;
  cosines(
    ids: number,
    count: number,
    vectors: number,
    scales: number,
    dimensions: number,
    factors: number,
    factorScales: number,
    width: number,
    out: number,
    most: number,
  ): void;
}

/**
 * The rows of a table. They use the free bytes of its memory, so only one thread may compute with a table, and a result is valid until the
 * next call of a method.
 */
export class WordRows {
  readonly #table: Table;
  readonly #stride: number;
  readonly #exports: Exports;
  readonly #ids: Int32Array;
  readonly #weights: Float32Array;
  readonly #sums: Float64Array;
  readonly #factors: Int16Array;
  readonly #factorScales: Float32Array;
  readonly #out: Float32Array;

  constructor(table: Table) {
    this.#table = table;
    const { memory } = table.data;
    // The rows begin after the bytes that are free.
    const free = table.vectors.byteOffset;
    this.#exports = simdExports<Exports>(COMPARE_MODULE, memory);
    const stride = this.#stride = strideOf(table.dimensions);
    let at = 0;
    /** Returns the place of the next `length` numbers of `width` bytes each. */
    const room = (length: number, width: number): [buffer: ArrayBufferLike, at: number, length: number] => {
      const from = at;
      at += length * width;
      if (at > free) throw new RangeError(`no room for ${stride} numbers a word`);
      return [memory.buffer, from, length];
    };
    this.#sums = new Float64Array(...room(stride, 8));
    this.#factors = new Int16Array(...room(MAX_WORDS * stride, 2));
    this.#factorScales = new Float32Array(...room(MAX_WORDS, 4));
    this.#ids = new Int32Array(...room(WORDS, 4));
    this.#weights = new Float32Array(...room(WORDS, 4));
    // A step writes four numbers, of which the last three may be of no word.
    this.#out = new Float32Array(...room(WORDS * MAX_WORDS + 3, 4));
  }

  /**
   * Returns the sum of the rows of words (numbers in the table), each times its weight, in float64: one number for each dimension, then some
   * without a meaning.
   */
  sum(ids: Int32Array, weights: Float32Array, count: number): Float64Array {
    const { vectors, dimensions } = this.#table;
    this.#sums.fill(0);
    for (let from = 0; from < count; from += WORDS) {
      const some = Math.min(WORDS, count - from);
      for (let i = 0; i < some; i++) {
        this.#ids[i] = vectors.byteOffset + ids[from + i]! * dimensions;
        this.#weights[i] = weights[from + i]!;
      }
      this.#exports.sum(
        this.#ids.byteOffset,
        this.#weights.byteOffset,
        some,
        this.#sums.byteOffset,
        dimensions,
      );
    }
    return this.#sums;
  }

  /**
   * Fills `result` with the cosines of words (numbers in the table) with at most {@linkcode MAX_WORDS} others, not above `most`: a row for
   * each word. A negative number among the others is a word without a row, whose cosine is 0. The rows are whole numbers, so their dot
   * products are exact.
   */
  cosines(ids: Int32Array, others: ArrayLike<number>, most: number, result: Float32Array): void {
    const { vectors, scales, dimensions } = this.#table;
    const width = others.length;
    this.#factors.fill(0);
    this.#factorScales.fill(0);
    for (let i = 0; i < width; i++) {
      const other = others[i]!;
      if (other < 0) continue;
      this.#factors.set(vectors.subarray(other * dimensions, (other + 1) * dimensions), i * this.#stride);
      this.#factorScales[i] = scales[other]!;
    }
    for (let from = 0; from < ids.length; from += WORDS) {
      const some = ids.subarray(from, from + WORDS);
      this.#ids.set(some);
      this.#exports.cosines(
        this.#ids.byteOffset,
        some.length,
        vectors.byteOffset,
        scales.byteOffset,
        dimensions,
        this.#factors.byteOffset,
        this.#factorScales.byteOffset,
        width,
        this.#out.byteOffset,
        most,
      );
      result.set(this.#out.subarray(0, some.length * width), from * width);
    }
  }
}
