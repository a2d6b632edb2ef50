import { byReader, type Candidates } from "./candidates.ts";
import { isForeign } from "./foreign.ts";
import type { LegValues } from "./leg_values.ts";
import type { Question } from "./question.ts";

/** Part of what words that are merely alike cover beyond those that are the same. */
const ALIKE = 1 / 3;
/** A translation seldom covers all of a question: what it covers counts more. */
const FOREIGN = 1.6;
/** Coverage of a vector that lies so many standard deviations above the mean of the collection's; more by the second for each. */
const OUTLIER = 3.5, OUTLIER_COVERAGE = 0.4, PER_DEVIATION = 0.2;

/**
 * How much of the question's idf each candidate has, 0 to 1. L = by its terms, M = by words that are alike (c² of MaxSim), T = by
 * translations: L + (M − L)⁺ / 3, in a text of the other script (M + T) / 2 · 1.6 where that is more. Where only vectors of an outside
 * model can tell, whose cosines mean something else with each, by how far its cosine stands out. See `degree.ts` for what
 * comes of it.
 */
export function coverageOf(
  question: Question,
  candidates: Candidates,
  { maxsim, vector }: LegValues,
): Float64Array {
  const { lists, groups, words, request: { collection, meaning } } = question;
  const coverage = byReader(candidates, (reader, chunks) => collection.score(lists, reader, chunks).coverage);
  const idf = words.reduce((sum, word) => sum + word.idf, 0);
  const spread = meaning === undefined && vector !== undefined ? question.spread : undefined;
  for (let i = 0; i < candidates.length; i++) {
    const own = coverage[i]!;
    const alike = maxsim === undefined || idf === 0 ? 0 : maxsim[i]! / idf;
    coverage[i] = own + ALIKE * Math.max(0, alike - own);
    if (groups !== undefined && isForeign(question, candidates, i)) {
      const translated = groups[candidates.readers[i]!]!.coverage[candidates.chunks[i]!]!;
      coverage[i] = Math.max(coverage[i]!, Math.min(1, FOREIGN * (alike + translated) / 2));
    }
    if (spread !== undefined && spread.deviation > 0) {
      const outlier = (vector![i]! - spread.mean) / spread.deviation;
      const near = OUTLIER_COVERAGE + PER_DEVIATION * (outlier - OUTLIER);
      coverage[i] = Math.max(coverage[i]!, Math.min(1, near));
    }
  }
  return coverage;
}
