import type { ExactVectors, VectorMeta } from "../index/mod.ts";

/** Gives the chunks of a run their vectors, while the run reads on. */
export interface ChunkEmbedder extends AsyncDisposable {
  readonly meta: VectorMeta;
  /** Takes the text of a chunk that was added to the index. Waits while there is too much to do; throws what went wrong before. */
  add(chunk: number, text: string): Promise<void>;
  /** Waits until every chunk has its vector. Throws what went wrong. */
  finish(): Promise<void>;
  /** Where the vectors are, if they go into the index as float32. */
  readonly exact?: ExactVectors;
  /** Chunks that have got their vectors in this run. */
  readonly embedded: number;
}
