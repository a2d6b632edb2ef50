import type { LegName } from "./types.ts";

/** What each leg of the built-in table counts, after it was divided by its greatest value among the candidates. */
export type LegWeights = Readonly<Partial<Record<LegName, number>>>;

/**
 * Measured on ten collections; flat: any of them times .5 to 1.5 changes little (RANKING.md). Keyword and translation are
 * one leg, divided by the maximum of their sum.
 */
export const WEIGHTS: LegWeights = {
  keyword: 1,
  translation: 1,
  maxsim: 0.3,
  soft: 0.4,
  exact: 0.2,
  sentence: 0.2,
  window: 0.1,
  feedback: 0.2,
};

/** On texts of a sentence or two frequencies and windows say nothing: .8 (.6 B + .4 M) + .2 V, with B as 1. */
export const SHORT_WEIGHTS: LegWeights = {
  keyword: 1,
  translation: 1,
  maxsim: 0.67,
  sentence: 0.42,
};

/** Weight of V in a text of another script than the question's: there it says more than words do. */
export const FOREIGN_SENTENCE = 0.4;

/** Chunks of so few words on average are short ones, of so many they are long ones. */
const SHORT = 40, LONG = 80;

/** The weights for a collection whose chunks have `words` words on average. */
export function weightsFor(words: number): Record<LegName, number> {
  const long = Math.min(1, Math.max(0, (words - SHORT) / (LONG - SHORT)));
  const weight = (leg: LegName) => long * (WEIGHTS[leg] ?? 0) + (1 - long) * (SHORT_WEIGHTS[leg] ?? 0);
  return {
    keyword: weight("keyword"),
    translation: weight("translation"),
    vector: 0,
    maxsim: weight("maxsim"),
    soft: weight("soft"),
    exact: weight("exact"),
    sentence: weight("sentence"),
    window: weight("window"),
    feedback: weight("feedback"),
  };
}
