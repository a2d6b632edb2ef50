/** Before the units of a word: their number, and the number of its ids. */
const HEAD = 2;

/**
 * Map from written words to the ids of their terms (see `lib/open_addressing.ts`). Every word of a text is looked up, and
 * most of the time goes into waiting for memory. So each word has one record, `length, count, ids …, units …`, and the slots
 * hold pairs (hash, address of the record + 1): a look-up touches two places.
 */
export class WordTable {
  /** Number of words. */
  size = 0;
  #slots = new Int32Array(2 << 14);
  #records = new Uint16Array(1 << 16);
  #used = 0;

  /**
   * Writes the ids of a word, the `units` from `start` to `end`, into `into` from `at` on. Returns the index after the last,
   * or -1 if the word is not in the table. `hash`: FNV-1a of the units.
   */
  get(units: Uint16Array, start: number, end: number, hash: number, into: Uint32Array, at: number): number {
    const slots = this.#slots, records = this.#records;
    const mask = slots.length - 1;
    for (let slot = slotOf(hash) & mask;; slot = (slot + 2) & mask) {
      const address = slots[slot + 1]! - 1;
      if (address < 0) return -1;
      if (slots[slot] !== hash || records[address] !== end - start) continue;
      const count = records[address + 1]!;
      let from = address + HEAD + 2 * count;
      let same = start;
      while (same < end && records[from] === units[same]) same++, from++;
      if (same < end) continue;
      from = address + HEAD;
      for (let i = 0; i < count; i++, from += 2) into[at++] = records[from]! | records[from + 1]! << 16;
      return at;
    }
  }

  /** Adds a word, which must not be in the table, with the `ids` from `first` to `last`. */
  set(
    units: Uint16Array,
    start: number,
    end: number,
    hash: number,
    ids: Uint32Array,
    first: number,
    last: number,
  ): void {
    if (++this.size * 4 > this.#slots.length) this.#growSlots();
    while (this.#used + HEAD + 2 * (last - first) + end - start > this.#records.length) {
      this.#records = new Uint16Array(this.#records.buffer.transfer(this.#records.byteLength * 2));
    }
    this.#fill(hash, this.#used + 1);
    const records = this.#records;
    records[this.#used++] = end - start;
    records[this.#used++] = last - first;
    for (let i = first; i < last; i++) {
      records[this.#used++] = ids[i]! & 0xffff;
      records[this.#used++] = ids[i]! >>> 16;
    }
    for (let i = start; i < end; i++) records[this.#used++] = units[i]!;
  }

  #growSlots(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(old.length * 2);
    for (let i = 0; i < old.length; i += 2) if (old[i + 1] !== 0) this.#fill(old[i]!, old[i + 1]!);
  }

  #fill(hash: number, address: number): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = slotOf(hash) & mask;
    while (slots[slot + 1] !== 0) slot = (slot + 2) & mask;
    slots[slot] = hash;
    slots[slot + 1] = address;
  }
}

/** Mixes the upper bits into the lower ones, which select the pair of slots. */
function slotOf(hash: number): number {
  return (hash ^ hash >>> 15) << 1;
}
