import { type BlobWriter, DamagedIndexError } from "../blob/mod.ts";
import { Annotations } from "./annotations.ts";
import { VectorRows } from "./rows.ts";
import type { VectorIndex, VectorMeta } from "./vector_index.ts";

/** Chunks between two pauses while vectors are read and written. */
const PAUSE_CHUNKS = 4096;

/** Returns the exact vector of a new chunk by its number, or `undefined` if it has no vector. */
export type ExactVectors = (chunk: number) => Float32Array | undefined;

/** The part of a previous segment that concerns vectors. */
export interface PreviousVectors {
  readonly vectors: VectorIndex | undefined;
  words(chunk: number): Uint8Array | undefined;
}

/** Collects the vectors of an index that is being written, and writes their sections. */
export class VectorSections {
  readonly #rows: VectorRows;
  readonly #words = new Annotations();
  #hasWords = false;
  /** For chunks that were kept: their segment, and their number in it. */
  readonly #old: (readonly [segment: PreviousVectors, chunk: number])[] = [];

  /**
   * With `exact`, the vectors are also stored as float32 and are passed to {@linkcode write}. Otherwise they are passed to
   * {@linkcode set}.
   */
  constructor(readonly meta: VectorMeta, readonly previous: readonly PreviousVectors[]) {
    this.#rows = new VectorRows(meta.dimensions);
  }

  /** Sets the vector (length 1 or zeros) of a new chunk, and bytes to store beside it. */
  set(chunk: number, vector: Float32Array, words?: Uint8Array): void {
    this.#rows.set(chunk, vector);
    if (words !== undefined) this.#setWords(chunk, words);
  }

  /**
   * Keeps the vector and bytes of a chunk of a previous segment, which was made with the same model. Throws
   * `DamagedIndexError` if that has no vectors.
   */
  keep(chunk: number, old: number, segment: number): void {
    const previous = this.previous[segment]!;
    const { vectors } = previous;
    if (vectors === undefined) throw new DamagedIndexError("vectors are missing");
    const { row, scale } = vectors.row(old);
    this.#rows.copy(chunk, row, scale);
    const words = previous.words(old);
    if (words !== undefined) this.#setWords(chunk, words);
    if (this.meta.exact) this.#old[chunk] = [previous, old];
  }

  #setWords(chunk: number, words: Uint8Array): void {
    this.#words.set(chunk, words);
    this.#hasWords = true;
  }

  /** Writes the sections for `count` chunks. `pause` is awaited between pieces and may throw to stop. */
  async write(
    blob: BlobWriter,
    count: number,
    pause: () => Promise<void>,
    exact?: ExactVectors,
  ): Promise<void> {
    const { meta } = this;
    if (meta.exact) {
      blob.begin("vector.exact");
      const none = new Float32Array(meta.dimensions);
      for (let chunk = 0; chunk < count; chunk++) {
        const old = this.#old[chunk];
        const vector = (old === undefined ? exact?.(chunk) : old[0].vectors!.exact(old[1])) ?? none;
        if (old === undefined) this.#rows.set(chunk, vector);
        blob.write(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
        if (chunk % PAUSE_CHUNKS === 0) await pause();
      }
    }
    const { rows, scales } = this.#rows.view(count);
    blob.section("vectors", rows);
    blob.section("vector.scales", scales);
    if (this.#hasWords) {
      await pause();
      blob.begin("words");
      for (const bytes of this.#words.all(count)) blob.write(bytes);
      blob.section("word.offsets", this.#words.offsets(count));
    }
    blob.section("vector.meta", new TextEncoder().encode(JSON.stringify(meta)));
  }
}
