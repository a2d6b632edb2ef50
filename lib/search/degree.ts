import type { MatchDegree } from "./types.ts";

/**
 * Least coverage of a high and of a medium hit. Measured on the dev collections with all legs and ten hits for each question:
 * the share of hits of each degree that answer the question, in per cent.
 *
 * | | low | medium | high |
 * |---|---|---|---|
 * | XQuAD, English / Chinese | 1 / 1 | 21 / 40 | 87 / 94 |
 * | its sentences, English / Chinese | 1 / 2 | 25 / 38 | 85 / 86 |
 * | English questions, Chinese texts / the reverse | 2 / 4 | 21 / 44 | 73 / 87 |
 * | CMRC 2018 | 0 | 4 | 70 |
 * | Cranfield (several answers to each) | 24 | 25 | 36 |
 *
 * Of questions about something that the collection does not hold, 0 to 2 % have a high hit (CMRC: 5 %, other script: 0 to
 * 6 %), and 71 to 100 % have only low hits.
 *
 * By vectors of an outside model alone (measured with vectors of the built-in table in their place), 23 to 45 % of the medium
 * hits and 45 to 82 % of the high hits answer the question. 2 % of questions about something else have a high hit.
 */
const HIGH = 0.6;
const MEDIUM = 0.4;

/** How well a chunk covers the query. `coverage`: the share of the query's idf that it has, 0 to 1 (see `rank/coverage.ts`). */
export function degreeOf(coverage: number): MatchDegree {
  return coverage >= HIGH ? "high" : coverage >= MEDIUM ? "medium" : "low";
}
