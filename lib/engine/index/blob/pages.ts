/**
 * Sections that are read in parts when they are needed: kept in memory as a whole, or block by block.
 */
import { type BlobSection, BLOCK_BYTES, HEADER_BYTES } from "./format.ts";

/** Numbers by index, as in a typed array. */
export interface Numbers {
  readonly length: number;
  at(index: number): number | undefined;
}

/** Numbers that can be read all at once. */
export interface StoredNumbers<T extends NumberArray> extends Numbers {
  /** Returns all numbers. */
  all(): T;
}

/** Bytes that are read in parts, as from a `Uint8Array`. */
export interface Bytes {
  readonly length: number;
  subarray(from: number, to: number): Uint8Array;
}

/** The bytes of a section. */
export interface StoredBytes extends Bytes {
  /** Whether the `length` bytes from `one` on are those from `other` on. */
  isSame(one: number, other: number, length: number): boolean;
}

/** The typed arrays that numbers of a section can be. */
export type NumberArray = Uint8Array | Uint32Array | Float32Array | Float64Array;

/** How the numbers of a section are stored. */
export type NumberKind = "u32" | "f32" | "f64";

/** Bytes of a number. */
export const WIDTHS: Readonly<Record<NumberKind, number>> = { u32: 4, f32: 4, f64: 8 };

/** Returns the numbers in a buffer. */
export function numbersIn(
  buffer: ArrayBuffer,
  kind: NumberKind,
): Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer> {
  if (kind === "u32") return new Uint32Array(buffer);
  return kind === "f32" ? new Float32Array(buffer) : new Float64Array(buffer);
}

/**
 * A section that is read into memory page by page when it is needed. The other pages are neither read nor checked, and
 * take no memory, because the system allocates pages of zeros only when they are written.
 */
export class PagedBytes implements StoredBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly #read: (from: number, target: Uint8Array) => void;
  /** Offset of the section in its first block. */
  readonly #phase: number;
  readonly #loaded: Uint8Array;

  /** `read` fills bytes from an offset in the section. */
  constructor({ offset, length }: BlobSection, read: (from: number, target: Uint8Array) => void) {
    this.bytes = new Uint8Array(length);
    this.#read = read;
    this.#phase = (offset - HEADER_BYTES) % BLOCK_BYTES;
    this.#loaded = new Uint8Array(Math.ceil((this.#phase + length) / BLOCK_BYTES));
  }

  get length(): number {
    return this.bytes.length;
  }

  subarray(from: number, to: number): Uint8Array {
    if (to > from) this.load(from, to);
    return this.bytes.subarray(from, to);
  }

  isSame(one: number, other: number, length: number): boolean {
    this.load(one, one + length);
    this.load(other, other + length);
    for (let i = 0; i < length; i++) if (this.bytes[one + i] !== this.bytes[other + i]) return false;
    return true;
  }

  /** Loads bytes `from` to `to` (exclusive, at least one), up to the end of the section. */
  load(from: number, to: number): void {
    const last = Math.min(Math.floor((to - 1 + this.#phase) / BLOCK_BYTES), this.#loaded.length - 1);
    for (let page = Math.floor((from + this.#phase) / BLOCK_BYTES); page <= last; page++) {
      if (this.#loaded[page] === 1) continue;
      let end = page + 1;
      while (end <= last && this.#loaded[end] === 0) end++;
      const start = Math.max(0, page * BLOCK_BYTES - this.#phase);
      this.#read(start, this.bytes.subarray(start, end * BLOCK_BYTES - this.#phase));
      this.#loaded.fill(1, page, end);
    }
  }

  /** Returns all bytes. */
  all(): Uint8Array<ArrayBuffer> {
    if (this.length > 0) this.load(0, this.length);
    return this.bytes;
  }
}

/** The numbers of a section, in memory as {@linkcode PagedBytes}. */
export class PagedNumbers<T extends NumberArray> implements StoredNumbers<T> {
  readonly #pages: PagedBytes;
  readonly #numbers: T;
  readonly #width: number;

  constructor(pages: PagedBytes, numbers: T) {
    this.#pages = pages;
    this.#numbers = numbers;
    this.#width = numbers.BYTES_PER_ELEMENT;
  }

  get length(): number {
    return this.#numbers.length;
  }

  at(index: number): number | undefined {
    const at = index * this.#width;
    this.#pages.load(at, at + this.#width);
    return this.#numbers[index];
  }

  all(): T {
    this.#pages.all();
    return this.#numbers;
  }
}

/** Reads a section of which nothing is kept. */
interface SectionSource {
  /** Bytes `from` to `to` (exclusive) in a new buffer. Small pieces come from blocks that are kept for a while. */
  range(from: number, to: number): Uint8Array<ArrayBuffer>;
  /** Copies the block with a byte, and returns the offset of its first byte in the section, which may be below 0. */
  blockWith(at: number, into: Uint8Array): number;
}

/**
 * A section of which nothing stays in memory but what its source keeps: a large one that is read here and there, or one of a blob far away,
 * which may be larger than the memory.
 */
export class SourceBytes implements StoredBytes {
  readonly length: number;
  readonly #source: SectionSource;

  constructor(length: number, source: SectionSource) {
    this.length = length;
    this.#source = source;
  }

  subarray(from: number, to: number): Uint8Array {
    const end = Math.min(to, this.length);
    return end > from ? this.#source.range(from, end) : new Uint8Array(0);
  }

  isSame(one: number, other: number, length: number): boolean {
    const a = this.subarray(one, one + length), b = this.subarray(other, other + length);
    return a.every((byte, i) => byte === b[i]);
  }
}

/** The numbers of such a section. It has a copy of the block that was read last. */
export class SourceNumbers<T extends NumberArray> implements StoredNumbers<T> {
  readonly length: number;
  readonly #source: SectionSource;
  readonly #kind: NumberKind;
  #block: DataView<ArrayBuffer> | undefined;
  /** Offset in the section of the first byte of the block. */
  #from = 0;

  constructor(length: number, kind: NumberKind, source: SectionSource) {
    this.length = length;
    this.#kind = kind;
    this.#source = source;
  }

  at(index: number): number | undefined {
    if (!(index >= 0 && index < this.length)) return undefined;
    const width = WIDTHS[this.#kind], at = index * width;
    // Sections begin at multiples of 64, so no number lies in two blocks.
    const block = this.#blockWith(at), place = at - this.#from;
    if (this.#kind === "u32") return block.getUint32(place, true);
    return this.#kind === "f32" ? block.getFloat32(place, true) : block.getFloat64(place, true);
  }

  #blockWith(at: number): DataView {
    if (this.#block !== undefined && at >= this.#from && at < this.#from + BLOCK_BYTES) return this.#block;
    const bytes = new Uint8Array(this.#block?.buffer ?? new ArrayBuffer(BLOCK_BYTES));
    // The bytes are not those of any block if reading throws.
    this.#block = undefined;
    this.#from = this.#source.blockWith(at, bytes);
    return this.#block = new DataView(bytes.buffer);
  }

  all(): T {
    const { buffer } = this.#source.range(0, this.length * WIDTHS[this.#kind]);
    return numbersIn(buffer, this.#kind) as NumberArray as T;
  }
}
