import { type IndexKey, LANGUAGE_CODES, VectorScanner } from "#engine/index/mod.ts";
import { isSameFile, type OwnFolder, type ReadableFile } from "#foundation/boundary/mod.ts";
import { dataFolder } from "../data_folder.ts";
import { HashSlots } from "../hash_slots.ts";
import {
  dimensionsIn,
  HEADER_BYTES,
  openBlocks,
  readBlocks,
  type VectorBlock,
  VectorBlocks,
  vectorFileName,
} from "./block_file.ts";
import type { NeuralLanguage } from "#models/embedding/mod.ts";

/** Rows of a scanner. Its memory is taken when the first of them comes. */
const SEGMENT_ROWS = 4096;

/** A model whose vectors are stored. */
export interface VectorModel {
  readonly id: string;
  readonly dimensions: number;
}

/**
 * Returns the numbers in a vector of a model, as its file in the data folder of `root` says; `undefined` without a sound
 * file. Throws `data_folder_unsafe`, and the errors of the system.
 */
export function storedDimensions(
  root: string,
  model: string,
  key: IndexKey,
  elsewhere?: string,
): number | undefined {
  const folder = dataFolder(root, elsewhere);
  return dimensionsIn(
    folder,
    vectorFileName(model),
    (dimensions) => new VectorBlocks(dimensions, model, key),
  );
}

/**
 * The vectors of one model for the texts of a folder's chunks, by content hash, from `.muxue_rag/neural-<16 hex>.vec`, or
 * `server-<16 hex>.vec` for a model on a server. They
 * are made after the index, in the background, so the file grows while it is read: {@linkcode refresh} reads the new part.
 * Each sound block is used; whatever follows a block that is torn or was not written by this installation is ignored. In
 * memory and on the disk the vectors are int8.
 */
export class ContentVectors implements Disposable {
  readonly #folder: OwnFolder;
  readonly #name: string;
  readonly #layout: VectorBlocks;
  #slots = new HashSlots();
  #segments: VectorScanner[] = [];
  #file: ReadableFile | undefined;
  /** Offset after the last sound block, and the size of the file when it was read. */
  #end = HEADER_BYTES;
  #seen = 0;
  #rows = 0;

  /** The vectors of `model` in the data folder of `root`. No file is opened before {@linkcode refresh}. */
  constructor(root: string, readonly model: VectorModel, key: IndexKey, elsewhere?: string) {
    this.#folder = dataFolder(root, elsewhere);
    this.#name = vectorFileName(model.id);
    this.#layout = new VectorBlocks(model.dimensions, model.id, key);
  }

  /** Number of vectors. It grows with {@linkcode refresh}, and a file that is replaced begins a new count. */
  get size(): number {
    return this.#rows;
  }

  /** Number of the row of a content hash, or `undefined`. */
  rowOf(hash: Uint8Array): number | undefined {
    return this.#slots.get(hash);
  }

  /**
   * Reads what was appended since the last call. Returns false if the rows have other numbers now, because the file was
   * replaced or removed. Throws `data_folder_unsafe`, and the errors of the system.
   */
  refresh(): boolean {
    const known = this.#rows > 0;
    const isNew = this.#file === undefined || !this.#isStillThere();
    if (isNew) this.#forget();
    this.#file ??= openBlocks(this.#folder, this.#name, this.#layout, "read");
    if (this.#file === undefined) return !known;
    const { size } = this.#file.statSync();
    if (size !== this.#seen) {
      this.#end = readBlocks(this.#file, this.#layout, this.#end, (block) => this.#take(block));
      this.#seen = size;
    }
    return !(isNew && known);
  }

  /** Returns the cosine of `query` (length 1) with each row. Takes about 25 ns a row of 384 numbers. */
  cosines(query: Float32Array): Float32Array {
    const cosines = new Float32Array(this.#rows);
    for (const [i, segment] of this.#segments.entries()) {
      const { products, scale } = segment.products(query);
      const from = i * SEGMENT_ROWS;
      const count = Math.min(SEGMENT_ROWS, this.#rows - from);
      for (let row = 0; row < count; row++) cosines[from + row] = products[row]! * scale;
    }
    return cosines;
  }

  /** Closes the file and frees the rows. The next refresh reads them again. */
  close(): void {
    this.#forget();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #isStillThere(): boolean {
    const now = this.#folder.look(this.#name);
    return now !== undefined && isSameFile(now, this.#file!.statSync());
  }

  #forget(): void {
    this.#file?.close();
    this.#file = undefined;
    this.#slots = new HashSlots();
    this.#segments = [];
    this.#end = HEADER_BYTES;
    this.#seen = this.#rows = 0;
  }

  #take(block: VectorBlock): void {
    const { dimensions } = this.#layout;
    for (let record = 0; record < block.count; record++) {
      const hash = block.hash(record);
      if (this.#slots.get(hash) !== undefined) continue;
      const at = this.#rows % SEGMENT_ROWS;
      if (at === 0) this.#segments.push(new VectorScanner(SEGMENT_ROWS, dimensions));
      const { rows, scales } = this.#segments.at(-1)!;
      const stride = rows.length / SEGMENT_ROWS;
      rows.set(block.row(record), at * stride);
      scales[at] = block.scale(record);
      this.#slots.set(hash, this.#rows++);
    }
  }
}

/**
 * Returns the language whose model makes a vector of every chunk of a language of `LANGUAGE_CODES`: a model for all languages of
 * any chunk; otherwise Chinese for `zh`, English for all others, and `undefined` for chunks without letters.
 */
export function neuralLanguageOf(
  code: number,
  models: { has(language: NeuralLanguage): boolean },
): NeuralLanguage | undefined {
  if (models.has("all")) return "all";
  if (code === LANGUAGE_CODES.other) return undefined;
  return code === LANGUAGE_CODES.zh ? "zh" : "en";
}
