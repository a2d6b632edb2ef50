import type { TokenSink, Vocabulary } from "../text/mod.ts";

/** Postings held per block of the stream. */
const BLOCK = 1 << 20;
/** A term frequency is kept in 16 bits: beyond this BM25 has long been flat. */
export const MAX_TF = 0xffff;

/**
 * Collects the postings of new chunks, chunk by chunk: term ids and term frequencies in one long stream, six
 * bytes a posting. {@linkcode PostingsCollector.byTerm} turns it round.
 */
export class PostingsCollector implements TokenSink {
  /** Tokens of the open chunk so far. */
  tokens = 0;
  /** How many collected chunks hold each term. */
  documentFrequency: Uint32Array = new Uint32Array(1 << 14);
  readonly #vocabulary: Vocabulary;
  readonly #terms: Uint32Array[] = [];
  readonly #frequencies: Uint16Array[] = [];
  readonly #chunks: { id: number; end: number }[] = [];
  #length = 0;
  #stamp = new Int32Array(1 << 14).fill(-1);
  #count = new Uint32Array(1 << 14);
  #open = new Uint32Array(1 << 10);
  #openLength = 0;
  #serial = 0;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  /** Postings collected. */
  get length(): number {
    return this.#length;
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
    if (id >= this.#stamp.length) this.#grow(id);
    if (this.#stamp[id] === this.#serial) {
      this.#count[id]!++;
      return;
    }
    this.#stamp[id] = this.#serial;
    this.#count[id] = 1;
    if (this.#openLength === this.#open.length) {
      const open = new Uint32Array(this.#open.length * 2);
      open.set(this.#open);
      this.#open = open;
    }
    this.#open[this.#openLength++] = id;
  }

  #grow(id: number): void {
    const size = Math.max(id + 1, this.#stamp.length * 2);
    const stamp = new Int32Array(size).fill(-1);
    stamp.set(this.#stamp);
    const count = new Uint32Array(size);
    count.set(this.#count);
    const df = new Uint32Array(size);
    df.set(this.documentFrequency);
    this.#stamp = stamp;
    this.#count = count;
    this.documentFrequency = df;
  }

  /** Ends the open chunk, which gets the number `id`: greater than any before. Gives its tokens. */
  endChunk(id: number): number {
    let block = this.#terms.at(-1)!;
    let frequencies = this.#frequencies.at(-1)!;
    for (let i = 0; i < this.#openLength; i++) {
      const at = this.#length % BLOCK;
      if (at === 0) {
        this.#terms.push(block = new Uint32Array(BLOCK));
        this.#frequencies.push(frequencies = new Uint16Array(BLOCK));
      }
      const term = this.#open[i]!;
      block[at] = term;
      frequencies[at] = Math.min(this.#count[term]!, MAX_TF);
      this.documentFrequency[term]!++;
      this.#length++;
    }
    this.#chunks.push({ id, end: this.#length });
    const tokens = this.tokens;
    this.tokens = 0;
    this.#openLength = 0;
    this.#serial++;
    return tokens;
  }

  /**
   * The postings of the terms `from` (inclusive) to `to` (exclusive), chunks in ascending order: the lists
   * stand one after the other, `starts[term - from]` is where each begins. A counting sort over the stream.
   */
  byTerm(from: number, to: number): { starts: Uint32Array; chunks: Uint32Array; frequencies: Uint16Array } {
    const starts = new Uint32Array(to - from + 1);
    for (let term = from; term < to; term++) {
      starts[term - from + 1] = starts[term - from]! + (this.documentFrequency[term] ?? 0);
    }
    const total = starts[to - from]!;
    const chunks = new Uint32Array(total);
    const frequencies = new Uint16Array(total);
    const next = starts.slice();
    let at = 0;
    for (const { id, end } of this.#chunks) {
      for (; at < end; at++) {
        const term = this.#terms[at >>> 20]![at & (BLOCK - 1)]!;
        if (term < from || term >= to) continue;
        const slot = next[term - from]!++;
        chunks[slot] = id;
        frequencies[slot] = this.#frequencies[at >>> 20]![at & (BLOCK - 1)]!;
      }
    }
    return { starts, chunks, frequencies };
  }
}
