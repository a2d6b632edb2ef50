import { addToHash, HASH_START } from "../../open_addressing.ts";
import { ID_BITS, ID_MASK, mixHash, type WordListData } from "./format.ts";

/** Maps words to their ids. Look-ups read the arrays as they are in the file, so that nothing is built when it is loaded. */
export class WordList {
  readonly #units: Uint16Array;
  readonly #offsets: Uint32Array;
  readonly #slots: Uint32Array;

  constructor({ units, offsets, slots }: WordListData) {
    this.#units = units;
    this.#offsets = offsets;
    this.#slots = slots;
  }

  /** Number of words. */
  get size(): number {
    return this.#offsets.length - 1;
  }

  /** Returns the id of `word`, or -1. */
  find(word: string): number {
    let hash = HASH_START;
    const units = new Uint16Array(word.length);
    for (let i = 0; i < word.length; i++) {
      units[i] = word.charCodeAt(i);
      hash = addToHash(hash, units[i]!);
    }
    return this.findUnits(units, 0, units.length, hash);
  }

  /** Returns the id of the word `units.slice(start, end)`, whose FNV-1a hash is `hash`, or -1. */
  findUnits(units: Uint16Array, start: number, end: number, hash: number): number {
    const slots = this.#slots, offsets = this.#offsets, listed = this.#units;
    const mask = slots.length - 1;
    const mixed = mixHash(hash);
    const tag = mixed >>> ID_BITS;
    for (let slot = mixed & mask;; slot = (slot + 1) & mask) {
      const entry = slots[slot]!;
      if (entry === 0) return -1;
      if (entry >>> ID_BITS !== tag) continue;
      const id = (entry & ID_MASK) - 1;
      let at = offsets[id]!;
      if (offsets[id + 1]! - at !== end - start) continue;
      let same = start;
      while (same < end && listed[at] === units[same]) same++, at++;
      if (same === end) return id;
    }
  }

  /** Returns the word of an id. */
  word(id: number): string {
    return String.fromCharCode(...this.#units.subarray(this.#offsets[id]!, this.#offsets[id + 1]!));
  }

  /** Returns the first UTF-16 unit of the word of an id. */
  initial(id: number): number {
    return this.#units[this.#offsets[id]!]!;
  }
}
