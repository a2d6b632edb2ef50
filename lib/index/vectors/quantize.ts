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
