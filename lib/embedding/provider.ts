/** What a text is to the search: models that tell the two apart are given different instructions. */
export type EmbeddingKind = "document" | "query";

/** Turns texts into vectors whose cosine says how near they are in meaning. */
export interface EmbeddingProvider {
  /** Names provider, model and version: vectors of different ids must not be compared. */
  readonly id: string;
  /** Numbers in a vector. */
  readonly dimensions: number;
  /**
   * One vector of length 1 for every text, in their order; all zeros for a text that holds nothing the model knows.
   * Throws the reason of `signal` when it is aborted.
   */
  embed(texts: readonly string[], kind: EmbeddingKind, signal?: AbortSignal): Promise<Float32Array[]>;
}
