/**
 * The interface of a reranker, which judges how well passages answer a question. A search calls it for its best candidates
 * and orders them by its numbers.
 *
 * A new reranker is a folder `lib/rerank/<name>/` with a class that implements {@linkcode Reranker} and throws
 * {@linkcode RerankFailure} if it fails. Besides, these files change:
 *
 * - `create_reranker.ts` constructs it;
 * - `lib/config/choices.ts` lists its name in `RERANKERS`, and `lib/config/schema.ts` has its keys;
 * - `lib/messages/rerank.ts` has the text for each new {@linkcode RerankFailureKind}.
 *
 * `maxsim` has no folder here: it compares the words that the index stores for each chunk, as legs of the ranking
 * (`lib/search/rank/legs/`), and needs no text of a passage.
 * @module
 */
import type { MessageKey, MessageParams } from "../messages.ts";
import { type FailureOptions, ServerFailure } from "../remote/mod.ts";

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
export type RerankFailureKind = MessageKey extends infer Key
  ? Key extends `rerank_${infer Kind}` ? Kind : never
  : never;

/** Passages that could not be judged. */
export class RerankFailure extends ServerFailure {
  constructor(readonly kind: RerankFailureKind, params: MessageParams, options?: FailureOptions) {
    super(`rerank_${kind}`, params, options);
  }
}
