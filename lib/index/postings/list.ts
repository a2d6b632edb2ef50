import { BLOCK, DENSE, type Postings } from "./format.ts";

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
