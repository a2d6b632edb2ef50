import { HASH_BYTES } from "../../index/mod.ts";
import type { NeuralLanguage, NeuralModels } from "../../embedding/mod.ts";
import { type ContentVectors, neuralLanguageOf, type OpenIndex } from "../../store/mod.ts";

/** Chunks whose hashes are read at once. */
const PIECE = 1 << 14;

/** The row that each chunk of an index has in the vectors of one model. */
export class ChunkRows {
  /** Row of each chunk; -1 for a chunk without a vector. */
  readonly rows: Int32Array;
  readonly #hashes: Uint8Array;
  readonly #languages: Uint8Array;
  readonly #vectors: ContentVectors;
  /** Number of vectors when the rows were looked up last. */
  #known = 0;

  private constructor(vectors: ContentVectors, hashes: Uint8Array, languages: Uint8Array) {
    this.#vectors = vectors;
    this.#hashes = hashes;
    this.#languages = languages;
    this.rows = new Int32Array(hashes.length / HASH_BYTES).fill(-1);
  }

  /** Looks up the rows of all chunks. */
  static async of(index: OpenIndex, vectors: ContentVectors): Promise<ChunkRows> {
    const count = index.statistics.chunks;
    const hashes = new Uint8Array(count * HASH_BYTES), languages = new Uint8Array(count);
    for (let from = 0; from < count; from += PIECE) {
      const chunks = Int32Array.from({ length: Math.min(PIECE, count - from) }, (_, i) => from + i);
      for (const [i, hash] of (await index.contentHashes(chunks)).entries()) {
        hashes.set(hash.subarray(0, HASH_BYTES), (from + i) * HASH_BYTES);
      }
      languages.set(await index.languages(chunks), from);
    }
    const rows = new ChunkRows(vectors, hashes, languages);
    rows.refresh();
    return rows;
  }

  /** Looks up the chunks that had no vector, if there are new vectors. */
  refresh(): void {
    const { size } = this.#vectors;
    if (size === this.#known) return;
    this.#known = size;
    for (let chunk = 0; chunk < this.rows.length; chunk++) {
      if (this.rows[chunk] !== -1) continue;
      this.rows[chunk] = this.#vectors.rowOf(this.hash(chunk)) ?? -1;
    }
  }

  /** Returns the number of chunks in the language of one of `models` that have a vector or were refused by the model. */
  countOf(language: NeuralLanguage, models: NeuralModels["providers"]): number {
    let count = 0;
    for (const [chunk, row] of this.rows.entries()) {
      if (row >= 0 && neuralLanguageOf(this.#languages[chunk]!, models) === language) count++;
    }
    return count;
  }

  /** The content hash of a chunk. */
  hash(chunk: number): Uint8Array {
    return this.#hashes.subarray(chunk * HASH_BYTES, (chunk + 1) * HASH_BYTES);
  }
}
