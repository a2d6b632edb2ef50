import type { Coverages, LegValues, WordLegs } from "./leg_values.ts";
import type { PreparedQuery } from "./prepared_query.ts";
import { totalIdf } from "./query_words.ts";

/** How much of the question each candidate holds: shares of its idf, from 0 to 1. */
export interface Evidence {
  /** By the terms of the question itself. */
  readonly terms: Float64Array;
  /**
   * By its terms, or by its words close together if that is more: 数据库的备份 has the words of 数据库备份, but not each pair of
   * characters.
   */
  readonly verbatim: Float64Array;
  /** By equal or similar words (c² of MaxSim). Absent if they were not compared. */
  readonly alike: Float64Array | undefined;
  /** The greatest part of {@linkcode alike} within a few words. Absent if words were not compared. */
  readonly close: Float64Array | undefined;
  /** The most within a few words by equal words, and by translations as far as they are sure. Absent without a translation. */
  readonly near: Float64Array | undefined;
  /** Number of the question's words that are surely there within those few words. Absent without a translation. */
  readonly sure: Float64Array | undefined;
  /** By translations of any sureness. Absent without a translation. */
  readonly translated: Float64Array | undefined;
}

/** Returns the evidence of candidates. */
export function evidenceOf(
  { words }: PreparedQuery,
  { maxsim, window: inWindow }: LegValues,
  { own, translated }: Coverages,
  { close, covers }: Omit<WordLegs, "values">,
): Evidence {
  const idf = totalIdf(words);
  const shareOf = (value: number) => idf === 0 ? 0 : value / idf;
  return {
    terms: own,
    verbatim: inWindow === undefined ? own : own.map((share, i) => Math.max(share, shareOf(inWindow[i]!))),
    alike: maxsim?.map(shareOf),
    close: close?.map(shareOf),
    near: covers && Float64Array.from(covers, ({ near }) => shareOf(near)),
    sure: covers && Float64Array.from(covers, ({ sure }) => sure),
    translated,
  };
}
