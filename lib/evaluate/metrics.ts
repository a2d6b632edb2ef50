import type { Judged } from "./judge.ts";
import type { Scores } from "./types.ts";

/**
 * The metrics of one ranking at depth `k`, all between 0 and 1, and all 0 where nothing is relevant:
 * - nDCG: Σ gain / log2(rank + 1), divided by that of the best ranking there is (Järvelin, Kekäläinen 2002; linear
 *   gains, as trec_eval's `ndcg_cut`);
 * - Recall: the share of relevant targets found;
 * - MRR: 1 / rank of the first relevant hit;
 * - Hit: 1 if there is a relevant hit.
 */
export function scoresAt({ gains, found, ideal }: Judged, k: number): Scores {
  const best = discounted(ideal, k);
  const first = found.slice(0, k).findIndex((count) => count > 0);
  const count = found.slice(0, k).reduce((sum, each) => sum + each, 0);
  return {
    // A hit that covers two passages finds both at its rank: better than the best ranking of one passage each.
    ndcg: best === 0 ? 0 : Math.min(1, discounted(gains, k) / best),
    recall: ideal.length === 0 ? 0 : count / ideal.length,
    mrr: first < 0 ? 0 : 1 / (first + 1),
    hit: first < 0 ? 0 : 1,
  };
}

function discounted(gains: readonly number[], k: number): number {
  return gains.slice(0, k).reduce((sum, gain, at) => sum + gain / Math.log2(at + 2), 0);
}
