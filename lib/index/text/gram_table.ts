/**
 * Map from one or two UTF-16 units to a term id: an array for single units, open addressing (see `lib/open_addressing.ts`)
 * for pairs. A JavaScript `Map` takes five times as long, and Chinese text needs two look-ups per character.
 */
export class GramTable {
  /** id + 1 of each single unit. */
  readonly #single = new Int32Array(0x10000);
  /** Pairs (key, id + 1) side by side: a look-up then touches one cache line. */
  #slots = new Int32Array(2 << 14);
  #size = 0;

  /** Returns the id of a gram, or -1; `second` is 0 for a single unit. */
  get(first: number, second: number): number {
    if (second === 0) return this.#single[first]! - 1;
    return this.#slots[this.#slot(first << 16 | second) + 1]! - 1;
  }

  /** Stores the id of a gram. */
  set(first: number, second: number, id: number): void {
    if (second === 0) {
      this.#single[first] = id + 1;
      return;
    }
    if (this.#size * 4 >= this.#slots.length) this.#grow();
    const key = first << 16 | second;
    const slot = this.#slot(key);
    if (this.#slots[slot + 1] === 0) this.#size++;
    this.#slots[slot] = key;
    this.#slots[slot + 1] = id + 1;
  }

  /** Returns the index of the slot that holds `key`, or of the free one where it belongs. */
  #slot(key: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    // Fibonacci hashing spreads the neighbouring code points of a script over the table.
    let slot = (Math.imul(key, 0x9e3779b1) >>> 8 << 1) & mask;
    while (slots[slot + 1] !== 0 && slots[slot] !== key) slot = (slot + 2) & mask;
    return slot;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(old.length * 2);
    for (let i = 0; i < old.length; i += 2) {
      if (old[i + 1] === 0) continue;
      const slot = this.#slot(old[i]!);
      this.#slots[slot] = old[i]!;
      this.#slots[slot + 1] = old[i + 1]!;
    }
  }
}
