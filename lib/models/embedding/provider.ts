/**
 * The interface of an embedding provider, which turns texts into vectors. `README.md` of the house says how to add one.
 */
import type { MessageKey, MessageParams } from "#foundation/messages/mod.ts";
import { type FailureOptions, ServerFailure } from "#models/remote/mod.ts";

/** The role of a text in a search. Many models expect a different instruction before each kind. */
export type EmbeddingKind = "document" | "query";

/** Turns texts into vectors. The cosine of two vectors says how similar the texts are in meaning. */
export interface EmbeddingProvider {
  /** Names provider, model and version. Vectors of different ids must not be compared. */
  readonly id: string;
  /** For people. Default: the id. */
  readonly name?: string;
  /** Numbers in a vector. `undefined` before the first answer of a server, unless the configuration sets it. */
  readonly dimensions: number | undefined;
  /**
   * Returns a vector of length 1 for each text, in the order of the texts. The vector is all zeros if the text has no word
   * that the model knows, or if it is a document that the server refuses.
   *
   * `onVectors` is called with each part of the result as it arrives and the index of its first text, so that vectors that
   * were paid for are not lost if the rest fails. Throws {@linkcode EmbeddingFailure}, or the reason of `signal` if it is
   * aborted.
   */
  embed(
    texts: readonly string[],
    kind: EmbeddingKind,
    signal?: AbortSignal,
    onVectors?: (first: number, vectors: readonly Float32Array[]) => void,
  ): Promise<Float32Array[]>;
}

/** Returns the vector of a query. Throws as {@linkcode EmbeddingProvider.embed} does. */
export async function embedQuery(
  provider: EmbeddingProvider,
  text: string,
  signal?: AbortSignal,
): Promise<Float32Array> {
  const [vector] = await provider.embed([text], "query", signal);
  return vector!;
}

/** The reason for which a server gives no vectors: the `x` of a message `embedding_x`. */
export type FailureKind = MessageKey extends infer Key ? Key extends `embedding_${infer Kind}` ? Kind : never
  : never;

/** A request for vectors that failed. */
export class EmbeddingFailure extends ServerFailure {
  constructor(readonly kind: FailureKind, params: MessageParams, options?: FailureOptions) {
    super(`embedding_${kind}`, params, options);
  }
}
