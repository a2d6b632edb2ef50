import type { Candidates } from "./candidates.ts";
import type { Evidence } from "./evidence.ts";
import { isForeign } from "./foreign.ts";
import type { LegValues } from "./leg_values.ts";
import type { PreparedQuery } from "./prepared_query.ts";
import { VERBATIM } from "./verbatim.ts";

/** Weight of the coverage that similar words add to the coverage by equal words. */
const ALIKE = 1 / 3;
/** Factor for the coverage by a translation, which seldom covers a whole question. */
const FOREIGN = 4 / 3;
/** Words that must be surely translated, close together, in a hit of the degree high. */
const SURE_WORDS = 2;
/** A question of so many words at most has few: one that is missing is a great part of it. */
const FEW_WORDS = 3;
/** The greatest coverage of the degree medium. */
const MOST_MEDIUM = 0.59;
/**
 * A vector whose cosine is OUTLIER standard deviations above the collection's mean covers OUTLIER_COVERAGE; each further
 * deviation adds PER_DEVIATION.
 */
const OUTLIER = 3.5, OUTLIER_COVERAGE = 0.4, PER_DEVIATION = 0.2;

/**
 * Returns the share of the question's idf that each candidate covers, from 0 to 1. `degree.ts` turns it into the degree of a
 * hit.
 *
 * - With L covered by equal terms and M by similar words (c² of MaxSim) it is L + (M − L)⁺ / 3. For a question of few words
 *   it is at most medium, unless nearly all of the question is there.
 * - In a text of the other language it is 4/3 of the mean of M, the translations of any sureness, and the sure translations
 *   close together, if that is more; at most medium unless several words are surely translated.
 * - For an outside or a local model it depends on how far the cosine is above the mean, because cosines of different models
 *   are not comparable. `outliers`: standard deviations above the mean by local models, for each candidate.
 */
export function coverageOf(
  query: PreparedQuery,
  candidates: Candidates,
  { vector }: LegValues,
  evidence: Evidence,
  outliers?: Float64Array,
): Float64Array {
  const { words, spread } = query;
  const { terms, verbatim, alike } = evidence;
  return terms.map((own, i) => {
    let coverage = own + ALIKE * Math.max(0, (alike?.[i] ?? 0) - own);
    if (words.length <= FEW_WORDS && verbatim[i]! < VERBATIM) coverage = Math.min(coverage, MOST_MEDIUM);
    if (isForeign(query, candidates, i)) coverage = Math.max(coverage, byTranslation(evidence, i));
    if (spread !== undefined && spread.deviation > 0 && vector !== undefined) {
      coverage = Math.max(coverage, byOutlier((vector[i]! - spread.mean) / spread.deviation));
    }
    if (outliers !== undefined) coverage = Math.max(coverage, byOutlier(outliers[i]!));
    return coverage;
  });
}

function byOutlier(deviations: number): number {
  return Math.min(1, OUTLIER_COVERAGE + PER_DEVIATION * (deviations - OUTLIER));
}

function byTranslation({ alike, translated, near, sure }: Evidence, i: number): number {
  const coverage = FOREIGN * ((alike?.[i] ?? 0) + translated![i]! + near![i]!) / 3;
  return Math.min(coverage, sure![i]! >= SURE_WORDS ? 1 : MOST_MEDIUM);
}
