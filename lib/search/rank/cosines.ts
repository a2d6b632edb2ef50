import type { Table } from "../../embedding/mod.ts";
import type { DotProducts } from "../../index/mod.ts";
import type { Meaning } from "./meaning.ts";
import type { QueryWord } from "./query_words.ts";

/** Rows that are compared at a time: 768 kB. */
const ROWS = 1 << 13;

/** The greatest cosine of two different words; 1 means the same stem. */
export const MOST_ALIKE = 0.999;

/**
 * Returns the cosines of all words in `ids` (numbers in the table) with all words of the question, row by row; 1 for the
 * same stem. The rows of the table are whole numbers, so their dot products are exact.
 */
export function cosines(ids: Int32Array, words: readonly QueryWord[], meaning: Meaning): Float32Array {
  const { dimensions, vectors, scales } = meaning.table;
  const width = words.length;
  const result = new Float32Array(ids.length * width);
  const known = words.flatMap(({ id }, place) => id < 0 ? [] : [{ id, place }]);
  const products = meaning.products(Math.min(ids.length, ROWS));
  for (let from = 0; from < ids.length; from += products.capacity) {
    const some = ids.subarray(from, from + products.capacity);
    copyRows(some, meaning.table, products);
    for (const { id, place } of known) {
      for (let j = 0; j < dimensions; j++) products.factors[j] = vectors[id * dimensions + j]!;
      const dots = products.of(some.length);
      for (let i = 0, at = from * width + place; i < some.length; i++, at += width) {
        result[at] = dots[i]! * scales[some[i]!]! * scales[id]!;
      }
    }
  }
  // 防护 and 防守 have the same vector, but are different words.
  for (let i = 0; i < result.length; i++) if (result[i]! > MOST_ALIKE) result[i] = MOST_ALIKE;
  const classes = words.map(({ id }) => meaning.stemClass(id));
  const initials = new Set(known.map(({ id }) => meaning.initial(id)));
  for (let i = 0; i < ids.length; i++) {
    // Stemming takes long the first time, and a stem begins with the first letter of its words.
    if (!initials.has(meaning.initial(ids[i]!))) continue;
    const same = meaning.stemClass(ids[i]!);
    for (let q = 0; q < width; q++) if (classes[q] === same) result[i * width + q] = 1;
  }
  return result;
}

/** Copies the rows of words out of the table, four numbers at a time. */
function copyRows(ids: Int32Array, { vectors, dimensions }: Table, { rows, stride }: DotProducts): void {
  if (dimensions % 4 !== 0) {
    for (let i = 0; i < ids.length; i++) {
      for (let j = 0; j < dimensions; j++) rows[i * stride + j] = vectors[ids[i]! * dimensions + j]!;
    }
    return;
  }
  const from = new Int32Array(vectors.buffer, vectors.byteOffset, vectors.length / 4);
  const to = new Int32Array(rows.buffer, rows.byteOffset, rows.length / 4);
  const width = dimensions / 4, step = stride / 4;
  for (let i = 0; i < ids.length; i++) {
    const row = ids[i]! * width, at = i * step;
    for (let j = 0; j < width; j++) to[at + j] = from[row + j]!;
  }
}
