import type { PostingList } from "./list.ts";
import type { Norms } from "./norms.ts";

/** Chunks of a window. Its scores fit into the first cache of a core, which those of a whole index do not. */
export const WINDOW = 4096;

/** Scores of a range of at most {@linkcode WINDOW} chunks; 0 for a chunk without one. */
export class Window {
  /** Number of the first chunk. */
  base = 0;
  readonly scores = new Float64Array(WINDOW);
  /** The places of the first `count` chunks have a score, in no order. */
  readonly touched = new Int32Array(WINDOW);
  count = 0;

  /** Sets every score to 0. */
  clear(): void {
    for (let i = 0; i < this.count; i++) this.scores[this.touched[i]!] = 0;
    this.count = 0;
  }
}

/** {@linkcode PostingCursor.next} at the end of the list. */
const NO_CHUNK = Infinity;

/** Reads a posting list once, from its start to its end, window by window. */
export class PostingCursor {
  /** No chunk before this one is left. */
  next = 0;
  readonly #list: PostingList;
  /** The posting that was decoded last, and the offset after it. Its tf is 0 once its score was added. */
  #chunk = -1;
  #tf = 0;
  #at = 0;
  /** Postings after it. */
  #left: number;

  constructor(list: PostingList) {
    this.#list = list;
    this.#left = list.documentFrequency;
  }

  /**
   * Adds `factor` tf / (tf + norm) to the score of every chunk of the window before `end` that holds the term. Windows must
   * ascend. Throws the error of a malformed list.
   */
  addUntil(end: number, window: Window, { codes, values }: Norms, factor: number): void {
    const { bytes, dense } = this.#list;
    if (dense !== undefined) return this.#addDense(dense, end, window, { codes, values }, factor);
    const { scores, touched, base } = window;
    let count = window.count;
    let chunk = this.#chunk, tf = this.#tf, at = this.#at, left = this.#left;
    for (;;) {
      if (tf === 0) {
        if (left === 0) break;
        left--;
        let byte = bytes[at++]!;
        let value = byte & 0x7f;
        for (let shift = 7; byte > 0x7f; shift += 7) {
          byte = bytes[at++]!;
          value |= (byte & 0x7f) << shift;
        }
        chunk += value >>> 1;
        tf = 1;
        if ((value & 1) === 0) {
          byte = bytes[at++]!;
          tf = byte & 0x7f;
          for (let shift = 7; byte > 0x7f; shift += 7) {
            byte = bytes[at++]!;
            tf |= (byte & 0x7f) << shift;
          }
        }
      }
      if (chunk >= end) break;
      const place = chunk - base;
      const score = scores[place]!;
      if (score === 0) touched[count++] = place;
      scores[place] = score + factor * tf / (tf + values[codes[chunk]!]!);
      tf = 0;
    }
    window.count = count;
    this.#chunk = chunk;
    this.#tf = tf;
    this.#at = at;
    this.#left = left;
    if (tf === 0) this.#list.mustEnd(at, chunk);
    else if (chunk >= codes.length) throw this.#list.damaged();
    this.next = tf === 0 ? NO_CHUNK : chunk;
  }

  #addDense(dense: Uint8Array, end: number, window: Window, { codes, values }: Norms, factor: number): void {
    const { scores, touched, base } = window;
    let count = window.count;
    const last = Math.min(end, dense.length);
    for (let chunk = base; chunk < last; chunk++) {
      const tf = dense[chunk]!;
      if (tf === 0) continue;
      const place = chunk - base;
      const score = scores[place]!;
      if (score === 0) touched[count++] = place;
      scores[place] = score + factor * tf / (tf + values[codes[chunk]!]!);
    }
    window.count = count;
    this.next = last === dense.length ? NO_CHUNK : last;
  }
}
