import { RerankFailure } from "./reranker.ts";

/** One judgement of an answer: the passage's place in the request, and its number. */
export interface Judgement {
  readonly index: unknown;
  readonly score: unknown;
}

/**
 * Returns the number of each of `count` passages. Throws {@linkcode RerankFailure}: `not_numbers` if a number is missing or
 * not finite, `incomplete` unless every passage has exactly one.
 */
export function scoresOf(judgements: readonly Judgement[], count: number, url: string): Float64Array {
  const scores = new Float64Array(count).fill(NaN);
  let judged = 0;
  for (const { index, score } of judgements) {
    if (!Number.isInteger(index) || (index as number) < 0 || (index as number) >= count) continue;
    if (!Number.isFinite(score)) throw new RerankFailure("not_numbers", { url });
    if (Number.isNaN(scores[index as number])) judged++;
    scores[index as number] = score as number;
  }
  if (judged !== count || judgements.length !== count) {
    throw new RerankFailure("incomplete", { url, expected: count, found: judged });
  }
  return scores;
}

/**
 * Returns numbers from 0 to 1 in the same order. Servers give probabilities or, as llama.cpp does, the model's raw numbers,
 * whose logistic function is the probability.
 */
export function toShares(scores: Float64Array): Float64Array {
  return scores.every((score) => score >= 0 && score <= 1) ? scores : scores.map(logistic);
}

/** Returns the probability that a logit stands for. */
export function logistic(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}
