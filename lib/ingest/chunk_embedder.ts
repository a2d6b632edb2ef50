import type { ExactVectors, VectorMeta } from "../index/mod.ts";

/** The part of an index writer that an embedder needs. */
export interface EmbeddedIndex {
  /** The content hash of a chunk that was added. */
  contentHash(chunk: number): Uint8Array;
  /** Sets the vector of a chunk that was added, and bytes that tell which words it was made of. */
  setVector(chunk: number, vector: Float32Array, words?: Uint8Array): void;
}

/** Makes the vectors of the chunks of a run, while the run goes on reading. */
export interface ChunkEmbedder extends AsyncDisposable {
  readonly meta: VectorMeta;
  /** Sets the index that the chunks are added to. Call it before {@linkcode add}. */
  begin(index: EmbeddedIndex): void;
  /**
   * Queues the text of a chunk that was added to the index. Waits while the queue is full. `isFresh`: a vector that earlier
   * runs have made is not used. Throws earlier failures.
   */
  add(chunk: number, text: string, isFresh?: boolean): Promise<void>;
  /** Waits until every chunk has its vector. Throws failures. */
  finish(): Promise<void>;
  /** Returns the vector of a chunk. Present if the index stores the vectors as float32. */
  readonly exact?: ExactVectors;
  /** Chunks embedded in this run. */
  readonly embedded: number;
  /** Chunks added in this run whose vectors were not known before. */
  readonly toEmbed: number;
  /** Texts that the model rejected in this run. Their chunks have no vectors. */
  readonly refused: number;
  /** Removes what was kept for the case that the run fails. Call it when the index is on the disk. */
  commit(): void;
}
