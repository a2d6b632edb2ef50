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
    const { lengths } = this;
    let best = 0, maxTf = 1, shortest = -1 >>> 0;
    for (let i = 0; i < count; i++) {
      const tf = frequencies[i]!, length = lengths[chunks[i]!]!;
      if (tf === 1) {
        // Most postings. The shortest chunk has the greatest part, so that one division is enough for all.
        if (length < shortest) shortest = length;
        continue;
      }
      if (tf > maxTf) maxTf = tf;
      const part = frequencyPart(tf, length, this.#average);
      if (part > best) best = part;
    }
    if (shortest !== -1 >>> 0) best = Math.max(best, frequencyPart(1, shortest, this.#average));
    this.documentFrequency.push(count);
    // Rounded up, so that it is still an upper bound in 32 bits.
    this.maxFrequencyPart.push(best * (1 + 2 ** -22));
    const dense = count * 2 >= this.lengths.length && count > BLOCK && maxTf <= MAX_DENSE_TF;
    if (dense) this.#addDense(chunks, frequencies, count);
    else this.#addSparse(chunks, frequencies, count);
    this.offsets.push(this.size);
  }

  #addDense(chunks: Uint32Array, frequencies: Uint16Array, count: number): void {
    const start = this.#bytes.length;
    this.#bytes.reserve(this.lengths.length);
    this.#bytes.bytes.fill(0, start, start + this.lengths.length);
    for (let i = 0; i < count; i++) this.#bytes.bytes[start + chunks[i]!] = frequencies[i]!;
    this.#bytes.length += this.lengths.length;
    this.skipStart.push(DENSE);
  }

  #addSparse(chunks: Uint32Array, frequencies: Uint16Array, count: number): void {
    this.skipStart.push(this.skips.length);
    // A gap and its flag need at most 5 bytes, a tf at most 3.
    this.#bytes.reserve(count * 8);
    const bytes = this.#bytes.bytes;
    const start = this.#bytes.length;
    let at = start;
    let previous = -1;
    for (let i = 0; i < count; i++) {
      const chunk = chunks[i]!;
      const tf = frequencies[i]!;
      const gap = chunk - previous;
      previous = chunk;
      at = putVarint(bytes, at, (gap << 1 | (tf === 1 ? 1 : 0)) >>> 0);
      if (tf !== 1) at = putVarint(bytes, at, tf);
      if ((i + 1) % BLOCK === 0 || i === count - 1) {
        this.skips.push(chunk);
        this.skips.push(at - start);
      }
    }
    this.#bytes.length = at;
  }

  /** Returns the bytes written since the last call. The caller must copy them before the next call. */
  take(): Uint8Array<ArrayBuffer> {
    const bytes = this.#bytes.view();
    this.#taken += bytes.length;
    this.#bytes.length = 0;
    return bytes;
  }
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
