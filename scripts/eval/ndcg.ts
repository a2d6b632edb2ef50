/**
 * nDCG at `k` of one ranking: Σ gain / log2(rank + 1), divided by that of the best ranking there is (Järvelin, Kekäläinen
 * 2002, as trec_eval computes it). 0 where no document has a gain.
 */
export function ndcg(ranking: readonly string[], judgements: ReadonlyMap<string, number>, k: number): number {
  const best = [...judgements.values()].filter((gain) => gain > 0).sort((a, b) => b - a);
  const ideal = discounted(best.slice(0, k));
  return ideal === 0
    ? 0
    : discounted(ranking.slice(0, k).map((id) => Math.max(0, judgements.get(id) ?? 0))) / ideal;
}

function discounted(gains: readonly number[]): number {
  return gains.reduce((sum, gain, i) => sum + gain / Math.log2(i + 2), 0);
}
