/** Logistic regression with a ridge, by Newton's method: few weights, no chance, the same result in every run. */

/** A case: its signs, and whether it happened. */
export interface Case {
  readonly signs: readonly number[];
  readonly isRight: boolean;
  /** How much it counts. */
  readonly weight: number;
}

/** Penalty of the square of a weight, in cases. The first weight, of the constant, has none. */
const RIDGE = 1;
const STEPS = 50;
const ENOUGH = 1e-9;

/** Returns the weights: that of a constant, then one for each sign. */
export function fitLogistic(cases: readonly Case[]): number[] {
  const width = (cases[0]?.signs.length ?? 0) + 1;
  let weights = new Array<number>(width).fill(0);
  for (let step = 0; step < STEPS; step++) {
    const gradient = weights.map((weight, i) => i === 0 ? 0 : -RIDGE * weight);
    const curvature = weights.map((_, i) => weights.map((_, k) => i === k && i > 0 ? RIDGE : 0));
    for (const { signs, isRight, weight } of cases) {
      const row = [1, ...signs];
      const p = logistic(row.reduce((sum, value, i) => sum + value * weights[i]!, 0));
      for (let i = 0; i < width; i++) {
        gradient[i]! += weight * ((isRight ? 1 : 0) - p) * row[i]!;
        for (let k = 0; k < width; k++) curvature[i]![k]! += weight * p * (1 - p) * row[i]! * row[k]!;
      }
    }
    const change = solve(curvature, gradient);
    weights = weights.map((weight, i) => weight + change[i]!);
    if (change.every((value) => Math.abs(value) < ENOUGH)) break;
  }
  return weights;
}

export function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

/** Solves a system of linear equations with a positive definite matrix by elimination. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i]!]);
  const size = rows.length;
  for (let i = 0; i < size; i++) {
    for (let k = i + 1; k < size; k++) {
      const factor = rows[k]![i]! / rows[i]![i]!;
      for (let j = i; j <= size; j++) rows[k]![j]! -= factor * rows[i]![j]!;
    }
  }
  const result = new Array<number>(size).fill(0);
  for (let i = size - 1; i >= 0; i--) {
    const known = rows[i]!.slice(i + 1, size).reduce((sum, value, j) => sum + value * result[i + 1 + j]!, 0);
    result[i] = (rows[i]![size]! - known) / rows[i]![i]!;
  }
  return result;
}
