import { addToHash, HASH_START } from "../../open_addressing.ts";
import { prefixHash } from "./prefixes.ts";
import type { Table } from "./table.ts";

/**
 * Cuts Chinese text into the words of the table so that the product of their probabilities is greatest (unigram model, by
 * dynamic programming). Characters that are not in the table are skipped. Keeps state between calls: use one segmenter per
 * thread.
 *
 *     长 江 大 桥         offsets     0     1     2     3     4
 *                         words       └─长──┴─江──┘     │     │
 *                                     └───长江────┘─大──┴─桥──┘
 *                                                 └───大桥────┘
 *
 * For each offset, `#best` has the log probability of the best way to get there, `#start` and `#last` the word that ends
 * there. The words are then read from the end back to the start: 大桥, 长江.
 */
export class Segmenter {
  readonly #table: Table;
  readonly #logP: Float32Array;
  readonly #unknown: number;
  /**
   * For each offset in the run: the log probability of the best segmentation up to it, its last word and where that starts.
   */
  #best = new Float64Array(256);
  #last = new Int32Array(256);
  #start = new Int32Array(256);
  #path = new Int32Array(256);

  constructor(table: Table) {
    this.#table = table;
    this.#logP = table.p.map(Math.log);
    this.#unknown = Math.log(1e-9);
  }

  /**
   * Writes the ids of the words of `units.slice(from, to)` into `into` from index `at` on and returns the index after the
   * last. The units are simplified Chinese characters. `into` must have room for one id per unit.
   */
  segment(units: Uint16Array, from: number, to: number, into: Int32Array, at: number): number {
    const length = to - from;
    if (length >= this.#best.length) this.#grow(length + 1);
    const best = this.#best, last = this.#last, start = this.#start, logP = this.#logP;
    const table = this.#table, words = table.words, wordCount = table.wordCount;
    const { single, lengths } = table.prefixes;
    best.fill(-Infinity, 0, length + 1);
    best[0] = 0;
    for (let i = 0; i < length; i++) {
      const before = best[i]!;
      if (before + this.#unknown > best[i + 1]!) {
        best[i + 1] = before + this.#unknown;
        last[i + 1] = -1;
        start[i + 1] = i;
      }
      const first = units[from + i]!;
      // The words that may begin here, as bits: those of one character are in a table.
      let possible = i + 1 < length ? lengths[prefixHash(first, units[from + i + 1]!)]! : 0;
      if (single[first] !== 0) possible |= 2;
      let hash = HASH_START;
      for (let j = i + 1; possible > 1 && j <= length; j++) {
        hash = addToHash(hash, units[from + j - 1]!);
        possible >>>= 1;
        if ((possible & 1) === 0) continue;
        let id = j === i + 1 ? single[first]! - 1 : words.findUnits(units, from + i, from + j, hash);
        if (id < 0) continue;
        if (id >= wordCount) id = table.resolve(id);
        const score = before + logP[id]!;
        if (score > best[j]!) {
          best[j] = score;
          last[j] = id;
          start[j] = i;
        }
      }
    }
    let count = 0;
    for (let place = length; place > 0; place = start[place]!) {
      if (last[place]! >= 0) this.#path[count++] = last[place]!;
    }
    while (count > 0) into[at++] = this.#path[--count]!;
    return at;
  }

  #grow(length: number): void {
    let size = this.#best.length;
    while (size <= length) size *= 2;
    this.#best = new Float64Array(size);
    this.#last = new Int32Array(size);
    this.#start = new Int32Array(size);
    this.#path = new Int32Array(size);
  }
}
