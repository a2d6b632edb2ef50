/**
 * The sections of an index that hold vectors and the words of chunks: checked when it is opened, collected and written.
 */
import { MAX_DIMENSIONS } from "#foundation/constants.ts";
import type { BlobReader } from "../blob/reader.ts";
import type { BlobWriter } from "../blob/writer.ts";
import { DamagedIndexError } from "../blob/format.ts";
import { Annotations } from "../annotations.ts";
import { grown } from "../bytes.ts";
import { quantizeRow, strideOf, type VectorIndex, type VectorMeta } from "./vector_index.ts";

/**
 * Returns the contents of the section `vector.meta` from its parsed JSON. Throws {@linkcode DamagedIndexError} for any
 * other JSON.
 */
export function vectorMetaOf(json: unknown): VectorMeta {
  const { model, dimensions } = (json ?? {}) as Partial<Record<keyof VectorMeta, unknown>>;
  const isSize = Number.isInteger(dimensions) && dimensions as number >= 1 &&
    dimensions as number <= MAX_DIMENSIONS;
  if (typeof model !== "string" || !isSize) {
    throw new DamagedIndexError("section vector.meta");
  }
  return { model, dimensions: dimensions as number };
}

/** Throws {@linkcode DamagedIndexError} unless the sections of the vectors are as long as those of `count` chunks. */
export function checkVectorSections(blob: BlobReader, meta: VectorMeta, count: number): void {
  const lengths = {
    vectors: count * strideOf(meta.dimensions),
    "vector.scales": count * 4,
  };
  for (const [name, length] of Object.entries(lengths)) {
    if (blob.length(name) !== length) throw new DamagedIndexError(`length of section ${name}`);
  }
}

/** The part of a previous segment that concerns vectors. */
interface PreviousVectors {
  readonly vectors: VectorIndex | undefined;
  words(chunk: number): Uint8Array | undefined;
}

/** Collects the vectors of an index that is being written, and writes their sections. */
export class VectorSections {
  readonly #meta: VectorMeta;
  readonly #previous: readonly PreviousVectors[];
  readonly #rows: VectorRows;
  readonly #words = new Annotations();
  #hasWords = false;

  constructor(meta: VectorMeta, previous: readonly PreviousVectors[]) {
    this.#meta = meta;
    this.#previous = previous;
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
    const previous = this.#previous[segment]!;
    const { vectors } = previous;
    if (vectors === undefined) throw new DamagedIndexError("vectors are missing");
    const { row, scale } = vectors.row(old);
    this.#rows.copy(chunk, row, scale);
    const words = previous.words(old);
    if (words !== undefined) this.#setWords(chunk, words);
  }

  #setWords(chunk: number, words: Uint8Array): void {
    this.#words.set(chunk, words);
    this.#hasWords = true;
  }

  /** Writes the sections for `count` chunks. `pause` is awaited between pieces and may throw to stop. */
  async write(blob: BlobWriter, count: number, pause: () => Promise<void>): Promise<void> {
    const { rows, scales } = this.#rows.view(count);
    blob.section("vectors", rows);
    blob.section("vector.scales", scales);
    if (this.#hasWords) {
      await pause();
      blob.begin("words");
      for (const bytes of this.#words.all(count)) blob.write(bytes);
      blob.section("word.offsets", this.#words.offsets(count));
    }
    // `exact` once said that the numbers were stored as float32 too; versions that know it demand it
    blob.section("vector.meta", new TextEncoder().encode(JSON.stringify({ ...this.#meta, exact: false })));
  }
}

/** Collects the int8 rows of an index that is being written, one for each chunk, in any order. Default: zeros. */
class VectorRows {
  readonly #stride: number;
  #rows: Int8Array<ArrayBuffer>;
  #scales: Float32Array<ArrayBuffer>;

  constructor(dimensions: number) {
    this.#stride = strideOf(dimensions);
    this.#rows = new Int8Array(1024 * this.#stride);
    this.#scales = new Float32Array(1024);
  }

  /** Quantises the vector of a chunk. */
  set(chunk: number, vector: Float32Array): void {
    this.#reserve(chunk + 1);
    this.#scales[chunk] = quantizeRow(vector, this.#rows, chunk * this.#stride);
  }

  /** Copies a row that is already quantised. */
  copy(chunk: number, row: Int8Array, scale: number): void {
    this.#reserve(chunk + 1);
    this.#rows.set(row, chunk * this.#stride);
    this.#scales[chunk] = scale;
  }

  /** Returns the rows of the first `count` chunks and their scales. */
  view(count: number): { rows: Int8Array<ArrayBuffer>; scales: Float32Array<ArrayBuffer> } {
    this.#reserve(count);
    return { rows: this.#rows.subarray(0, count * this.#stride), scales: this.#scales.subarray(0, count) };
  }

  #reserve(count: number): void {
    const room = this.#scales.length;
    if (count <= room) return;
    const more = Math.max(count, Math.ceil(room * 1.5));
    this.#rows = grown(Int8Array, this.#rows, more * this.#stride);
    this.#scales = grown(Float32Array, this.#scales, more);
  }
}
