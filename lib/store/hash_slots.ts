import { HASH_BYTES } from "../index/mod.ts";

const FREE = -1;

/**
 * Where records are, by their content hash of {@linkcode HASH_BYTES} bytes: 28 to 56 bytes for each, where a `Map` of texts
 * takes 150.
 */
export class HashSlots {
  /** Four words for each record. */
  #hashes = new Uint32Array(4 * 64);
  /** Record numbers, at a place that the hash decides or the next free one (linear probing). */
  #table = new Int32Array(128).fill(FREE);
  /** For each hash in the order they came, its record number. */
  #records = new Int32Array(64);
  #size = 0;

  /** How many hashes there are. */
  get size(): number {
    return this.#size;
  }

  /** The record of a hash; `undefined` if there is none. */
  get(hash: Uint8Array): number | undefined {
    const entry = this.#table[this.#place(words(hash))]!;
    return entry === FREE ? undefined : this.#records[entry]!;
  }

  /** Notes where the record of a hash is, instead of another if there was one. */
  set(hash: Uint8Array, record: number): void {
    const key = words(hash);
    const place = this.#place(key);
    const entry = this.#table[place]!;
    if (entry !== FREE) {
      this.#records[entry] = record;
      return;
    }
    if (this.#size === this.#records.length) {
      this.#grow();
      return this.set(hash, record);
    }
    this.#hashes.set(key, this.#size * 4);
    this.#records[this.#size] = record;
    this.#table[place] = this.#size++;
  }

  #place(key: Uint32Array): number {
    const mask = this.#table.length - 1;
    // a part of a cryptographic hash is as good as another hash of it
    for (let place = key[0]! & mask;; place = (place + 1) & mask) {
      const entry = this.#table[place]!;
      if (entry === FREE || this.#isAt(entry, key)) return place;
    }
  }

  #isAt(entry: number, key: Uint32Array): boolean {
    const at = entry * 4;
    return this.#hashes[at] === key[0] && this.#hashes[at + 1] === key[1] &&
      this.#hashes[at + 2] === key[2] &&
      this.#hashes[at + 3] === key[3];
  }

  #grow(): void {
    const [hashes, records] = [this.#hashes, this.#records];
    this.#hashes = new Uint32Array(hashes.length * 2);
    this.#hashes.set(hashes);
    this.#records = new Int32Array(records.length * 2);
    this.#records.set(records);
    this.#table = new Int32Array(this.#table.length * 2).fill(FREE);
    for (let entry = 0; entry < this.#size; entry++) {
      this.#table[this.#place(hashes.subarray(entry * 4, entry * 4 + 4))] = entry;
    }
  }
}

function words(hash: Uint8Array): Uint32Array {
  // a copy of its own: parts of a buffer of Node lie anywhere in a larger one
  return new Uint32Array(Uint8Array.from(hash.subarray(0, HASH_BYTES)).buffer);
}
