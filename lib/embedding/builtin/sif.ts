import { addIdentity } from "./identity.ts";
import type { Table } from "./table.ts";
import { WordFinder } from "./words.ts";

/** Weight of a word = A / (A + p): Arora, Liang, Ma, "A simple but tough-to-beat baseline", 2017. */
const A = 3e-4;

/** Weight of a word that the table lacks: names and numbers, mostly. */
export const UNKNOWN_WEIGHT = 0.5;

/**
 * Vectors of texts: the sum of the vectors of their words, the common ones counting less (smooth inverse frequency), scaled
 * to length 1. The directions that all words share were taken out of the table when it was built, so nothing is taken out
 * here and a vector depends on its text alone. One embedder serves one text at a time.
 */
export class SifEmbedder {
  readonly #table: Table;
  readonly #finder: WordFinder;
  /** What a row of the table is multiplied by: its scale times the weight of its word. */
  readonly weights: Float32Array;

  constructor(table: Table, a: number = A) {
    this.#table = table;
    this.#finder = new WordFinder(table);
    this.weights = table.scales.map((scale, id) => scale * a / (a + table.p[id]!));
  }

  /** A vector of length 1, or of zeros where the table knows no word of `text`. */
  embed(text: string): Float32Array {
    const ids = this.#finder.find(text);
    return this.embedWords(ids, 0, ids.length);
  }

  /** The vector of the words `ids.slice(from, to)`, as {@linkcode WordFinder} gives them. */
  embedWords(ids: Int32Array, from: number, to: number): Float32Array {
    const { vectors, dimensions } = this.#table;
    const { weights } = this;
    const sum = new Float32Array(dimensions);
    for (let i = from; i < to; i++) {
      const id = ids[i]!;
      if (id < 0) {
        addIdentity(sum, 0, dimensions, id, UNKNOWN_WEIGHT);
        continue;
      }
      const weight = weights[id]!;
      for (let k = 0, at = id * dimensions; k < dimensions; k++, at++) sum[k]! += weight * vectors[at]!;
    }
    let squares = 0;
    for (let k = 0; k < dimensions; k++) squares += sum[k]! * sum[k]!;
    if (squares > 0) {
      const scale = 1 / Math.sqrt(squares);
      for (let k = 0; k < dimensions; k++) sum[k]! *= scale;
    }
    return sum;
  }
}
