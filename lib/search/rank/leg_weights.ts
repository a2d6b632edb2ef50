import type { LegName } from "./types.ts";

/** The greatest share of the score that each leg can give. */
export type LegWeights = Readonly<Partial<Record<LegName, number>>>;

/**
 * The weights for the built-in table. Each leg is divided by its greatest value among the candidates, keyword and
 * translation by that of their sum. Multiplying a weight by .5 to 1.5 changes little on ten collections (RANKING.md). Within
 * that range M, S and E are at the lower end and V at the upper, because legs that ignore the length of a text do harm where
 * lengths differ. nDCG@10 minus that of BM25, in thousandths, on manual pages (tools, gcloud, C) and Python's doc strings:
 * +5, +8, +1, −10 with these weights; −1, +4, −3, −19 with M .3, S .4, E .2, V .2.
 */
const LONG: LegWeights = {
  keyword: 1,
  translation: 1,
  maxsim: 0.15,
  soft: 0.2,
  exact: 0.05,
  sentence: 0.3,
  window: 0.1,
  feedback: 0.2,
};

/**
 * Weights for texts of a sentence or two, in which frequencies and windows carry no information: .8 (.6 B + .4 M) + .2 V,
 * scaled so that B has 1.
 */
const SHORT: LegWeights = { keyword: 1, translation: 1, maxsim: 0.67, sentence: 0.42 };

/** Mean words of a chunk up to which the weights for short texts hold, and from which those for long texts hold. */
const SHORT_WORDS = 40, LONG_WORDS = 80;

/** Minimum weight of V in a text of another script than the question's, where V is more reliable than words. */
export const FOREIGN_SENTENCE = 0.4;

/** Returns the weights for a collection whose chunks have `words` words on average. */
export function recipe(words: number): LegWeights {
  const long = Math.min(1, Math.max(0, (words - SHORT_WORDS) / (LONG_WORDS - SHORT_WORDS)));
  const legs = Object.keys(LONG) as LegName[];
  return Object.fromEntries(legs.map((leg) => [leg, long * LONG[leg]! + (1 - long) * (SHORT[leg] ?? 0)]));
}
