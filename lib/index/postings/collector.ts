import { MOST_TERMS, type TokenSink, type Vocabulary } from "../text/mod.ts";
import { GramBatch } from "./gram_batch.ts";
import { dataBytes, nextLevel, PAGE_MASK, Slices } from "./slices.ts";
import { TokenBatch } from "./token_batch.ts";
import { putVarint } from "./varint.ts";

/** The greatest term frequency that is stored, in 16 bits. BM25 hardly grows at much smaller frequencies. */
export const MAX_TF = 0xffff;

/**
 * Fields of the record of a term: its document frequency, the last of its chunks, its first slice, the address of its next
 * byte, the end of the slice's data, and the slice's level.
 */
const DF = 0, LAST = 1, FIRST = 2, AT = 3, END = 4, LEVEL = 5;
const FIELDS = 6;

/** A gap with its flag takes five bytes at most, a term frequency three. */
const MAX_POSTING_BYTES = 8;

/**
 * Collects the postings of new chunks, chunk by chunk. They are kept as the gaps of `format.ts`, in separate
 * slices for each term: about two bytes a posting. Tokens wait in a batch until it is sorted by term, so that the lists of
 * the terms are visited once for each batch and not once for each token.
 */
export class PostingsCollector implements TokenSink {
  readonly #vocabulary: Vocabulary;
  readonly #slices = new Slices();
  #records = new Int32Array(FIELDS << 14);
  readonly #words = new TokenBatch();
  readonly #grams = new GramBatch();

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  word(units: Uint16Array, start: number, end: number, hash: number): void {
    const words = this.#words;
    words.reserve(MOST_TERMS);
    words.length = this.#vocabulary.ofWord(units, start, end, hash, words.terms, words.length);
  }

  gram(first: number, second: number): void {
    if (first <= 0xffff && second <= 0xffff) return this.#grams.add(first, second);
    const words = this.#words;
    words.reserve(1);
    words.terms[words.length++] = this.#vocabulary.ofGram(first, second);
  }

  /**
   * Ends the open chunk, which gets the number `id`. It must be greater than all earlier numbers. Returns its number of
   * tokens.
   */
  endChunk(id: number): number {
    const words = this.#words.endChunk(id), grams = this.#grams.endChunk(id);
    if (this.#words.isFull(this.#vocabulary.size)) this.#flushWords();
    if (this.#grams.isFull) this.#flushGrams();
    return words + grams;
  }

  /** Gives every collected term its id in the vocabulary. Call it before its terms are listed. */
  finish(): void {
    this.#flushWords();
    this.#flushGrams();
  }

  /** Appends the postings of the words in the batch to the lists of their terms. */
  #flushWords(): void {
    const words = this.#words;
    if (words.length > 0) {
      this.#reserve(this.#vocabulary.size);
      const { chunks, ends } = words.sort(this.#vocabulary.size);
      for (let term = 0, at = 0; term < this.#vocabulary.size; term++) {
        this.#appendAll(term, words.ids, chunks, at, ends[term]!);
        at = ends[term]!;
      }
    }
    words.clear();
  }

  /** Appends the postings of the grams in the batch to the lists of their terms. */
  #flushGrams(): void {
    const batch = this.#grams;
    if (batch.length > 0) {
      const { grams, chunks } = batch.sort();
      for (let at = 0; at < batch.length;) {
        const gram = grams[at]!;
        let end = at + 1;
        while (end < batch.length && grams[end] === gram) end++;
        const term = this.#vocabulary.ofGram(gram >>> 16, gram & 0xffff);
        this.#reserve(this.#vocabulary.size);
        this.#appendAll(term, batch.ids, chunks, at, end);
        at = end;
      }
    }
    batch.clear();
  }

  /** Appends the postings of a term, whose tokens are in `chunks` from `from` to `to`. `ids`: the numbers of the chunks. */
  #appendAll(term: number, ids: readonly number[], chunks: Uint16Array, from: number, to: number): void {
    for (let at = from; at < to;) {
      const chunk = chunks[at]!;
      const first = at++;
      while (at < to && chunks[at] === chunk) at++;
      this.#append(term, ids[chunk]!, Math.min(at - first, MAX_TF));
    }
  }

  #reserve(terms: number): void {
    if (terms * FIELDS <= this.#records.length) return;
    const records = new Int32Array(Math.max(terms * FIELDS, Math.ceil(this.#records.length * 1.5)));
    records.set(this.#records);
    this.#records = records;
  }

  #append(term: number, id: number, tf: number): void {
    const records = this.#records;
    const record = term * FIELDS;
    const last = records[record + DF]!++ === 0 ? -1 : records[record + LAST]!;
    records[record + LAST] = id;
    const value = ((id - last) << 1 | (tf === 1 ? 1 : 0)) >>> 0;
    const at = records[record + AT]!;
    if (records[record + END]! - at < MAX_POSTING_BYTES) {
      this.#write(record, value);
      if (tf !== 1) this.#write(record, tf);
      return;
    }
    // Most postings fit into the slice, so single bytes need no check.
    const page = this.#slices.page(at);
    const start = at & PAGE_MASK;
    let end = putVarint(page, start, value);
    if (tf !== 1) end = putVarint(page, end, tf);
    records[record + AT] = at + end - start;
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
    this.finish();
    return this.#records[term * FIELDS + DF] ?? 0;
  }

  /** The postings of a term, chunks in ascending order. Both arrays must be large enough. Returns the count. */
  decode(term: number, chunks: Uint32Array, frequencies: Uint16Array): number {
    const total = this.documentFrequency(term);
    if (total === 0) return 0;
    const slices = this.#slices;
    let level = 0;
    let at = this.#records[term * FIELDS + FIRST]!;
    let end = at + dataBytes(0);
    let page = slices.page(at);
    let chunk = -1;
    for (let i = 0; i < total; i++) {
      let value = 0, tf = 1;
      if (end - at >= MAX_POSTING_BYTES) {
        let place = at & PAGE_MASK;
        let byte = page[place++]!;
        value = byte & 0x7f;
        for (let shift = 7; byte > 0x7f; shift += 7) {
          byte = page[place++]!;
          value |= (byte & 0x7f) << shift;
        }
        if ((value & 1) === 0) {
          byte = page[place++]!;
          tf = byte & 0x7f;
          for (let shift = 7; byte > 0x7f; shift += 7) {
            byte = page[place++]!;
            tf |= (byte & 0x7f) << shift;
          }
        }
        at += place - (at & PAGE_MASK);
      } else {
        for (let number = 0; number < 2 && (number === 0 || (value & 1) === 0); number++) {
          let sum = 0;
          for (let shift = 0, byte = 0x80; byte > 0x7f; shift += 7) {
            if (at === end) {
              at = slices.next(at);
              level = nextLevel(level);
              end = at + dataBytes(level);
              page = slices.page(at);
            }
            byte = page[at++ & PAGE_MASK]!;
            sum |= (byte & 0x7f) << shift;
          }
          if (number === 0) value = sum;
          else tf = sum;
        }
      }
      chunk += value >>> 1;
      chunks[i] = chunk;
      frequencies[i] = tf;
    }
    return total;
  }
}
