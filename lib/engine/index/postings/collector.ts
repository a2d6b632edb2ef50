/**
 * Collects postings while texts are indexed, in batches that are sorted by term.
 */
import { MOST_TERMS, type TokenSink } from "../text/tokenizer.ts";
import { type Vocabulary, WordBatch } from "../text/vocabulary.ts";
import { grown, release } from "../bytes.ts";
import { putVarint } from "./encoder.ts";
import { IndexTooLargeError } from "./format.ts";

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
  /** Words of the open text whose terms are looked up together. */
  readonly #written = new WordBatch();

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  word(units: Uint16Array, start: number, end: number, hash: number): void {
    if (this.#written.add(units, start, end, hash)) this.wordsEnd();
  }

  wordsEnd(): void {
    const written = this.#written;
    if (written.length === 0) return;
    const words = this.#words;
    words.reserve(written.length * MOST_TERMS);
    words.length = this.#vocabulary.ofWords(written, words.terms, words.length);
  }

  gram(first: number, second: number): void {
    if (first <= 0xffff && second <= 0xffff) return this.#grams.add(first, second);
    // Terms get their ids in the order of the text.
    this.wordsEnd();
    const words = this.#words;
    words.reserve(1);
    words.terms[words.length++] = this.#vocabulary.ofGram(first, second);
  }

  value(term: string): void {
    const words = this.#words;
    words.reserve(1);
    words.terms[words.length++] = this.#vocabulary.idOf(term);
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

  /** Frees the memory of all postings. Nothing else may be called afterwards. */
  release(): void {
    release(this.#records);
    this.#slices.release();
  }

  /** Frees the memory of the batches. No token may be added afterwards. */
  releaseBatches(): void {
    this.#words.release();
    this.#grams.release();
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
    const length = Math.max(terms * FIELDS, Math.ceil(this.#records.length * 1.5));
    this.#records = grown(Int32Array, this.#records, length);
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

/** Tokens of some chunks in the order of the text, to be sorted. */
class Batch {
  /** The number of each chunk of the batch. */
  readonly ids: number[] = [];
  length = 0;
  /** Exclusive end of each chunk among the tokens. */
  protected readonly ends: number[] = [];

  /** Ends the open chunk. Returns its number of tokens. */
  endChunk(id: number): number {
    const start = this.ends.at(-1) ?? 0;
    this.ids.push(id);
    this.ends.push(this.length);
    return this.length - start;
  }

  clear(): void {
    this.length = 0;
    this.ids.length = 0;
    this.ends.length = 0;
  }
}

/** Bits of a gram that one pass of the sort looks at. */
const DIGITS = [11, 11, 10] as const;
const MOST_BUCKETS = 1 << 11;

/**
 * Grams of some chunks as `first << 16 | second`, in the order of the text, to be sorted. Equal grams are then side by side,
 * so that the id of each is looked up once for a batch: Chinese text has two grams per character and millions of different
 * ones, and every look-up waits for memory.
 */
class GramBatch extends Batch {
  #grams = new Uint32Array(1 << 12);
  #chunks = new Uint16Array(0);
  /** The arrays that a pass sorts into. */
  #spareGrams = new Uint32Array(0);
  #spareChunks = new Uint16Array(0);
  readonly #places = new Uint32Array(MOST_BUCKETS);

  /** Adds a gram of the open chunk; `second` is 0 for a single unit. */
  add(first: number, second: number): void {
    if (this.length === this.#grams.length) {
      this.#grams = grown(Uint32Array, this.#grams, this.length * 2);
    }
    this.#grams[this.length++] = first << 16 | second;
  }

  get isFull(): boolean {
    return this.length >= BATCH_TOKENS || this.ids.length === BATCH_CHUNKS;
  }

  /**
   * Sorts the grams, equal ones in the order of the text (radix sort from the lowest digit). Returns them with the chunk of
   * each, as its index in {@linkcode ids}.
   */
  sort(): { grams: Uint32Array; chunks: Uint16Array } {
    if (this.#chunks.length < this.length) this.#makeRoom();
    for (let chunk = 0, start = 0; chunk < this.ends.length; chunk++) {
      this.#chunks.fill(chunk, start, start = this.ends[chunk]!);
    }
    let shift = 0;
    for (const bits of DIGITS) {
      this.#pass(shift, (1 << bits) - 1);
      shift += bits;
    }
    return { grams: this.#grams, chunks: this.#chunks };
  }

  /** Sorts by the bits above `shift` that are in `mask`. */
  #pass(shift: number, mask: number): void {
    const grams = this.#grams, chunks = this.#chunks, length = this.length;
    const toGrams = this.#spareGrams, toChunks = this.#spareChunks, places = this.#places;
    places.fill(0);
    for (let i = 0; i < length; i++) places[grams[i]! >>> shift & mask]!++;
    for (let bucket = 0, sum = 0; bucket <= mask; bucket++) {
      const count = places[bucket]!;
      places[bucket] = sum;
      sum += count;
    }
    for (let i = 0; i < length; i++) {
      const gram = grams[i]!;
      const place = places[gram >>> shift & mask]!++;
      toGrams[place] = gram;
      toChunks[place] = chunks[i]!;
    }
    [this.#grams, this.#spareGrams] = [toGrams, grams];
    [this.#chunks, this.#spareChunks] = [toChunks, chunks];
  }

  /** Frees the memory of the batch, which is not used again. */
  release(): void {
    for (const array of [this.#grams, this.#chunks, this.#spareGrams, this.#spareChunks]) release(array);
  }

  #makeRoom(): void {
    const room = this.#grams.length;
    this.#chunks = new Uint16Array(room);
    this.#spareGrams = new Uint32Array(room);
    this.#spareChunks = new Uint16Array(room);
  }
}

/** Fewest tokens in a full batch: enough that most terms occur several times in it. It takes 6 bytes a token. */
const BATCH_TOKENS = 1 << 21;
/** Chunks in a batch, so that their ordinals have 16 bits. */
const BATCH_CHUNKS = 1 << 16;

/** Tokens of some chunks as ids of their terms, in the order of the text, to be sorted by term. */
class TokenBatch extends Batch {
  terms = new Uint32Array(1 << 12);
  #chunks = new Uint16Array(0);
  #places = new Uint32Array(0);

  /** Makes room for `count` more tokens. */
  reserve(count: number): void {
    if (this.length + count <= this.terms.length) return;
    const length = Math.max(this.length + count, this.terms.length * 2);
    this.terms = grown(Uint32Array, this.terms, length);
  }

  /** Frees the memory of the batch, which is not used again. */
  release(): void {
    for (const array of [this.terms, this.#chunks, this.#places]) release(array);
  }

  /** Whether the batch is to be sorted. As that visits each of the `terms` terms, a batch has at least as many tokens. */
  isFull(terms: number): boolean {
    return this.length >= Math.max(BATCH_TOKENS, terms) || this.ids.length === BATCH_CHUNKS;
  }

  /**
   * Sorts the tokens by term, those of one term in the order of the text (counting sort). Returns the chunk of each token,
   * as its index in {@linkcode ids}, and the exclusive end of each of the `count` terms.
   */
  sort(count: number): { chunks: Uint16Array; ends: Uint32Array } {
    const { terms, length } = this;
    if (this.#chunks.length < length) this.#chunks = new Uint16Array(terms.length);
    if (this.#places.length < count) this.#places = new Uint32Array(Math.ceil(count * 1.5));
    const chunks = this.#chunks, places = this.#places;
    places.fill(0, 0, count);
    for (let i = 0; i < length; i++) places[terms[i]!]!++;
    for (let term = 0, sum = 0; term < count; term++) {
      const tokens = places[term]!;
      places[term] = sum;
      sum += tokens;
    }
    for (let chunk = 0, i = 0; chunk < this.ends.length; chunk++) {
      for (const end = this.ends[chunk]!; i < end; i++) chunks[places[terms[i]!]!++] = chunk;
    }
    return { chunks, ends: places };
  }
}

/** Pages are allocated when they are needed, so growing copies no bytes. */
const PAGE_BITS = 20;
const PAGE_BYTES = 1 << PAGE_BITS;
/** Bytes of the slices of a list. They grow, so rare terms waste little memory and frequent terms have few slices. */
const SLICE_BYTES = [12, 24, 48, 96, 192, 384, 768, 1536] as const;
/** Bytes at the end of a full slice with the address of the next one. */
const LINK_BYTES = 4;
/**
 * Addresses of slices have 32 bits, as the offsets of written lists. From 2^31 on they are negative in an `Int32Array`, but `>>>` and `&`
 * give the same page and offset.
 */
const MAX_PAGES = 2 ** 32 / PAGE_BYTES;

/**
 * Many byte lists that grow side by side, one for each term, in chained slices (the layout of Lucene's in-memory
 * postings, McCandless 2010):
 *
 * ```
 * [12 bytes: data … | link]─>[24 bytes: data … | link]─>[48 bytes: data …        ]
 * ```
 */
class Slices {
  readonly #pages: Uint8Array[] = [];
  #free = PAGE_BYTES;

  /** Allocates a slice of the given level. Returns its address. */
  allocate(level: number): number {
    const size = SLICE_BYTES[level]!;
    if (this.#free + size > PAGE_BYTES) {
      if (this.#pages.length === MAX_PAGES) throw new IndexTooLargeError("4 GiB of postings in memory");
      this.#pages.push(new Uint8Array(PAGE_BYTES));
      this.#free = 0;
    }
    const address = (this.#pages.length - 1) * PAGE_BYTES + this.#free;
    this.#free += size;
    return address;
  }

  /** Returns the page of an address. The offset in the page is `address & PAGE_MASK`. */
  page(address: number): Uint8Array {
    return this.#pages[address >>> PAGE_BITS]!;
  }

  release(): void {
    for (const page of this.#pages) release(page);
  }

  /** Writes the link of a full slice, whose data end at `address`. */
  link(address: number, next: number): void {
    const page = this.page(address);
    const at = address & PAGE_MASK;
    page[at] = next & 0xff;
    page[at + 1] = next >>> 8 & 0xff;
    page[at + 2] = next >>> 16 & 0xff;
    page[at + 3] = next >>> 24;
  }

  /** Returns the link after the data of a full slice. */
  next(address: number): number {
    const page = this.page(address);
    const at = address & PAGE_MASK;
    return page[at]! | page[at + 1]! << 8 | page[at + 2]! << 16 | page[at + 3]! << 24;
  }
}

/** Mask for the offset in a page. */
const PAGE_MASK = PAGE_BYTES - 1;

/** Returns the bytes of data in a slice of the given level. */
function dataBytes(level: number): number {
  return SLICE_BYTES[level]! - LINK_BYTES;
}

/** Returns the level of the slice after one of `level`. */
function nextLevel(level: number): number {
  return Math.min(level + 1, SLICE_BYTES.length - 1);
}
