/**
 * Bytes that an index keeps for each chunk, while it is being written.
 */
import { grown } from "./bytes.ts";

/** Bytes are kept in pages of this size, so that they are never copied to grow: at a million chunks they are 200 MB. */
const PAGE_BYTES = 1 << 18;

/** Collects bytes for chunks in any order, and returns them in the order of the chunks. */
export class Annotations {
  readonly #pages: Uint8Array[] = [];
  /** Bytes used in the last page. */
  #used = 0;
  /** Of each chunk: its page, its offset there, and its bytes. */
  #places = new Uint32Array(3 * 1024);

  /** Keeps the bytes of a chunk. */
  set(chunk: number, bytes: Uint8Array): void {
    this.#reserve(chunk + 1);
    let page = this.#pages.at(-1);
    if (page === undefined || this.#used + bytes.length > page.length) {
      page = new Uint8Array(Math.max(PAGE_BYTES, bytes.length));
      this.#pages.push(page);
      this.#used = 0;
    }
    page.set(bytes, this.#used);
    this.#places[3 * chunk] = this.#pages.length - 1;
    this.#places[3 * chunk + 1] = this.#used;
    this.#places[3 * chunk + 2] = bytes.length;
    this.#used += bytes.length;
  }

  /** Returns the offsets (count + 1) of the first `count` chunks in the bytes of {@linkcode all}. */
  offsets(count: number): Float64Array<ArrayBuffer> {
    this.#reserve(count);
    const offsets = new Float64Array(count + 1);
    for (let i = 0; i < count; i++) offsets[i + 1] = offsets[i]! + this.#places[3 * i + 2]!;
    return offsets;
  }

  /** Returns the bytes of the first `count` chunks, in their order. */
  *all(count: number): Generator<Uint8Array> {
    this.#reserve(count);
    for (let i = 0; i < count; i++) {
      const start = this.#places[3 * i + 1]!, length = this.#places[3 * i + 2]!;
      if (length > 0) yield this.#pages[this.#places[3 * i]!]!.subarray(start, start + length);
    }
  }

  #reserve(count: number): void {
    if (3 * count <= this.#places.length) return;
    this.#places = grown(Uint32Array, this.#places, Math.max(3 * count, this.#places.length * 2));
  }
}
