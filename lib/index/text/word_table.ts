/**
 * Map from written words to the ids of their terms, looked up in the text itself: no string is made for a word that was
 * met before. Half the time of a `Map` of strings, and every word of an English text asks once.
 */
export class WordTable {
  /** How many words there are. */
  size = 0;
  #slots = new Int32Array(1 << 14);
  /** The words' UTF-16 units, one word after the other. */
  #units = new Uint16Array(1 << 16);
  #used = 0;
  #starts = new Int32Array(1 << 12);
  #hashes = new Int32Array(1 << 12);
  readonly #ids: (readonly number[])[] = [];

  /** The ids of the word `text.slice(start, end)`, or nothing. */
  get(text: string, start: number, end: number): readonly number[] | undefined {
    const entry = this.#slots[this.#slot(text, start, end, hashOf(text, start, end))]!;
    return entry === 0 ? undefined : this.#ids[entry - 1];
  }

  /** Adds a word that is not there yet. */
  set(text: string, start: number, end: number, ids: readonly number[]): void {
    if (this.size * 2 >= this.#slots.length) this.#growSlots();
    if (this.size + 1 >= this.#starts.length) this.#growEntries();
    while (this.#used + end - start > this.#units.length) {
      const units = new Uint16Array(this.#units.length * 2);
      units.set(this.#units);
      this.#units = units;
    }
    const hash = hashOf(text, start, end);
    const slot = this.#slot(text, start, end, hash);
    this.#starts[this.size] = this.#used;
    this.#hashes[this.size] = hash;
    for (let at = start; at < end; at++) this.#units[this.#used++] = text.charCodeAt(at);
    this.#starts[this.size + 1] = this.#used;
    this.#ids.push(ids);
    this.#slots[slot] = ++this.size;
  }

  /** Where the word is, or the empty slot where it belongs. */
  #slot(text: string, start: number, end: number, hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = (hash ^ hash >>> 15) & mask;
    for (let entry = this.#slots[slot]!; entry !== 0; entry = this.#slots[slot]!) {
      if (this.#hashes[entry - 1] === hash && this.#same(entry - 1, text, start, end)) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #same(entry: number, text: string, start: number, end: number): boolean {
    let at = this.#starts[entry]!;
    if (this.#starts[entry + 1]! - at !== end - start) return false;
    for (let i = start; i < end; i++) if (this.#units[at++] !== text.charCodeAt(i)) return false;
    return true;
  }

  #growSlots(): void {
    this.#slots = new Int32Array(this.#slots.length * 2);
    const mask = this.#slots.length - 1;
    for (let entry = 0; entry < this.size; entry++) {
      const hash = this.#hashes[entry]!;
      let slot = (hash ^ hash >>> 15) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = entry + 1;
    }
  }

  #growEntries(): void {
    for (const name of ["starts", "hashes"] as const) {
      const old = name === "starts" ? this.#starts : this.#hashes;
      const grown = new Int32Array(old.length * 2);
      grown.set(old);
      if (name === "starts") this.#starts = grown;
      else this.#hashes = grown;
    }
  }
}

/** FNV-1a over the UTF-16 units. */
function hashOf(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}
