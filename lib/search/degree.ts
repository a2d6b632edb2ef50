import type { MatchDegree } from "./types.ts";

/**
 * Least chance of a high and of a medium hit. `scripts/calibrate_degrees.ts` shows how many hits of each degree are right on questions
 * that were not used to fit the chances; the table is in RANKING.md, "Match degree".
 */
const HIGH = 0.8;
const MEDIUM = 0.15;

/** `chance`: how likely a hit answers the question, 0 to 1 (see `rank/chance.ts`). */
export function degreeOf(chance: number): MatchDegree {
  return chance >= HIGH ? "high" : chance >= MEDIUM ? "medium" : "low";
}

/** The least chance of a hit of a degree. */
export function leastChance(degree: MatchDegree): number {
  return degree === "high" ? HIGH : degree === "medium" ? MEDIUM : 0;
}
