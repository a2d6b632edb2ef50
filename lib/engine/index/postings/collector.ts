/**
 * Collects postings while texts are indexed, in batches that are sorted by term.
 */
import { MOST_TERMS, type TokenSink } from "../text/tokenizer.ts";
import { type Vocabulary, WordBatch } from "../text/vocabulary.ts";
import { grown, release } from "../bytes.ts";
import { Runs } from "./runs.ts";

/**
 * Collects the postings of new chunks, chunk by chunk. Tokens wait in a batch until it is sorted by term, so that each term is visited once
 * for a batch and not once for each token.
 */
export class PostingsCollector implements TokenSink {
  readonly #vocabulary: Vocabulary;
  readonly #runs = new Runs();
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

  gram(character: number, previous: number): void {
    if (character <= 0xffff && previous <= 0xffff) return this.#grams.add(previous, character);
    // Terms get their ids in the order of the text.
    this.wordsEnd();
    const words = this.#words;
    words.reserve(2);
    if (character <= 0xffff) this.#grams.add(0, character);
    else words.terms[words.length++] = this.#vocabulary.ofGram(character, 0);
    if (previous !== 0) words.terms[words.length++] = this.#vocabulary.ofGram(previous, character);
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

  /** Gives every collected term its id in the vocabulary. No token may be added afterwards, because the memory of the batches is freed. */
  finish(): void {
    this.#flushWords();
    this.#flushGrams();
    this.#runs.endGeneration(this.#vocabulary.size);
    this.#words.release();
    this.#grams.release();
  }

  /**
   * Writes the postings of a term into both arrays, which must be large enough, chunks in ascending order. Returns the count. Call it after
   * {@linkcode finish}, with terms that ascend.
   */
  decode(term: number, chunks: Uint32Array, frequencies: Uint16Array): number {
    return this.#runs.decode(term, chunks, frequencies);
  }

  /** Frees the memory of all postings. Nothing else may be called afterwards. */
  release(): void {
    this.#runs.release();
  }

  /** Adds the postings of the words in the batch. */
  #flushWords(): void {
    const words = this.#words;
    if (words.length > 0) {
      const { chunks, ends } = words.sort(this.#vocabulary.size);
      this.#runs.begin(words.ids);
      for (let term = 0, at = 0; term < this.#vocabulary.size; term++) {
        const end = ends[term]!;
        if (end > at) this.#runs.add(term, chunks, at, end);
        at = end;
      }
    }
    words.clear();
  }

  /** Adds the postings of the grams in the batch. New ones get their ids in the order of their units. */
  #flushGrams(): void {
    const batch = this.#grams, vocabulary = this.#vocabulary, runs = this.#runs;
    if (batch.length > 0) {
      const { characters, characterEnds, pairs, pairEnds } = batch.sort();
      const most = Math.min(UNITS, batch.length);
      const starts = new Uint32Array(most + 1), ids = new Uint32Array(most);
      runs.begin(batch.ids);
      for (let unit = 0, at = 0, first = pairEnds[0]!; unit < UNITS; unit++) {
        const end = characterEnds[unit]!;
        if (end > at) runs.add(vocabulary.ofGram(unit, 0), characters, at, end);
        at = end;
        const last = pairEnds[unit]!;
        if (first === last) continue;
        const count = startsOf(pairs, first, last, starts);
        vocabulary.ofPairs(unit, pairs, starts, count, ids);
        for (let i = 0; i < count; i++) runs.add(ids[i]!, pairs, starts[i]!, starts[i + 1]!);
        first = last;
      }
      runs.endGeneration(vocabulary.size);
    }
    batch.clear();
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

/** How many units of UTF-16 there are. */
const UNITS = 1 << 16;

/** The grams of a batch, grouped. The ends are those of the groups of each unit; they begin where the group before ends. */
interface SortedGrams {
  /** Grouped by the character: the index of its chunk in {@linkcode Batch.ids}, below the 16 bits of the character before. */
  readonly characters: Uint32Array;
  readonly characterEnds: Uint32Array;
  /** Grouped by the first character of a pair, and in each group sorted by the second: index of the chunk, below 16 bits of the second. */
  readonly pairs: Uint32Array;
  readonly pairEnds: Uint32Array;
}

/**
 * Characters of some chunks, each with the one before, in the order of the text, to be sorted. Equal grams are then side by side,
 * so that the id of each is looked up once for a batch: Chinese text has two grams per character and millions of different
 * ones, and every look-up waits for memory.
 */
class GramBatch extends Batch {
  /** `previous << 16 | character`; without a character before, `previous` is 0. */
  #pairs = new Uint32Array(1 << 12);
  #characters = new Uint32Array(0);
  readonly #characterEnds = new Uint32Array(UNITS);
  readonly #pairEnds = new Uint32Array(UNITS);
  /** Characters without one before, of all chunks and until the end of the last one. */
  #starts = 0;
  #endedStarts = 0;

  /** Adds a character of the open chunk and the one before it, or 0. */
  add(previous: number, character: number): void {
    if (this.length === this.#pairs.length) this.#pairs = grown(Uint32Array, this.#pairs, this.length * 2);
    if (previous === 0) this.#starts++;
    this.#pairs[this.length++] = previous << 16 | character;
  }

  /** Ends the open chunk. Returns its number of tokens: each character, and each pair. */
  override endChunk(id: number): number {
    const starts = this.#starts - this.#endedStarts;
    this.#endedStarts = this.#starts;
    return 2 * super.endChunk(id) - starts;
  }

  get isFull(): boolean {
    return 2 * this.length - this.#starts >= BATCH_TOKENS || this.ids.length === BATCH_CHUNKS;
  }

  override clear(): void {
    super.clear();
    this.#starts = this.#endedStarts = 0;
  }

  /**
   * Sorts the grams by character, then by the one before; equal ones stay in the order of the text. The result is valid until the next
   * character is added.
   */
  sort(): SortedGrams {
    const pairs = this.#pairs, { length } = this;
    if (this.#characters.length < length) this.#characters = new Uint32Array(pairs.length);
    const characters = this.#characters, characterEnds = this.#characterEnds, pairEnds = this.#pairEnds;
    characterEnds.fill(0);
    pairEnds.fill(0);
    for (let i = 0; i < length; i++) {
      const pair = pairs[i]!;
      characterEnds[pair & 0xffff]!++;
      pairEnds[pair >>> 16]!++;
    }
    startGroups(characterEnds);
    startGroups(pairEnds);
    // Adding a token moves the start of its group, until it is the end.
    for (let chunk = 0, i = 0; chunk < this.ends.length; chunk++) {
      for (const end = this.ends[chunk]!; i < end; i++) {
        const pair = pairs[i]!;
        characters[characterEnds[pair & 0xffff]!++] = (pair & 0xffff0000) | chunk;
      }
    }
    for (let unit = 0, i = 0; unit < UNITS; unit++) {
      for (const end = characterEnds[unit]!; i < end; i++) {
        const character = characters[i]!;
        pairs[pairEnds[character >>> 16]!++] = unit << 16 | character & 0xffff;
      }
    }
    return { characters, characterEnds, pairs, pairEnds };
  }

  /** Frees the memory of the batch, which is not used again. */
  release(): void {
    for (const array of [this.#pairs, this.#characters, this.#characterEnds, this.#pairEnds]) release(array);
  }
}

/** Writes the start of each group of pairs with the same second character, and the end of the last. Returns their number. */
function startsOf(pairs: Uint32Array, from: number, to: number, starts: Uint32Array): number {
  let count = 0;
  for (let i = from, last = -1; i < to; i++) {
    const second = pairs[i]! >>> 16;
    if (second !== last) starts[count++] = i;
    last = second;
  }
  starts[count] = to;
  return count;
}

/** Replaces the sizes of groups that follow each other by their starts. */
function startGroups(sizes: Uint32Array): void {
  for (let group = 0, sum = 0; group < sizes.length; group++) {
    const size = sizes[group]!;
    sizes[group] = sum;
    sum += size;
  }
}

/** Fewest tokens in a full batch: enough that most terms occur several times in it. */
const BATCH_TOKENS = 1 << 21;
/** Chunks in a batch, so that their ordinals have 16 bits. */
const BATCH_CHUNKS = 1 << 16;

/** Tokens of some chunks as ids of their terms, in the order of the text, to be sorted by term. */
class TokenBatch extends Batch {
  terms = new Uint32Array(1 << 12);
  #chunks = new Uint32Array(0);
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
  sort(count: number): { chunks: Uint32Array; ends: Uint32Array } {
    const { terms, length } = this;
    if (this.#chunks.length < length) this.#chunks = new Uint32Array(terms.length);
    if (this.#places.length < count) this.#places = new Uint32Array(Math.ceil(count * 1.5));
    const chunks = this.#chunks, places = this.#places;
    places.fill(0, 0, count);
    for (let i = 0; i < length; i++) places[terms[i]!]!++;
    startGroups(places.subarray(0, count));
    for (let chunk = 0, i = 0; chunk < this.ends.length; chunk++) {
      for (const end = this.ends[chunk]!; i < end; i++) chunks[places[terms[i]!]!++] = chunk;
    }
    return { chunks, ends: places };
  }
}
