import { BATCH_CHUNKS, BATCH_TOKENS } from "./token_batch.ts";

/** Bits of a gram that one pass of the sort looks at. */
const DIGITS = [11, 11, 10] as const;
const MOST_BUCKETS = 1 << 11;

/**
 * Grams of some chunks as `first << 16 | second`, in the order of the text, to be sorted. Equal grams are then side by side,
 * so that the id of each is looked up once for a batch: Chinese text has two grams per character and millions of different
 * ones, and every look-up waits for memory.
 */
export class GramBatch {
  /** The number of each chunk of the batch. */
  readonly ids: number[] = [];
  length = 0;
  #grams = new Uint32Array(1 << 12);
  #chunks = new Uint16Array(0);
  /** The arrays that a pass sorts into. */
  #spareGrams = new Uint32Array(0);
  #spareChunks = new Uint16Array(0);
  /** Exclusive end of each chunk in `#grams`. */
  readonly #ends: number[] = [];
  readonly #places = new Uint32Array(MOST_BUCKETS);

  /** Adds a gram of the open chunk; `second` is 0 for a single unit. */
  add(first: number, second: number): void {
    if (this.length === this.#grams.length) this.#grow();
    this.#grams[this.length++] = first << 16 | second;
  }

  /** Ends the open chunk. Returns its number of grams. */
  endChunk(id: number): number {
    const start = this.#ends.at(-1) ?? 0;
    this.ids.push(id);
    this.#ends.push(this.length);
    return this.length - start;
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
    for (let chunk = 0, start = 0; chunk < this.#ends.length; chunk++) {
      this.#chunks.fill(chunk, start, start = this.#ends[chunk]!);
    }
    let shift = 0;
    for (const bits of DIGITS) {
      this.#pass(shift, (1 << bits) - 1);
      shift += bits;
    }
    return { grams: this.#grams, chunks: this.#chunks };
  }

  clear(): void {
    this.length = 0;
    this.ids.length = 0;
    this.#ends.length = 0;
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

  #grow(): void {
    const grams = new Uint32Array(this.length * 2);
    grams.set(this.#grams);
    this.#grams = grams;
  }

  #makeRoom(): void {
    const room = this.#grams.length;
    this.#chunks = new Uint16Array(room);
    this.#spareGrams = new Uint32Array(room);
    this.#spareChunks = new Uint16Array(room);
  }
}
