import type { Candidates } from "./candidates.ts";
import type { Evidence } from "./evidence.ts";
import { isForeign } from "./foreign.ts";
import type { LegValues } from "./leg_values.ts";
import type { PreparedQuery } from "./prepared_query.ts";
import { type Shares, totalsOf } from "./shares.ts";
import { NOT_VERBATIM, VERBATIM } from "./verbatim.ts";

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
    const { mode, fusion, meaning } = query.request;
    if (meaning === undefined || mode !== "hybrid" || fusion !== "weighted") return factors;
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
