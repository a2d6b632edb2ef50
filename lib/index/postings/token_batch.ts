/** Fewest tokens in a full batch: enough that most terms occur several times in it. It takes 6 bytes a token. */
export const BATCH_TOKENS = 1 << 21;
/** Chunks in a batch, so that their ordinals have 16 bits. */
export const BATCH_CHUNKS = 1 << 16;

/** Tokens of some chunks as ids of their terms, in the order of the text, to be sorted by term. */
export class TokenBatch {
  terms = new Uint32Array(1 << 12);
  length = 0;
  /** The number of each chunk of the batch. */
  readonly ids: number[] = [];
  /** Exclusive end of each chunk in `terms`. */
  readonly #ends: number[] = [];
  #chunks = new Uint16Array(0);
  #places = new Uint32Array(0);

  /** Makes room for `count` more tokens. */
  reserve(count: number): void {
    if (this.length + count <= this.terms.length) return;
    const terms = new Uint32Array(Math.max(this.length + count, this.terms.length * 2));
    terms.set(this.terms);
    this.terms = terms;
  }

  /** Ends the open chunk. Returns its number of tokens. */
  endChunk(id: number): number {
    const start = this.#ends.at(-1) ?? 0;
    this.ids.push(id);
    this.#ends.push(this.length);
    return this.length - start;
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
    for (let chunk = 0, i = 0; chunk < this.#ends.length; chunk++) {
      for (const end = this.#ends[chunk]!; i < end; i++) chunks[places[terms[i]!]!++] = chunk;
    }
    return { chunks, ends: places };
  }

  clear(): void {
    this.length = 0;
    this.ids.length = 0;
    this.#ends.length = 0;
  }
}
