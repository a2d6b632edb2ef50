/** The nearest-rank percentile of values in ascending order; `share` from 0 to 1. 0 where there are no values. */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
