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

/** The greatest size of a number of a row: a table stores four bits of each. */
const MOST_NUMBER = 8;
/** The greatest weight of a row in {@linkcode WordRows.near}: {@linkcode WORDS} weighted numbers add up to less than 2^31. */
const MOST_WEIGHT = 32767;

interface Exports {
  sum(rows: number, weights: number, count: number, sums: number, dimensions: number): void;
  near(
    rows: number,
    weights: number,
    count: number,
    question: number,
    mask: number,
    dimensions: number,
    out: number,
  ): void;
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
  readonly #question: Float32Array;
  readonly #mask: Float32Array;
  readonly #parts: Float32Array;
  readonly #wholeWeights: Int16Array;
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
    this.#parts = new Float32Array(...room(8, 4));
    this.#question = new Float32Array(...room(stride, 4));
    this.#mask = new Float32Array(...room(stride, 4));
    this.#mask.fill(0).fill(1, 0, table.dimensions);
    this.#wholeWeights = new Int16Array(...room(WORDS, 2));
    this.#factors = new Int16Array(...room(MAX_WORDS * stride, 2));
    this.#factorScales = new Float32Array(...room(MAX_WORDS, 4));
    this.#ids = new Int32Array(...room(WORDS, 4));
    this.#weights = new Float32Array(...room(WORDS, 4));
    // A step writes four numbers, of which the last three may be of no word.
    this.#out = new Float32Array(...room(WORDS * MAX_WORDS + 3, 4));
  }

  /**
   * Returns the sum of the rows of words `from` to `to` (exclusive; numbers in the table), each times its weight, in float64: one number for
   * each dimension, then some without a meaning.
   */
  sum(ids: Int32Array, weights: Float32Array, from: number, to: number): Float64Array {
    const { vectors, dimensions } = this.#table;
    this.#sums.fill(0);
    for (let first = from; first < to; first += WORDS) {
      const some = Math.min(WORDS, to - first);
      for (let i = 0; i < some; i++) {
        this.#ids[i] = vectors.byteOffset + ids[first + i]! * dimensions;
        this.#weights[i] = weights[first + i]!;
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

  /** Sets the vector (length 1) that {@linkcode near} compares sums with. */
  ask(question: Float32Array): void {
    this.#question.fill(0);
    this.#question.set(question);
  }

  /**
   * Adds the rows of words `from` to `to` (exclusive), each times its weight, which is not negative and is rounded to 15 bits. Writes three
   * numbers to `into`: the dot product of the sum with the question, the square of its length, and the greatest length that its difference
   * from the exact sum can have. Takes a quarter of the time of {@linkcode sum}. Returns false for too many words.
   */
  near(ids: Int32Array, weights: Float32Array, from: number, to: number, into: Float64Array): boolean {
    const count = to - from;
    if (count >= WORDS) return false;
    const { vectors, dimensions } = this.#table;
    const addresses = this.#ids, whole = this.#wholeWeights;
    let most = 0;
    for (let i = from; i < to; i++) if (weights[i]! > most) most = weights[i]!;
    if (most === 0) {
      into.fill(0);
      return true;
    }
    const factor = MOST_WEIGHT / most;
    for (let i = 0; i < count; i++) {
      addresses[i] = vectors.byteOffset + ids[from + i]! * dimensions;
      whole[i] = weights[from + i]! * factor + 0.5;
    }
    // Two words are added in a step.
    addresses[count] = vectors.byteOffset;
    whole[count] = 0;
    const parts = this.#parts;
    this.#exports.near(
      addresses.byteOffset,
      whole.byteOffset,
      count + (count & 1),
      this.#question.byteOffset,
      this.#mask.byteOffset,
      dimensions,
      parts.byteOffset,
    );
    into[0] = (parts[0]! + parts[1]! + parts[2]! + parts[3]!) / factor;
    into[1] = (parts[4]! + parts[5]! + parts[6]! + parts[7]!) / (factor * factor);
    into[2] = 0.5 * count * MOST_NUMBER * Math.sqrt(dimensions) / factor;
    return true;
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
