import type { Meaning } from "./meaning.ts";
import type { QueryWord } from "./query_words.ts";

/** Size of a lane. Rows contain numbers of four bits, so a dot product is at most 64 · dimensions: about 2^13. */
const LANE = 2 ** 17;
/** Words of the question that are packed into one number and processed in one pass over a row. */
const PACKED = 3, AT_ONCE = 2 * PACKED;

/** The greatest cosine of two different words; 1 means the same stem. */
export const MOST_ALIKE = 0.999;

/**
 * Returns the cosines of all words in `ids` (numbers in the table) with all words of the question, row by row; 1 for the
 * same stem.
 *
 * The rows of three words of the question are packed into one row of doubles, so that one multiplication does the work of
 * three. All numbers are integers below 2^53, so the sums are exact.
 *
 * ```
 * bit     51           34           17            0
 *         ┌────────────┬────────────┬────────────┐
 * packed  │    c[j]    │    b[j]    │    a[j]    │   a + b · 2^17 + c · 2^34
 *         └────────────┴────────────┴────────────┘
 *                 × v[j], added up over j
 *         ┌────────────┬────────────┬────────────┐
 * sum     │   c · v    │   b · v    │   a · v    │   each part may be negative: rounding sum / 2^17
 *         └────────────┴────────────┴────────────┘   gives the upper parts, the rest is a · v
 * ```
 */
export function cosines(ids: Int32Array, words: readonly QueryWord[], meaning: Meaning): Float32Array {
  const { dimensions, vectors, scales } = meaning.table;
  const width = words.length;
  const result = new Float32Array(ids.length * width);
  const known = words.flatMap(({ id }, place) => id < 0 ? [] : [{ id, place }]);
  for (let from = 0; from < known.length; from += AT_ONCE) {
    const some = known.slice(from, from + AT_ONCE);
    const one = packed(some.slice(0, PACKED)), other = packed(some.slice(PACKED));
    for (let i = 0; i < ids.length; i++) {
      const row = ids[i]! * dimensions;
      let first = 0, second = 0;
      for (let j = 0; j < dimensions; j++) {
        const value = vectors[row + j]!;
        first += value * one[j]!;
        second += value * other[j]!;
      }
      const scale = scales[ids[i]!]!;
      for (let k = 0; k < some.length; k++) {
        const sum = k < PACKED ? first : second;
        const rest = Math.round(sum / LANE);
        result[i * width + some[k]!.place] = (sum - rest * LANE) * scale * scales[some[k]!.id]!;
        if (k < PACKED) first = rest;
        else second = rest;
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

  function packed(few: readonly { readonly id: number }[]): Float64Array {
    const row = new Float64Array(dimensions);
    few.forEach(({ id }, lane) => {
      for (let j = 0; j < dimensions; j++) row[j]! += vectors[id * dimensions + j]! * LANE ** lane;
    });
    return row;
  }
}
