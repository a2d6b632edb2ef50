import type { MatchDegree } from "./types.ts";

/**
 * Read off the dev collections with all legs, ten hits a question: how many per cent of the hits of each degree answer it.
 *
 * | | low | medium | high |
 * |---|---|---|---|
 * | XQuAD, English / Chinese | 1 / 1 | 21 / 40 | 87 / 94 |
 * | its sentences, English / Chinese | 1 / 2 | 25 / 38 | 85 / 86 |
 * | English questions, Chinese texts / the reverse | 2 / 4 | 21 / 44 | 73 / 87 |
 * | CMRC 2018 | 0 | 4 | 70 |
 * | Cranfield (several answers to each) | 24 | 25 | 36 |
 *
 * Of questions about something the collection does not hold, 0 to 2 % have any high hit (CMRC 5, other script 0 to 6), and 71 to 100 %
 * have none but low ones.
 *
 * By vectors of an outside model alone (measured with those of the built-in table, as if they were such): 23 to 45 % of the medium
 * hits and 45 to 82 % of the high ones are right; 2 % of questions about something else have a high one.
 */
const HIGH = 0.6;
const MEDIUM = 0.4;

/** How well a chunk covers the query. `coverage`: the share of the query's idf that it has, 0 to 1 (see `rank/coverage.ts`). */
export function degreeOf(coverage: number): MatchDegree {
  return coverage >= HIGH ? "high" : coverage >= MEDIUM ? "medium" : "low";
}
