/**
 * Encodes posting lists.
 */
import { ByteBuffer, type Column, f32, u32 } from "../bytes.ts";
import { BLOCK, DENSE, frequencyPart, MAX_DENSE_TF } from "./format.ts";

/** Writes posting lists one after the other in the layout of `format.ts`. */
export class PostingsEncoder {
  /** Tokens of each chunk. */
  readonly lengths: Uint32Array;
  readonly #average: number;
  readonly offsets: Column<Uint32Array<ArrayBuffer>>;
  readonly documentFrequency: Column<Uint32Array<ArrayBuffer>>;
  readonly maxFrequencyPart: Column<Float32Array<ArrayBuffer>>;
  readonly skipStart: Column<Uint32Array<ArrayBuffer>>;
  readonly skips: Column<Uint32Array<ArrayBuffer>>;
  /** Bytes not yet taken by {@linkcode take}. */
  readonly #bytes = new ByteBuffer(1 << 20);
  #taken = 0;

  /** `average`: the mean of `lengths`. `terms`: how many lists there will be, as far as is known. */
  constructor(lengths: Uint32Array, average: number, terms = 0) {
    this.lengths = lengths;
    this.#average = average;
    this.offsets = u32(terms + 1);
    this.documentFrequency = u32(terms);
    this.maxFrequencyPart = f32(terms);
    this.skipStart = u32(terms);
    // Two numbers for each block; most lists have one block.
    this.skips = u32(Math.ceil(2.25 * terms));
    this.offsets.push(0);
  }

  /** Bytes written so far, taken or not. */
  get size(): number {
    return this.#taken + this.#bytes.length;
  }

  /** Adds the list of the next term: at least one chunk, in ascending order, with frequencies. */
  add(chunks: Uint32Array, frequencies: Uint16Array, count: number): void {
    this.documentFrequency.push(count);
    const best = this.#isDense(frequencies, count)
      ? this.#addDense(chunks, frequencies, count)
      : this.#addSparse(chunks, frequencies, count);
    // Rounded up, so that it is still an upper bound in 32 bits.
    this.maxFrequencyPart.push(best * (1 + 2 ** -22));
    this.offsets.push(this.size);
  }

  #isDense(frequencies: Uint16Array, count: number): boolean {
    if (count * 2 < this.lengths.length || count <= BLOCK) return false;
    for (let i = 0; i < count; i++) if (frequencies[i]! > MAX_DENSE_TF) return false;
    return true;
  }

  /** Returns the greatest frequency part, as {@linkcode PostingsEncoder.#addSparse} does. */
  #addDense(chunks: Uint32Array, frequencies: Uint16Array, count: number): number {
    const start = this.#bytes.length;
    this.#bytes.reserve(this.lengths.length);
    const { bytes } = this.#bytes;
    bytes.fill(0, start, start + this.lengths.length);
    let best = 0;
    for (let i = 0; i < count; i++) {
      const chunk = chunks[i]!, tf = frequencies[i]!;
      bytes[start + chunk] = tf;
      best = Math.max(best, frequencyPart(tf, this.lengths[chunk]!, this.#average));
    }
    this.#bytes.length += this.lengths.length;
    this.skipStart.push(DENSE);
    return best;
  }

  #addSparse(chunks: Uint32Array, frequencies: Uint16Array, count: number): number {
    this.skipStart.push(this.skips.length);
    // A gap and its flag need at most 5 bytes, a tf at most 3.
    this.#bytes.reserve(count * 8);
    const { bytes } = this.#bytes, { lengths } = this;
    const start = this.#bytes.length;
    let at = start, previous = -1, best = 0, shortest = NO_LENGTH;
    for (let i = 0; i < count; i++) {
      const chunk = chunks[i]!, tf = frequencies[i]!, length = lengths[chunk]!;
      const gap = chunk - previous;
      previous = chunk;
      if (tf === 1) {
        at = putGap(bytes, at, (gap << 1 | 1) >>> 0);
        // Most postings. The shortest chunk has the greatest part, so that one division is enough for all.
        if (length < shortest) shortest = length;
      } else {
        at = putVarint(bytes, putGap(bytes, at, (gap << 1) >>> 0), tf);
        best = Math.max(best, frequencyPart(tf, length, this.#average));
      }
      if ((i + 1) % BLOCK === 0 || i === count - 1) {
        this.skips.push(chunk);
        this.skips.push(at - start);
      }
    }
    this.#bytes.length = at;
    return shortest === NO_LENGTH ? best : Math.max(best, frequencyPart(1, shortest, this.#average));
  }

  /** Returns the bytes written since the last call. The caller must copy them before the next call. */
  take(): Uint8Array<ArrayBuffer> {
    const bytes = this.#bytes.view();
    this.#taken += bytes.length;
    this.#bytes.length = 0;
    return bytes;
  }
}

/** Longer than every chunk. */
const NO_LENGTH = 0xffff_ffff;

/**
 * The same as {@linkcode putVarint}, without a condition on whether a gap takes one, two or three bytes, which no processor can guess.
 * There must be room for three bytes.
 */
function putGap(bytes: Uint8Array, at: number, number: number): number {
  if (number > 0x1f_ffff) return putVarint(bytes, at, number);
  const second = 0x7f - number >>> 31, third = 0x3fff - number >>> 31;
  bytes[at] = number & 0x7f | second << 7;
  bytes[at + 1] = number >>> 7 & 0x7f | third << 7;
  bytes[at + 2] = number >>> 14;
  return at + 1 + second + third;
}

/**
 * Writes an unsigned 32-bit number in one to five bytes, seven bits in each, low ones first, the top bit set in all but the
 * last. Returns the offset after it.
 */
export function putVarint(bytes: Uint8Array, from: number, number: number): number {
  let at = from;
  let value = number;
  while (value > 0x7f) {
    bytes[at++] = (value & 0x7f) | 0x80;
    value >>>= 7;
  }
  bytes[at++] = value;
  return at;
}
