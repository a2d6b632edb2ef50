import type { Estimate } from "./types.ts";

const RESAMPLES = 1000;
const SEED = 1;

/**
 * Returns the mean of each column with its 95 % interval by the percentile bootstrap (Efron 1979): 1000 samples of as many
 * rows as there are, drawn with replacement. A row is one query, and all columns share the draws; a column of differences
 * between two systems therefore gives the paired test. The seed is fixed, so the same columns give the same intervals. All
 * columns must have the same length, at least 1.
 */
export function bootstrapMeans(columns: readonly (readonly number[])[]): Estimate[] {
  const size = columns[0]?.length ?? 0;
  const means = columns.map(() => new Float64Array(RESAMPLES));
  const rows = new Uint32Array(size);
  const random = mulberry32(SEED);
  for (let sample = 0; sample < RESAMPLES; sample++) {
    for (let row = 0; row < size; row++) rows[row] = Math.floor(random() * size);
    for (const [at, column] of columns.entries()) {
      let sum = 0;
      for (let row = 0; row < size; row++) sum += column[rows[row]!]!;
      means[at]![sample] = sum / size;
    }
  }
  return columns.map((column, at) => {
    const sorted = means[at]!.sort();
    return {
      mean: column.reduce((sum, value) => sum + value, 0) / size,
      low: percentile(sorted, 0.025),
      high: percentile(sorted, 0.975),
    };
  });
}

/** Returns a generator of numbers in [0, 1) that depend only on the seed (Tommy Ettinger's mulberry32, public domain). */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns the nearest-rank percentile of values in ascending order, or 0 if there are none. `share` is between 0 and 1. */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
