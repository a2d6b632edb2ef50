/**
 * The formulas by which answers are measured, those of ragas (github.com/explodinggradients/ragas, `src/ragas/metrics`): from verdicts
 * on statements and passages to a value. A value that does not exist is NaN.
 */

/** The metrics of answers in the order in which they are shown. */
export const ANSWER_METRICS = [
  "faithfulness",
  "answer_relevancy",
  "context_precision",
  "context_recall",
  "answer_correctness",
] as const;

export type AnswerMetric = typeof ANSWER_METRICS[number];

/** Faithfulness: the share of the statements of an answer that its passages support. NaN without statements. */
export function faithfulness(areSupported: readonly boolean[]): number {
  return share(areSupported);
}

/** Context recall: the share of the statements of the reference that the passages support. NaN without statements. */
export function contextRecall(areSupported: readonly boolean[]): number {
  return share(areSupported);
}

function share(verdicts: readonly boolean[]): number {
  return verdicts.filter((verdict) => verdict).length / verdicts.length;
}

/**
 * Context precision: the average precision of the passages in their order, given which of them help to answer the question. 0 if none
 * does.
 *
 * ```ts
 * import { contextPrecision } from "./answer_metrics.ts";
 * import { equal } from "node:assert/strict";
 *
 * // The passages at ranks 1 and 3 help: (1/1 + 2/3) / 2.
 * equal(contextPrecision([true, false, true]), (1 + 2 / 3) / 2);
 * ```
 */
export function contextPrecision(areUseful: readonly boolean[]): number {
  let useful = 0;
  let sum = 0;
  for (const [i, isUseful] of areUseful.entries()) {
    if (!isUseful) continue;
    useful++;
    sum += useful / (i + 1);
  }
  // ragas divides by the number plus 1e-10, so that a perfect ranking gets 0.9999999999.
  return useful === 0 ? 0 : sum / useful;
}

/**
 * Answer relevancy: the mean similarity of the question and what stands for the answer, such as questions that the answer would answer.
 * 0 if all of it is noncommittal ("I don't know"), NaN if there is nothing to compare.
 */
export function answerRelevancy(
  compared: readonly { readonly similarity: number; readonly isNoncommittal: boolean }[],
): number {
  if (compared.length === 0) return NaN;
  if (compared.every(({ isNoncommittal }) => isNoncommittal)) return 0;
  return compared.reduce((sum, { similarity }) => sum + similarity, 0) / compared.length;
}

/** The statements of an answer and its reference: in both, in the answer alone, in the reference alone. */
export interface StatementCounts {
  readonly both: number;
  readonly answerOnly: number;
  readonly referenceOnly: number;
}

/** Share of the statements in the correctness of an answer; the rest is the similarity of the texts. */
const STATEMENTS_WEIGHT = 0.75;

/** Answer correctness: the F1 of the statements, weighted with the similarity of answer and reference. */
export function answerCorrectness(
  { both, answerOnly, referenceOnly }: StatementCounts,
  similarity: number,
): number {
  const all = 2 * both + answerOnly + referenceOnly;
  const f1 = all === 0 ? 1 : 2 * both / all;
  return STATEMENTS_WEIGHT * f1 + (1 - STATEMENTS_WEIGHT) * similarity;
}

/** Returns the cosine of two vectors; NaN if one is all zeros. */
export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [product, ofA, ofB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    product += a[i]! * b[i]!;
    ofA += a[i]! * a[i]!;
    ofB += b[i]! * b[i]!;
  }
  return product / Math.sqrt(ofA * ofB);
}
