import type { MatchDegree } from "./types.ts";

/** From this share of the query's idf on, a chunk holds most of what was asked for. */
const HIGH = 0.6;
/** Below this share it holds words of the question by chance. */
const MEDIUM = 0.35;

/** How well a chunk covers the query. `coverage`: the share of the query's idf that its terms make up, 0 to 1. */
export function degreeOf(coverage: number): MatchDegree {
  return coverage >= HIGH ? "high" : coverage >= MEDIUM ? "medium" : "low";
}
