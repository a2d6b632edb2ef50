/**
 * Adds to `sum`, from `at` on, a vector of length `weight` that stands for one word and nothing else: signs that follow from the
 * word's hash. Two of them are all but at right angles, so texts come nearer by it only where they share the word.
 */
export function addIdentity(
  sum: Float32Array,
  at: number,
  dimensions: number,
  hash: number,
  weight: number,
): void {
  const step = weight / Math.sqrt(dimensions);
  let state = hash;
  for (let i = at; i < at + dimensions; i++) {
    state = Math.imul(state ^ state >>> 15, 0x2c1b3c6d) + 0x9e3779b9 | 0;
    sum[i]! += state < 0 ? -step : step;
  }
}
