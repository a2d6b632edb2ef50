/**
 * One posting list: decoded block by block, and read window by window.
 */
import { BLOCK, DENSE, type Norms, type Postings } from "./format.ts";

const NO_SKIPS = new Uint32Array(0);

/** The posting list of one term. It is read from the start, or single chunks are looked up in ascending order. */
export class PostingList {
  /** Number of chunks that contain the term. */
  readonly documentFrequency: number;
  readonly maxFrequencyPart: number;
  /** The tf of every chunk, if the list is dense. */
  readonly dense: Uint8Array | undefined;
  /** The list as it is stored. */
  readonly bytes: Uint8Array;
  readonly #skips: Uint32Array;
  readonly #blocks: number;
  /** Chunks of the index. */
  readonly #size: number;
  /** Makes the error for a malformed list. */
  readonly damaged: () => Error;
  /** The block decoded by the last `frequencyIn`, its next byte, the chunk before it. */
  #block = -1;
  #at = 0;
  #chunk = -1;
  #tf = 0;

  /** Throws what `postings.damaged` makes for a list that does not fit the index. */
  constructor(postings: Postings, term: number) {
    this.#size = postings.chunks;
    this.damaged = () => postings.damaged(`posting list ${term}`);
    postings.expect?.(term, true);
    this.documentFrequency = postings.documentFrequency.at(term)!;
    this.maxFrequencyPart = postings.maxFrequencyPart.at(term)!;
    if (!(this.documentFrequency >= 1 && this.documentFrequency <= this.#size)) throw this.damaged();
    this.bytes = postings.bytes(postings.offsets.at(term)!, postings.offsets.at(term + 1)!);
    this.#blocks = Math.ceil(this.documentFrequency / BLOCK);
    const skipFrom = postings.skipStart.at(term)!;
    const isDense = skipFrom === DENSE;
    this.dense = isDense ? this.bytes : undefined;
    this.#skips = isDense ? NO_SKIPS : postings.skips(skipFrom, skipFrom + 2 * this.#blocks);
    const fits = isDense
      ? this.bytes.length === this.#size
      : this.#skips.at(-1) === this.bytes.length && this.#skips.at(-2)! < this.#size;
    if (!fits) throw this.damaged();
  }

  /** Checks, after a list was read, that it ended with its bytes and within the chunks of the index. */
  mustEnd(at: number, chunk: number): void {
    if (at !== this.bytes.length || chunk >= this.#size) throw this.damaged();
  }

  // The decoding is repeated in three methods (see also `cursor.ts`), because these are the inner loops of a search.

  /** Decodes the whole list into `chunks` and `frequencies`, which must be large enough. Returns the count. */
  decode(chunks: Uint32Array | Int32Array, frequencies: Uint16Array): number {
    const { dense } = this;
    let count = 0;
    if (dense !== undefined) {
      for (let chunk = 0; chunk < dense.length; chunk++) {
        const tf = dense[chunk]!;
        if (tf === 0) continue;
        chunks[count] = chunk;
        frequencies[count++] = tf;
      }
      if (count !== this.documentFrequency) throw this.damaged();
      return count;
    }
    const bytes = this.bytes;
    const total = this.documentFrequency;
    let at = 0, chunk = -1;
    while (count < total) {
      let byte = bytes[at++]!;
      let value = byte & 0x7f;
      for (let shift = 7; byte > 0x7f; shift += 7) {
        byte = bytes[at++]!;
        value |= (byte & 0x7f) << shift;
      }
      chunk += value >>> 1;
      chunks[count] = chunk;
      let tf = 1;
      if ((value & 1) === 0) {
        byte = bytes[at++]!;
        tf = byte & 0x7f;
        for (let shift = 7; byte > 0x7f; shift += 7) {
          byte = bytes[at++]!;
          tf |= (byte & 0x7f) << shift;
        }
      }
      frequencies[count++] = tf;
    }
    this.mustEnd(at, chunk);
    return count;
  }

  /** Returns the tf of the term in `chunk`, or 0. Chunks must be looked up in ascending order, see `rewind`. */
  frequencyIn(chunk: number): number {
    if (this.dense !== undefined) return this.dense[chunk]!;
    if (this.#chunk >= chunk) return this.#chunk === chunk ? this.#tf : 0;
    if (!this.#enterBlockOf(chunk)) return 0;
    const bytes = this.bytes;
    let at = this.#at, current = this.#chunk, tf = this.#tf;
    while (current < chunk) {
      // the gaps of the block do not add up to its skip
      if (at >= bytes.length) throw this.damaged();
      let byte = bytes[at++]!;
      let value = byte & 0x7f;
      for (let shift = 7; byte > 0x7f; shift += 7) {
        byte = bytes[at++]!;
        value |= (byte & 0x7f) << shift;
      }
      current += value >>> 1;
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
    this.#at = at;
    this.#chunk = current;
    this.#tf = tf;
    return current === chunk ? tf : 0;
  }

  /** Lets `frequencyIn` start from the first chunk again. */
  rewind(): void {
    this.#block = -1;
    this.#chunk = -1;
  }

  /** Goes to the first block whose last chunk is not before `chunk`. Returns false past the end. */
  #enterBlockOf(chunk: number): boolean {
    const skips = this.#skips;
    let low = Math.max(this.#block, 0);
    if (low >= this.#blocks) return false;
    if (this.#block >= 0 && skips[2 * low]! >= chunk) return true;
    // Chunks that are looked up one after the other are mostly near each other, so the steps grow from 1 on.
    let high = low + 1;
    for (let step = 1; high < this.#blocks && skips[2 * (high - 1)]! < chunk; step *= 2) {
      low = high;
      high = Math.min(this.#blocks, high + step);
    }
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (skips[2 * middle]! < chunk) low = middle + 1;
      else high = middle;
    }
    if (low === this.#blocks) {
      this.#block = low;
      this.#chunk = 0xffffffff;
      this.#tf = 0;
      return false;
    }
    this.#block = low;
    this.#at = low === 0 ? 0 : skips[2 * low - 1]!;
    this.#chunk = low === 0 ? -1 : skips[2 * low - 2]!;
    return true;
  }
}

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
