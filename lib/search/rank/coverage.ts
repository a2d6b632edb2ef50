import type { Candidates } from "./candidates.ts";
import { isForeign } from "./foreign.ts";
import type { Coverages, LegValues } from "./leg_values.ts";
import type { PreparedQuery } from "./prepared_query.ts";
import { totalIdf } from "./query_words.ts";

/** Weight of the coverage that similar words add to the coverage by equal words. */
const ALIKE = 1 / 3;
/** Factor for the coverage by a translation, which seldom covers a whole question. */
const FOREIGN = 1.6;
/** A vector whose cosine is OUTLIER standard deviations above the collection's mean covers OUTLIER_COVERAGE; each further deviation adds PER_DEVIATION. */
const OUTLIER = 3.5, OUTLIER_COVERAGE = 0.4, PER_DEVIATION = 0.2;

/**
 * Returns the share of the question's idf that each candidate covers, from 0 to 1. With L covered by equal terms, M by
 * similar words (c² of MaxSim) and T by translations, it is L + (M − L)⁺ / 3; in a text of the other script, it is (M + T)
 * / 2 · 1.6 if that is greater. For an outside model it depends on how far the cosine is above the mean, because cosines of
 * different models are not comparable. `degree.ts` turns the result into the degree of a hit.
 */
export function coverageOf(
  query: PreparedQuery,
  candidates: Candidates,
  { maxsim, vector }: LegValues,
  { own, translated }: Coverages,
): Float64Array {
  const { words, spread } = query;
  const coverage = own.slice();
  const idf = totalIdf(words);
  for (let i = 0; i < candidates.length; i++) {
    const alike = maxsim === undefined || idf === 0 ? 0 : maxsim[i]! / idf;
    coverage[i] = own[i]! + ALIKE * Math.max(0, alike - own[i]!);
    if (translated !== undefined && isForeign(query, candidates, i)) {
      coverage[i] = Math.max(coverage[i]!, Math.min(1, FOREIGN * (alike + translated[i]!) / 2));
    }
    if (spread !== undefined && spread.deviation > 0 && vector !== undefined) {
      const outlier = (vector[i]! - spread.mean) / spread.deviation;
      const near = OUTLIER_COVERAGE + PER_DEVIATION * (outlier - OUTLIER);
      coverage[i] = Math.max(coverage[i]!, Math.min(1, near));
    }
  }
  return coverage;
}
