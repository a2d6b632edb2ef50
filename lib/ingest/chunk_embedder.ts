import type { VectorMeta } from "../index/mod.ts";

/** The part of an index writer that an embedder needs. */
export interface EmbeddedIndex {
  /** Sets the vector of a chunk that was added, and bytes that tell which words it was made of. */
  setVector(chunk: number, vector: Float32Array, words?: Uint8Array): void;
}

/** Makes the vectors of the chunks of a run, while the run goes on reading. */
export interface ChunkEmbedder extends AsyncDisposable {
  readonly meta: VectorMeta;
  /** Sets the index that the chunks are added to. Call it before {@linkcode add}. */
  begin(index: EmbeddedIndex): void;
  /** Queues the text of a chunk that was added to the index. Waits while the queue is full. Throws earlier failures. */
  add(chunk: number, text: string): Promise<void>;
  /** Waits until every chunk has its vector. Throws failures. */
  finish(): Promise<void>;
  /** Chunks embedded in this run. */
  readonly embedded: number;
  /** Chunks added in this run. */
  readonly toEmbed: number;
}
