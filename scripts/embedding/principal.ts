/** Subtracts the mean of all rows from each row. */
export function subtractMean(rows: Float32Array, dimensions: number): void {
  const count = rows.length / dimensions;
  const mean = new Float64Array(dimensions);
  for (let i = 0; i < rows.length; i++) mean[i % dimensions]! += rows[i]! / count;
  for (let i = 0; i < rows.length; i++) rows[i]! -= mean[i % dimensions]!;
}

/**
 * Returns the principal components of rows whose mean is zero, sorted by descending variance. They are eigenvectors of the
 * covariance, computed with Jacobi's cyclic method, so the same rows give the same numbers on every machine.
 */
export function principalComponents(rows: Float32Array, dimensions: number): Float64Array[] {
  const n = dimensions;
  const a = new Float64Array(n * n);
  for (let row = 0; row < rows.length; row += n) {
    for (let i = 0; i < n; i++) {
      const value = rows[row + i]!;
      for (let j = i; j < n; j++) a[i * n + j]! += value * rows[row + j]!;
    }
  }
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) a[i * n + j] = a[j * n + i]!;
  const vectors = new Float64Array(n * n);
  for (let i = 0; i < n; i++) vectors[i * n + i] = 1;
  for (let sweep = 0; sweep < 15; sweep++) {
    for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) rotate(a, vectors, n, p, q);
  }
  return Array.from({ length: n }, (_, i) => i)
    .sort((i, j) => a[j * n + j]! - a[i * n + i]!)
    .map((i) => vectors.slice(i * n, (i + 1) * n));
}

/** Makes one Jacobi rotation, which sets a[p][q] to zero. The rows of `vectors` are rotated too. */
function rotate(a: Float64Array, vectors: Float64Array, n: number, p: number, q: number): void {
  const apq = a[p * n + q]!;
  if (apq === 0) return;
  const theta = (a[q * n + q]! - a[p * n + p]!) / (2 * apq);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  const turn = (of: Float64Array, i: number, j: number) => {
    const [x, y] = [of[i]!, of[j]!];
    of[i] = c * x - s * y;
    of[j] = s * x + c * y;
  };
  for (let k = 0; k < n; k++) turn(a, k * n + p, k * n + q);
  for (let k = 0; k < n; k++) turn(a, p * n + k, q * n + k);
  for (let k = 0; k < n; k++) turn(vectors, p * n + k, q * n + k);
}

/** Returns the rows in the space of the given components. */
export function project(
  rows: Float32Array,
  dimensions: number,
  components: readonly Float64Array[],
): Float32Array {
  const projected = new Float32Array(rows.length / dimensions * components.length);
  let at = 0;
  for (let row = 0; row < rows.length; row += dimensions) {
    for (const component of components) {
      let sum = 0;
      for (let i = 0; i < dimensions; i++) sum += rows[row + i]! * component[i]!;
      projected[at++] = sum;
    }
  }
  return projected;
}

/** Removes the share of each component from every row. The components are orthogonal. */
export function removeComponents(
  rows: Float32Array,
  dimensions: number,
  components: readonly Float64Array[],
): void {
  for (let row = 0; row < rows.length; row += dimensions) {
    for (const component of components) {
      let share = 0;
      for (let i = 0; i < dimensions; i++) share += rows[row + i]! * component[i]!;
      for (let i = 0; i < dimensions; i++) rows[row + i]! -= share * component[i]!;
    }
  }
}

/** Scales every row to length 1. Rows of zeros stay as they are. */
export function normalizeRows(rows: Float32Array, dimensions: number): void {
  for (let row = 0; row < rows.length; row += dimensions) {
    let squares = 0;
    for (let i = 0; i < dimensions; i++) squares += rows[row + i]! ** 2;
    if (squares === 0) continue;
    const length = Math.sqrt(squares);
    for (let i = 0; i < dimensions; i++) rows[row + i]! /= length;
  }
}
