import { type BlobSection, BLOCK_BYTES, HEADER_BYTES } from "./format.ts";

const PAGE_BYTES = BLOCK_BYTES;

/** Numbers by index, as in a typed array. */
export interface Numbers {
  readonly length: number;
  at(index: number): number | undefined;
}

/** Bytes that are read in parts, as from a `Uint8Array`. */
export interface Bytes {
  readonly length: number;
  subarray(from: number, to: number): Uint8Array;
}

/** The typed arrays that {@linkcode PagedNumbers} can be. */
export type NumberArray = Uint8Array | Uint32Array | Float32Array | Float64Array;

/**
 * A section that is read into memory group by group when it is needed. The other groups are neither read nor checked, and
 * take no memory, because the system allocates pages of zeros only when they are written.
 */
export class PagedBytes implements Bytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly #read: (from: number, target: Uint8Array) => void;
  /** Offset of the section in its first group. */
  readonly #phase: number;
  readonly #loaded: Uint8Array;

  /** `read` fills bytes from an offset in the section. */
  constructor({ offset, length }: BlobSection, read: (from: number, target: Uint8Array) => void) {
    this.bytes = new Uint8Array(length);
    this.#read = read;
    this.#phase = (offset - HEADER_BYTES) % PAGE_BYTES;
    this.#loaded = new Uint8Array(Math.ceil((this.#phase + length) / PAGE_BYTES));
  }

  get length(): number {
    return this.bytes.length;
  }

  subarray(from: number, to: number): Uint8Array {
    if (to > from) this.load(from, to);
    return this.bytes.subarray(from, to);
  }

  /** Loads bytes `from` to `to` (exclusive, at least one), up to the end of the section. */
  load(from: number, to: number): void {
    const last = Math.min(Math.floor((to - 1 + this.#phase) / PAGE_BYTES), this.#loaded.length - 1);
    for (let page = Math.floor((from + this.#phase) / PAGE_BYTES); page <= last; page++) {
      if (this.#loaded[page] === 1) continue;
      let end = page + 1;
      while (end <= last && this.#loaded[end] === 0) end++;
      const start = Math.max(0, page * PAGE_BYTES - this.#phase);
      this.#read(start, this.bytes.subarray(start, end * PAGE_BYTES - this.#phase));
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
export class PagedNumbers<T extends NumberArray> implements Numbers {
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

  /** Returns all numbers. */
  all(): T {
    this.#pages.all();
    return this.#numbers;
  }
}
