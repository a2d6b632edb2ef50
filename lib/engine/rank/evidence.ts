/**
 * The words of the question that a candidate holds, and the order that follows from them before any score.
 */
import type { Coverages, LegValues, WordLegs } from "./legs.ts";
import { type Candidates, isForeign, NOT_VERBATIM, VERBATIM } from "./candidates.ts";
import type { PreparedQuery } from "./prepared_query.ts";
import { totalIdf } from "./query_words.ts";
import { type Shares, totalsOf } from "./fusion.ts";
import { FORMULAS } from "./chance_formulas.ts";
import type { Formula, RankedChunk, Signs } from "./types.ts";

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
  /** By the terms of generated texts. Absent where there are none. */
  readonly generated: Float64Array | undefined;
}

/** Returns the evidence of candidates. */
export function evidenceOf(
  { words }: PreparedQuery,
  { maxsim }: LegValues,
  { own, translated, generated }: Coverages,
  { equal, close, covers }: Omit<WordLegs, "values">,
): Evidence {
  const idf = totalIdf(words);
  const shareOf = (value: number) => idf === 0 ? 0 : value / idf;
  return {
    terms: own,
    verbatim: equal === undefined ? own : own.map((share, i) => Math.max(share, shareOf(equal[i]!))),
    alike: maxsim?.map(shareOf),
    close: close?.map(shareOf),
    near: covers && Float64Array.from(covers, ({ near }) => shareOf(near)),
    sure: covers && Float64Array.from(covers, ({ sure }) => sure),
    translated,
    generated,
  };
}

/** How steeply the trust in the other language depends on the difference of the evidence. */
const STEEPNESS = 5;
/**
 * The trust is 1 where f = OWN · o − HANDICAP: scattered words in the question's language give way sooner than many words.
 */
const OWN = 1.5, HANDICAP = 0.3;
/** Limits of the trust. */
const LEAST_TRUST = 0.6, MOST_TRUST = 1.2;

/** Keeps a score that is put below another one from being equal to it. */
const BELOW = 1 - 1e-6;

/**
 * Puts the words of the question before their translations. The first answer to a question sets the factors, so that the
 * scores of later answers compare with it.
 *
 * - *Trust*: the scores of candidates in the other language are multiplied by e^(5 · (f − 1.5 o + .3)), between .6 and 1.2,
 *   where o is the best evidence of a candidate in the question's language, and f that of a candidate in the other.
 * - *Verbatim first*: where candidates hold the question's rare words, those that hold translations or similar words alone
 *   come after all of them.
 */
export class Precedence {
  #trust: number | undefined;
  /** The least score so far of candidates that hold the rare words. */
  #least = Infinity;
  /**
   * The greatest score of candidates without the rare words, and the factor that lowers them to it. Set when there are both
   * kinds.
   */
  #others: { readonly most: number; readonly factor: number } | undefined;

  /** Returns the factor for the score of each candidate. */
  factors(
    query: PreparedQuery,
    candidates: Candidates,
    evidence: Evidence,
    values: LegValues,
    shares: Shares,
  ): Float64Array {
    const factors = new Float64Array(candidates.length).fill(1);
    const { mode, fusion } = query.request;
    if (mode !== "hybrid" || fusion !== "weighted") return factors;
    const foreign = factors.map((_, i) => isForeign(query, candidates, i) ? 1 : 0);
    const trust = this.#trust ??= trustOf(foreign, evidence, values);
    const scores = totalsOf(shares, candidates.length);
    for (let i = 0; i < factors.length; i++) if (foreign[i] === 1) factors[i] = trust;
    this.#order(factors, scores.map((score, i) => score * factors[i]!), evidence);
    return factors;
  }

  #order(factors: Float64Array, scores: Float64Array, { verbatim }: Evidence): void {
    if (this.#others === undefined) {
      let most = 0;
      for (let i = 0; i < scores.length; i++) {
        if (verbatim[i]! >= VERBATIM) this.#least = Math.min(this.#least, scores[i]!);
        else if (verbatim[i]! < NOT_VERBATIM) most = Math.max(most, scores[i]!);
      }
      if (this.#least === Infinity || most === 0) return;
      const factor = Math.min(1, BELOW * this.#least / most);
      this.#others = { most: most * factor, factor };
    }
    const { most, factor } = this.#others;
    for (let i = 0; i < scores.length; i++) {
      const score = scores[i]!;
      if (score <= 0) continue;
      if (verbatim[i]! >= VERBATIM) factors[i]! *= Math.max(1, most / BELOW / score);
      else if (verbatim[i]! < NOT_VERBATIM) factors[i]! *= Math.min(factor, most / score);
    }
  }
}

/** Returns the factor for candidates in the other language. */
function trustOf(foreign: Float64Array, evidence: Evidence, { sentence }: LegValues): number {
  const { terms, translated, near, alike } = evidence;
  if (translated === undefined) return 1;
  let own = 0, other = 0;
  for (let i = 0; i < foreign.length; i++) {
    const held = foreign[i] === 1 ? Math.max(terms[i]!, translated[i]!) : terms[i]!;
    const parts = [held, near?.[i], alike?.[i], sentence?.[i]].filter((part) => part !== undefined);
    const mean = parts.reduce((sum, part) => sum + part, 0) / parts.length;
    if (foreign[i] === 1) other = Math.max(other, mean);
    else own = Math.max(own, mean);
  }
  return Math.min(MOST_TRUST, Math.max(LEAST_TRUST, Math.exp(STEEPNESS * (other - OWN * own + HANDICAP))));
}

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
 * translation, no vector near it, and no word in a generated text. `outliers`: standard deviations above the mean by local models, 0 without a vector.
 */
export function signsOf(
  query: PreparedQuery,
  candidates: Candidates,
  { sentence }: LegValues,
  evidence: Evidence,
  outliers: Float64Array | undefined,
): (Signs | undefined)[] {
  const { terms, alike, close, near, translated, sure, generated } = evidence;
  return Array.from(terms, (held, i) => {
    const outlier = outliers?.[i] ?? 0;
    const foreign = isForeign(query, candidates, i);
    const isLike = held > 0 || (alike?.[i] ?? 0) > 0 || outlier > LEAST_OUTLIER ||
      foreign && (translated![i]! > 0 || near![i]! > 0) || (generated?.[i] ?? 0) >= LEAST_HELD;
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

/** Whether a chunk was found by its generated texts alone: neither its words nor words like them are those of the question. */
export function isFoundByGenerated(
  { generated = 0, signs }: Pick<RankedChunk, "generated" | "signs">,
): boolean {
  const { held = 0, near = 0, translated = 0 } = signs ?? {};
  return generated >= LEAST_HELD && Math.max(held, near, translated) < LEAST_HELD;
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
