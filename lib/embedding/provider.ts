/** What a text is to the search: models that tell the two apart are given different instructions. */
export type EmbeddingKind = "document" | "query";

/** Turns texts into vectors whose cosine says how near they are in meaning. */
export interface EmbeddingProvider {
  /** Names provider, model and version: vectors of different ids must not be compared. */
  readonly id: string;
  /** Numbers in a vector; of a model elsewhere `undefined` until its first answer, unless they are configured. */
  readonly dimensions: number | undefined;
  /**
   * One vector of length 1 for every text, in their order; all zeros for a text that holds nothing the model knows, or for a
   * document that it will not take. Throws the reason of `signal` when it is aborted. `onVectors` hears of vectors that come before
   * the last, with the place of the first: what is paid for is not lost if the rest fails.
   */
  embed(
    texts: readonly string[],
    kind: EmbeddingKind,
    signal?: AbortSignal,
    onVectors?: (first: number, vectors: readonly Float32Array[]) => void,
  ): Promise<Float32Array[]>;
}
