import type { Candidates } from "./candidates.ts";
import { FORMULAS } from "./chance_formulas.ts";
import type { Evidence } from "./evidence.ts";
import { isForeign } from "./foreign.ts";
import type { LegValues } from "./leg_values.ts";
import type { PreparedQuery } from "./prepared_query.ts";
import type { Formula, Signs } from "./types.ts";

/** Words that are surely there count up to this number. */
const SURE_WORDS = 2;
/** Keeps the outlier in the range of the other signs. */
const PER_OUTLIER = 10;
/** A vector with more deviations above the mean has something in common with the question. */
const LEAST_OUTLIER = 1.5;
/** A text with a smaller share of the question's terms has none of its words, but only words or vectors like them. */
const LEAST_HELD = 0.1;
/**
 * The greatest chance of a text with none of the question's words, and of one that surely translates a single word, which may have
 * another sense there: medium. The questions that the formulas were fitted to have few such answers.
 */
const MOST_WITHOUT_WORDS = 0.75;

/**
 * Returns the signs of each candidate; `undefined` for one that has nothing in common with the question: no word, similar word or
 * translation, and no vector near it. `outliers`: standard deviations above the mean by local models, 0 without a vector.
 */
export function signsOf(
  query: PreparedQuery,
  candidates: Candidates,
  { vector, sentence }: LegValues,
  evidence: Evidence,
  outliers: Float64Array | undefined,
): (Signs | undefined)[] {
  const { terms, alike, close, near, translated, sure } = evidence;
  const { mean, deviation } = query.spread ?? { mean: 0, deviation: 0 };
  return Array.from(terms, (held, i) => {
    const outlier = outliers?.[i] ?? (deviation > 0 ? (vector![i]! - mean) / deviation : 0);
    const foreign = isForeign(query, candidates, i);
    const isLike = held > 0 || (alike?.[i] ?? 0) > 0 || outlier > LEAST_OUTLIER ||
      foreign && (translated![i]! > 0 || near![i]! > 0);
    if (!isLike) return undefined;
    return {
      held,
      near: foreign ? near![i] : close?.[i],
      translated: foreign ? translated![i] : undefined,
      sure: foreign ? Math.min(SURE_WORDS, sure![i]!) / SURE_WORDS : undefined,
      sentence: sentence?.[i],
      outlier: outlier === 0 ? undefined : outlier / PER_OUTLIER,
    };
  });
}

/** Returns how likely a chunk with these signs answers the question, from 0 to 1, by the first formula that knows all its signs. */
export function chanceOf(signs: Signs, formulas: readonly Formula[] = FORMULAS): number {
  const isForeign = signs.translated !== undefined;
  const { constant, weights } = formulas.find(({ foreign, weights }) =>
    foreign === isForeign && weights.every(([sign]) => signs[sign] !== undefined)
  )!;
  const sum = weights.reduce((sum, [sign, weight]) => sum + weight * signs[sign]!, constant);
  const chance = 1 / (1 + Math.exp(-sum));
  const hasWords = isForeign ? signs.sure! === 1 : signs.held >= LEAST_HELD;
  return hasWords ? chance : Math.min(chance, MOST_WITHOUT_WORDS);
}
