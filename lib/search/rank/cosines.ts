import type { Meaning } from "./meaning.ts";
import type { QueryWord } from "./query_words.ts";

/** One number holds two dot products of up to 2^13 products of two int8 numbers. */
const LANE = 2 ** 27;

/**
 * Cosines of every word in `ids` (which the table has) with every word of the question, row by row; 1 for the same stem.
 *
 * The rows of two words of the question are packed into one array of doubles, a + b · 2^27, so that one
 * multiplication does the work of two: sums of int8 products are whole numbers and stay far below 2^26.
 */
export function cosines(ids: Int32Array, words: readonly QueryWord[], meaning: Meaning): Float32Array {
  const { table } = meaning;
  const { dimensions, vectors, scales } = table;
  const width = words.length;
  const result = new Float32Array(ids.length * width);
  const known = words.flatMap(({ id }, place) => id < 0 ? [] : [{ id, place }]);
  for (let k = 0; k < known.length; k += 4) {
    const [a, b, c, d] = known.slice(k, k + 4);
    const low = packed(a!.id, b?.id), high = packed(c?.id, d?.id);
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i]!;
      const row = id * dimensions;
      let first = 0, second = 0;
      for (let j = 0; j < dimensions; j++) {
        const value = vectors[row + j]!;
        first += value * low[j]!;
        second += value * high[j]!;
      }
      const scale = scales[id]!, at = i * width;
      const upper = Math.round(first / LANE), upperOfSecond = Math.round(second / LANE);
      result[at + a!.place] = (first - upper * LANE) * scale * scales[a!.id]!;
      if (b !== undefined) result[at + b.place] = upper * scale * scales[b.id]!;
      if (c !== undefined) result[at + c.place] = (second - upperOfSecond * LANE) * scale * scales[c.id]!;
      if (d !== undefined) result[at + d.place] = upperOfSecond * scale * scales[d.id]!;
    }
  }
  const classes = words.map(({ id }) => meaning.stemClass(id));
  for (let i = 0; i < ids.length; i++) {
    const same = meaning.stemClass(ids[i]!);
    for (let q = 0; q < width; q++) if (classes[q] === same) result[i * width + q] = 1;
  }
  return result;

  function packed(lower: number | undefined, upper: number | undefined): Float64Array {
    const pair = new Float64Array(dimensions);
    for (let j = 0; j < dimensions; j++) {
      if (lower !== undefined) pair[j] = vectors[lower * dimensions + j]!;
      if (upper !== undefined) pair[j]! += vectors[upper * dimensions + j]! * LANE;
    }
    return pair;
  }
}
