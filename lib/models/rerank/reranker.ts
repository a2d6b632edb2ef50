/**
 * The interface of a reranker, which judges how well passages answer a question: a search calls it for its best candidates and orders
 * them by its numbers. `README.md` of the house says how to add one. `maxsim` has no file here: it compares the words that the
 * index stores for each chunk, as legs of the ranking (`lib/engine/rank/legs.ts`), and needs no text of a passage.
 */
import type { MessageKey, MessageParams } from "#foundation/messages/mod.ts";
import { type FailureOptions, type RemoteServer, remoteServer, ServerFailure } from "#models/remote/mod.ts";
import type { Config } from "#foundation/configuration/mod.ts";

/** Judges passages. Calls may overlap. */
export interface Reranker {
  /** Names the implementation and its model, such as `remote/bge-reranker-v2-m3`. */
  readonly id: string;
  /**
   * Returns how well each passage answers the question, from 0 to 1, in the order of the passages. The numbers are
   * comparable within one call only. Throws {@linkcode RerankFailure}, or the reason of `signal` if it is aborted.
   */
  score(question: string, passages: readonly string[], signal: AbortSignal): Promise<Float64Array>;
  /** Frees what the reranker holds. A later call of {@linkcode score} works again. */
  close?(): void;
}

/** The reason for which a reranker gives no order: the `x` of a message `rerank_x`. */
type RerankFailureKind = MessageKey extends infer Key ? Key extends `rerank_${infer Kind}` ? Kind : never
  : never;

/** Passages that could not be judged. */
export class RerankFailure extends ServerFailure {
  constructor(readonly kind: RerankFailureKind, params: MessageParams, options?: FailureOptions) {
    super(`rerank_${kind}`, params, options);
  }
}

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

/** Returns the server of the section `rerank`, whose `base_url` must be set. */
export function rerankServer(rerank: Config["rerank"]): RemoteServer {
  return remoteServer(rerank, (kind, params, options) => new RerankFailure(kind, params, options));
}
