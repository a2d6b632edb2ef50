/**
 * Vectors in memory, found by the content hash of their text: the part of a store's {@linkcode VectorReader} that every store shares.
 */
import { HASH_BYTES, LANGUAGE_CODES, VectorScanner } from "#engine/index/mod.ts";
import { freeSlot } from "#foundation/open_addressing.ts";
import type { NeuralLanguage } from "#models/embedding/mod.ts";
import type { VectorReader } from "./store.ts";

/** Rows of a scanner. Its memory is taken when the first of them comes. */
const SEGMENT_ROWS = 4096;

/** Rows of int8 numbers in the order in which they were added, each with a scale that turns them into those of a vector. */
class VectorTable {
  readonly #slots = new HashSlots();
  readonly #segments: VectorScanner[] = [];

  constructor(readonly dimensions: number) {}

  /** Number of rows. */
  get size(): number {
    return this.#slots.size;
  }

  /** Adds a row, unless its content hash has one. */
  add(hash: Uint8Array, numbers: Int8Array, scale: number): void {
    if (this.#slots.get(hash) !== undefined) return;
    const at = this.size % SEGMENT_ROWS;
    if (at === 0) this.#segments.push(new VectorScanner(SEGMENT_ROWS, this.dimensions));
    const { rows, scales } = this.#segments.at(-1)!;
    rows.set(numbers, at * rows.length / SEGMENT_ROWS);
    scales[at] = scale;
    this.#slots.set(hash, this.size);
  }

  /** Returns the row of each content hash, -1 for one without a row. */
  rowsOf(hashes: readonly Uint8Array[]): Int32Array {
    return Int32Array.from(hashes, (hash) => this.#slots.get(hash) ?? -1);
  }

  /** Returns the vectors of rows. */
  vectors(rows: Int32Array): Float32Array[] {
    return Array.from(rows, (row) => {
      const { rows, scales, stride } = this.#segments[Math.floor(row / SEGMENT_ROWS)]!;
      const at = row % SEGMENT_ROWS, from = at * stride;
      return vectorOf(rows.subarray(from, from + this.dimensions), scales[at]!);
    });
  }

  /** Returns the cosine of `query` (length 1) with each row. Takes about 25 ns a row of 384 numbers. */
  cosines(query: Float32Array): Float32Array {
    const cosines = new Float32Array(this.size);
    for (const [i, segment] of this.#segments.entries()) {
      const { products, scale } = segment.products(query);
      const from = i * SEGMENT_ROWS;
      const count = Math.min(SEGMENT_ROWS, this.size - from);
      for (let row = 0; row < count; row++) cosines[from + row] = products[row]! * scale;
    }
    return cosines;
  }
}

/** A reader of vectors that are all in memory. Disposing of it frees them. */
export abstract class TableReader implements VectorReader {
  protected table: VectorTable;

  constructor(dimensions: number) {
    this.table = new VectorTable(dimensions);
  }

  get size(): number {
    return this.table.size;
  }

  abstract refresh(): Promise<boolean>;

  rowsOf(hashes: readonly Uint8Array[]): Promise<Int32Array> {
    return Promise.resolve(this.table.rowsOf(hashes));
  }

  vectors(rows: Int32Array): Promise<Float32Array[]> {
    return Promise.resolve(this.table.vectors(rows));
  }

  cosines(query: Float32Array): Promise<Float32Array> {
    return Promise.resolve(this.table.cosines(query));
  }

  /** Frees the rows, so that {@linkcode refresh} reads all of them. */
  protected forget(): void {
    this.table = new VectorTable(this.table.dimensions);
  }

  [Symbol.dispose](): void {
    this.forget();
  }
}

/** Returns a vector of which `quantizeRow` makes exactly these numbers and this scale. */
export function vectorOf(numbers: Int8Array, scale: number): Float32Array {
  const vector = Float32Array.from(numbers, (number) => number * scale);
  // The greatest number was rounded as well: its neighbours have the scales next to this one.
  const most = Math.fround(127 * scale);
  const step = most * 2 ** -24;
  const exact = [most, most + step, most - step, most + 2 * step, most - 2 * step].map(Math.fround)
    .find((most) => Math.fround(most / 127) === scale);
  if (exact !== undefined) {
    for (const [i, number] of numbers.entries()) {
      if (Math.abs(number) === 127) vector[i] = exact * Math.sign(number);
    }
  }
  return vector;
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

/**
 * Map from content hashes of {@linkcode HASH_BYTES} bytes to record numbers (see `lib/foundation/open_addressing.ts`). Takes 28 to 56
 * bytes per record, where a `Map` with hexadecimal keys takes 150.
 */
export class HashSlots {
  /** Four words for each entry. */
  #hashes = new Uint32Array(4 * 64);
  /** Entry number + 1, or 0. */
  #slots = new Int32Array(2 * 64);
  /** Record number of each entry. */
  #records = new Int32Array(64);
  #size = 0;

  /** Number of hashes. */
  get size(): number {
    return this.#size;
  }

  /** Returns the record number of a hash, or `undefined`. */
  get(hash: Uint8Array): number | undefined {
    const entry = this.#find(words(hash));
    return entry < 0 ? undefined : this.#records[entry]!;
  }

  /** Stores the record number of a hash. Replaces an earlier one. */
  set(hash: Uint8Array, record: number): void {
    const key = words(hash);
    const entry = this.#find(key);
    if (entry >= 0) {
      this.#records[entry] = record;
      return;
    }
    if (this.#size === this.#records.length) this.#grow();
    this.#hashes.set(key, this.#size * 4);
    this.#records[this.#size] = record;
    this.#slots[freeSlot(this.#slots, key[0]!)] = ++this.#size;
  }

  /** Returns the entry of a hash, or -1. */
  #find(key: Uint32Array): number {
    const mask = this.#slots.length - 1;
    // The content hash is cryptographic, so its first word needs no further hashing.
    for (let slot = key[0]! & mask;; slot = (slot + 1) & mask) {
      const entry = this.#slots[slot]! - 1;
      if (entry < 0 || this.#isAt(entry, key)) return entry;
    }
  }

  #isAt(entry: number, key: Uint32Array): boolean {
    const at = entry * 4;
    return this.#hashes[at] === key[0] && this.#hashes[at + 1] === key[1] &&
      this.#hashes[at + 2] === key[2] &&
      this.#hashes[at + 3] === key[3];
  }

  #grow(): void {
    this.#hashes = new Uint32Array(this.#hashes.buffer.transfer(this.#hashes.byteLength * 2));
    this.#records = new Int32Array(this.#records.buffer.transfer(this.#records.byteLength * 2));
    this.#slots = new Int32Array(this.#slots.length * 2);
    for (let entry = 0; entry < this.#size; entry++) {
      this.#slots[freeSlot(this.#slots, this.#hashes[entry * 4]!)] = entry + 1;
    }
  }
}

function words(hash: Uint8Array): Uint32Array {
  // Copied, because Node's buffers may lie unaligned in a larger one.
  return new Uint32Array(Uint8Array.from(hash.subarray(0, HASH_BYTES)).buffer);
}
