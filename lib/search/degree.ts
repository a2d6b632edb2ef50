import type { MatchDegree } from "./types.ts";

/**
 * Least coverage of a high and of a medium hit. Measured on the dev collections with all legs and ten hits for each
 * question: the share of hits of each degree that answer the question, in per cent.
 *
 * | | low | medium | high |
 * |---|---|---|---|
 * | XQuAD, English / Chinese | 0 / 1 | 19 / 33 | 89 / 92 |
 * | its paragraphs and sentences, both languages in one folder, English / Chinese | 1 / 2 | 21 / 29 | 87 / 86 |
 * | English questions, Chinese texts / the reverse | 3 / 5 | 30 / 53 | 79 / 78 |
 * | CMRC 2018 | 0 | 6 | 82 |
 * | Cranfield (several answers to each) | 22 | 23 | 33 |
 * | mixed folder, questions and short queries: en → en / zh → zh | 0 / 0 | 3 / 4 | 97 / 97 |
 * | the same: en → zh / zh → en | 6 / 4 | 22 / 17 | 78 / 75 |
 *
 * By vectors of an outside model alone (measured with vectors of the built-in table in their place), 23 to 45 % of the
 * medium hits and 45 to 82 % of the high hits answer the question. 2 % of questions about something else have a high hit.
 */
const HIGH = 0.6;
const MEDIUM = 0.4;

/**
 * How well a chunk covers the query. `coverage`: the share of the query's idf that it has, 0 to 1 (see `rank/coverage.ts`).
 */
export function degreeOf(coverage: number): MatchDegree {
  return coverage >= HIGH ? "high" : coverage >= MEDIUM ? "medium" : "low";
}

/** The least coverage of a hit of a degree. */
export function leastCoverage(degree: MatchDegree): number {
  return degree === "high" ? HIGH : degree === "medium" ? MEDIUM : 0;
}
