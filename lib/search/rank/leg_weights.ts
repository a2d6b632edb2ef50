import type { LegName } from "./types.ts";

/** What each leg counts. */
export type LegWeights = Readonly<Partial<Record<LegName, number>>>;

/**
 * The recipe for the built-in table: each leg is divided by its greatest value among the candidates, keyword and translation
 * by that of their sum. The weights are flat: each times .5 to 1.5 changes little on ten collections (RANKING.md). Within that
 * band M, S and E count least, V most: what takes no notice of a text's length does harm where lengths differ. On manual pages
 * and Python's doc strings (nDCG@10 less that of BM25, in thousandths: tools, gcloud, C, Python): as here +5, +8, +1, −10; with
 * M .3, S .4, E .2, V .2: −1, +4, −3, −19.
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

/** In texts of a sentence or two frequencies and windows say nothing: .8 (.6 B + .4 M) + .2 V, with B as 1. */
const SHORT: LegWeights = { keyword: 1, translation: 1, maxsim: 0.67, sentence: 0.42 };

/** Chunks of so many words on average are short ones, or long ones. */
const SHORT_WORDS = 40, LONG_WORDS = 80;

/** Weight of V, at least, in a text of another script than the question's: there it says more than words do. */
export const FOREIGN_SENTENCE = 0.4;

/** The recipe for a collection whose chunks have `words` words on average. */
export function recipe(words: number): LegWeights {
  const long = Math.min(1, Math.max(0, (words - SHORT_WORDS) / (LONG_WORDS - SHORT_WORDS)));
  const legs = Object.keys(LONG) as LegName[];
  return Object.fromEntries(legs.map((leg) => [leg, long * LONG[leg]! + (1 - long) * (SHORT[leg] ?? 0)]));
}
