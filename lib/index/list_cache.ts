/** Bytes kept of lists that were asked for. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Parts of a file that are asked for again and again: the latest stay in memory. Most of an index's posting lists are never
 * asked for, and with Chinese text all of them are a third of what an index would take in memory.
 */
export class ListCache {
  readonly #read: (from: number, to: number) => Uint8Array<ArrayBuffer>;
  /** By their first byte, the one used longest ago first. */
  readonly #kept = new Map<number, Uint8Array<ArrayBuffer>>();
  #bytes = 0;

  constructor(read: (from: number, to: number) => Uint8Array<ArrayBuffer>) {
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
      if (this.#bytes <= MAX_BYTES || first === from) break;
      this.#kept.delete(first);
      this.#bytes -= old.length;
    }
    return part;
  }
}
