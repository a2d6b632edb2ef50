import type { ExactVectors, VectorMeta } from "../index/mod.ts";

/** What of an index that is being written an embedder needs. */
export interface EmbeddedIndex {
  /** The content hash of a chunk that was added. */
  contentHash(chunk: number): Uint8Array;
  /** Sets the vector of a chunk that was added, and the words it was made of. */
  setVector(chunk: number, vector: Float32Array, words?: Uint8Array): void;
}

/** Gives the chunks of a run their vectors, while the run reads on. */
export interface ChunkEmbedder extends AsyncDisposable {
  readonly meta: VectorMeta;
  /** Names the index that the chunks are in; before the first {@linkcode add}. */
  begin(index: EmbeddedIndex): void;
  /** Takes the text of a chunk that was added to the index. Waits while there is too much to do; throws what went wrong before. */
  add(chunk: number, text: string): Promise<void>;
  /** Waits until every chunk has its vector. Throws what went wrong. */
  finish(): Promise<void>;
  /** Where the vectors are, if they go into the index as float32. */
  readonly exact?: ExactVectors;
  /** Chunks that have got their vectors in this run, … */
  readonly embedded: number;
  /** … of so many that were added and whose vectors were not known. */
  readonly toEmbed: number;
  /** Texts that the model would not take in this run: their chunks have no vectors. */
  readonly refused: number;
  /** The index is on the disk: what was kept in case it failed may go. */
  commit(): void;
}
