/**
 * Map from a pair of UTF-16 units to a term id, with open addressing: a JavaScript `Map` costs five times
 * as much, and Chinese text asks twice per character.
 */
export class GramTable {
  #keys = new Uint32Array(1 << 14);
  #values = new Int32Array(1 << 14);
  #size = 0;

  /** The id of the pair, or -1. `first` is not 0. */
  get(first: number, second: number): number {
    const key = ((first << 16) | second) >>> 0;
    const slot = this.#slot(key);
    return this.#keys[slot] === key ? this.#values[slot]! : -1;
  }

  /** Stores the id of a pair. */
  set(first: number, second: number, id: number): void {
    if (this.#size * 2 >= this.#keys.length) this.#grow();
    const key = ((first << 16) | second) >>> 0;
    const slot = this.#slot(key);
    if (this.#keys[slot] !== key) this.#size++;
    this.#keys[slot] = key;
    this.#values[slot] = id;
  }

  /** Where `key` is, or the empty slot where it belongs. */
  #slot(key: number): number {
    const mask = this.#keys.length - 1;
    // Fibonacci hashing: neighbouring characters must not fall into neighbouring slots
    let slot = (Math.imul(key, 0x9e3779b1) >>> 9) & mask;
    while (this.#keys[slot] !== 0 && this.#keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const keys = this.#keys, values = this.#values;
    this.#keys = new Uint32Array(keys.length * 2);
    this.#values = new Int32Array(keys.length * 2);
    for (let i = 0; i < keys.length; i++) {
      if (keys[i] === 0) continue;
      const slot = this.#slot(keys[i]!);
      this.#keys[slot] = keys[i]!;
      this.#values[slot] = values[i]!;
    }
  }
}
