import type { Judged } from "./judge.ts";
import type { Scores } from "./types.ts";

/**
 * Returns the metrics of one ranking at depth `k`. All are between 0 and 1, and 0 if no target is relevant:
 * - nDCG: Σ gain / log2(rank + 1), divided by the same sum of the ideal ranking (Järvelin, Kekäläinen 2002; linear
 *   gains, as in trec_eval's `ndcg_cut`);
 * - Recall: the share of relevant targets that are found;
 * - MRR: 1 / rank of the first relevant hit;
 * - Hit: 1 if there is a relevant hit.
 *
 * ```ts
 * import { judge } from "./judge.ts";
 * import { scoresAt } from "./metrics.ts";
 * import { equal } from "node:assert/strict";
 *
 * const ranking = ["b", "a"].map((document) => ({ document, first: 1, last: 9 }));
 * const { mrr } = scoresAt(judge(ranking, [{ document: "a", gain: 1 }]), 10);
 * equal(mrr, 0.5);
 * ```
 */
export function scoresAt({ gains, found, ideal }: Judged, k: number): Scores {
  const best = discounted(ideal, k);
  const first = found.slice(0, k).findIndex((count) => count > 0);
  const count = found.slice(0, k).reduce((sum, each) => sum + each, 0);
  return {
    // A hit that covers two passages finds both at one rank, which can exceed the ideal of one passage per hit.
    ndcg: best === 0 ? 0 : Math.min(1, discounted(gains, k) / best),
    recall: ideal.length === 0 ? 0 : count / ideal.length,
    mrr: first < 0 ? 0 : 1 / (first + 1),
    hit: first < 0 ? 0 : 1,
  };
}

function discounted(gains: readonly number[], k: number): number {
  return gains.slice(0, k).reduce((sum, gain, at) => sum + gain / Math.log2(at + 2), 0);
}
