/**
 * Limits of the bytes kept in memory. Between them it is an eighth of the section: the lists of common words grow with the
 * index.
 */
const LEAST_BYTES = 8 * 1024 * 1024;
const MOST_BYTES = 32 * 1024 * 1024;
const SHARE = 8;

/**
 * Keeps the parts of a section that were used last in memory. Most posting lists of an index are never used, and with
 * Chinese text all lists together are a third of the memory that the whole index would take.
 */
export class ListCache {
  readonly #read: (from: number, to: number) => Uint8Array<ArrayBuffer>;
  /** By the offset of their first byte, the least recently used first. */
  readonly #kept = new Map<number, Uint8Array<ArrayBuffer>>();
  readonly #limit: number;
  #bytes = 0;

  /** `read` returns bytes of a section of `length` bytes. */
  constructor(length: number, read: (from: number, to: number) => Uint8Array<ArrayBuffer>) {
    this.#limit = Math.min(MOST_BYTES, Math.max(LEAST_BYTES, length / SHARE));
    this.#read = read;
  }

  /** Bytes `from` to `to` (exclusive); `from` must always come with the same `to`. */
  get(from: number, to: number): Uint8Array<ArrayBuffer> {
    let part = this.#kept.get(from);
    if (part !== undefined) this.#kept.delete(from);
    else {
      part = this.#read(from, to);
      this.#bytes += part.length;
    }
    this.#kept.set(from, part);
    for (const [first, old] of this.#kept) {
      if (this.#bytes <= this.#limit || first === from) break;
      this.#kept.delete(first);
      this.#bytes -= old.length;
    }
    return part;
  }
}
