import type { TokenSink, Vocabulary } from "../text/mod.ts";
import { dataBytes, nextLevel, PAGE_MASK, Slices } from "./slices.ts";
import { putVarint } from "./varint.ts";

/** The greatest term frequency that is stored, in 16 bits. BM25 hardly grows at much smaller frequencies. */
export const MAX_TF = 0xffff;

/**
 * Fields of the record of a term. They lie side by side, so that a token touches one line of the processor's cache: the chunk
 * that the term was last met in, its count there, its document frequency, the last of its chunks, its first slice, the address
 * of its next byte, the end of the slice's data, and the slice's level.
 */
const STAMP = 0, COUNT = 1, DF = 2, LAST = 3, FIRST = 4, AT = 5, END = 6, LEVEL = 7;
const FIELDS = 8;

/** A gap with its flag takes five bytes at most, a term frequency three. */
const MAX_POSTING_BYTES = 8;

/**
 * Collects the postings of new chunks, chunk by chunk. They are kept as the gaps of `format.ts`, in separate
 * slices for each term: about two bytes a posting.
 */
export class PostingsCollector implements TokenSink {
  /** Tokens of the open chunk so far. */
  tokens = 0;
  readonly #vocabulary: Vocabulary;
  readonly #slices = new Slices();
  #records = new Int32Array(FIELDS << 14);
  #open = new Uint32Array(1 << 10);
  #openLength = 0;
  /** Number of the open chunk among the collected ones, from 1: a fresh record's stamp is 0. */
  #serial = 1;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  word(text: string, start: number, end: number): void {
    const ids = this.#vocabulary.ofWord(text, start, end);
    for (let i = 0; i < ids.length; i++) this.#add(ids[i]!);
  }

  gram(first: number, second: number): void {
    this.#add(this.#vocabulary.ofGram(first, second));
  }

  #add(id: number): void {
    this.tokens++;
    const record = id * FIELDS;
    if (record >= this.#records.length) this.#grow(record);
    if (this.#records[record + STAMP] === this.#serial) {
      this.#records[record + COUNT]!++;
      return;
    }
    this.#records[record + STAMP] = this.#serial;
    this.#records[record + COUNT] = 1;
    if (this.#openLength === this.#open.length) {
      const open = new Uint32Array(this.#open.length * 2);
      open.set(this.#open);
      this.#open = open;
    }
    this.#open[this.#openLength++] = id;
  }

  #grow(record: number): void {
    const records = new Int32Array(Math.max(record + FIELDS, this.#records.length * 2));
    records.set(this.#records);
    this.#records = records;
  }

  /**
   * Ends the open chunk, which gets the number `id`. It must be greater than all earlier numbers. Returns its number of
   * tokens.
   */
  endChunk(id: number): number {
    const records = this.#records;
    for (let i = 0; i < this.#openLength; i++) {
      const record = this.#open[i]! * FIELDS;
      const tf = Math.min(records[record + COUNT]!, MAX_TF);
      const last = records[record + DF]!++ === 0 ? -1 : records[record + LAST]!;
      records[record + LAST] = id;
      const value = ((id - last) << 1 | (tf === 1 ? 1 : 0)) >>> 0;
      const at = records[record + AT]!;
      if (records[record + END]! - at < MAX_POSTING_BYTES) {
        this.#write(record, value);
        if (tf !== 1) this.#write(record, tf);
        continue;
      }
      // Most postings fit into the slice, so single bytes need no check.
      const page = this.#slices.page(at);
      const start = at & PAGE_MASK;
      let end = putVarint(page, start, value);
      if (tf !== 1) end = putVarint(page, end, tf);
      records[record + AT] = at + end - start;
    }
    const tokens = this.tokens;
    this.tokens = 0;
    this.#openLength = 0;
    this.#serial++;
    return tokens;
  }

  /** Appends a variable-length number to a term's list, from slice to slice. */
  #write(record: number, number: number): void {
    let value = number;
    while (value > 0x7f) {
      this.#writeByte(record, (value & 0x7f) | 0x80);
      value >>>= 7;
    }
    this.#writeByte(record, value);
  }

  #writeByte(record: number, byte: number): void {
    const records = this.#records;
    let at = records[record + AT]!;
    if (at === records[record + END]) at = this.#nextSlice(record);
    this.#slices.page(at)[at & PAGE_MASK] = byte;
    records[record + AT] = at + 1;
  }

  /** Gives a term its first or next slice. */
  #nextSlice(record: number): number {
    const records = this.#records;
    const isFirst = records[record + END] === 0;
    const level = isFirst ? 0 : nextLevel(records[record + LEVEL]!);
    const slice = this.#slices.allocate(level);
    if (isFirst) records[record + FIRST] = slice;
    else this.#slices.link(records[record + END]!, slice);
    records[record + LEVEL] = level;
    records[record + END] = slice + dataBytes(level);
    return slice;
  }

  /** Returns the number of collected chunks that contain the term. */
  documentFrequency(term: number): number {
    return this.#records[term * FIELDS + DF] ?? 0;
  }

  /** The postings of a term, chunks in ascending order. Both arrays must be large enough. Returns the count. */
  decode(term: number, chunks: Uint32Array, frequencies: Uint16Array): number {
    const total = this.documentFrequency(term);
    if (total === 0) return 0;
    let level = 0;
    let at = this.#records[term * FIELDS + FIRST]!;
    let end = at + dataBytes(0);
    let page = this.#slices.page(at);
    const readByte = (): number => {
      if (at === end) {
        at = this.#slices.next(at);
        level = nextLevel(level);
        end = at + dataBytes(level);
        page = this.#slices.page(at);
      }
      return page[at++ & PAGE_MASK]!;
    };
    const read = (): number => {
      let byte = readByte();
      let value = byte & 0x7f;
      for (let shift = 7; byte > 0x7f; shift += 7) {
        byte = readByte();
        value |= (byte & 0x7f) << shift;
      }
      return value;
    };
    let chunk = -1;
    for (let i = 0; i < total; i++) {
      const value = read();
      chunk += value >>> 1;
      chunks[i] = chunk;
      frequencies[i] = (value & 1) === 1 ? 1 : read();
    }
    return total;
  }
}
