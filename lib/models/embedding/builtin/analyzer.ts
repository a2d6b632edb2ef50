/**
 * Vectors of texts and sentences from word vectors (SIF weighting), and the words of each text.
 */
import type { RowSums } from "./row_sums.ts";
import type { Table } from "./table.ts";
import { WordFinder } from "./words.ts";

/** The vector and the words of a text. */
interface TextAnalysis {
  /** The vector of the whole text: length 1, or zeros if the text has no words. */
  readonly vector: Float32Array;
  readonly words: TextWords;
}

/**
 * Finds the words of a text and its vector in one pass. Keeps state between calls: use one analyzer per thread.
 *
 * ```ts
 * import { TextAnalyzer } from "./analyzer.ts";
 * import { loadTable } from "./table.ts";
 * import assert from "node:assert/strict";
 *
 * const analyzer = new TextAnalyzer(loadTable());
 * const cosine = (a: string, b: string) => {
 *   const [x, y] = [analyzer.analyze(a).vector, analyzer.analyze(b).vector];
 *   return x.reduce((sum, value, i) => sum + value * y[i]!, 0);
 * };
 * assert(cosine("the bridge over the river", "河上的桥") > cosine("the bridge over the river", "银行贷款"));
 * ```
 */
export class TextAnalyzer {
  readonly table: Table;
  readonly #finder: WordFinder;
  /** Makes the vectors; also for parts of a text. */
  readonly embedder: SifEmbedder;

  /** `sums`: adds up rows of the table faster. It pays for its start with many texts only. */
  constructor(table: Table, sums?: RowSums) {
    this.table = table;
    this.#finder = new WordFinder(table);
    this.embedder = new SifEmbedder(table, A, sums);
  }

  /** Returns the words and the vector of `text`. The words are valid until the next call. */
  analyze(text: string): TextAnalysis {
    const counts: number[] = [];
    const breaks = sentenceBreaks(text);
    const ids = this.#finder.find(text, breaks, counts);
    const sentenceEnds = new Uint32Array(breaks.length + 1).fill(ids.length);
    sentenceEnds.set(counts);
    return { vector: this.embedder.embedWords(ids, 0, ids.length), words: { ids, sentenceEnds } };
  }

  /** Returns the words of `text` alone, valid until the next call. */
  wordsOf(text: string): Int32Array {
    return this.#finder.find(text);
  }

  /**
   * Returns the words of a text as {@linkcode encodeWords} stored them, with those of `lead` at the start of the first sentence. `room`: the
   * `ids` of {@linkcode decodeWords}. Throws {@linkcode DamagedWordsError}.
   */
  decode(stored: Uint8Array, lead?: Int32Array, room?: Int32Array): TextWords {
    return decodeWords(stored, this.table.englishCount, this.table.wordCount, lead, room);
  }
}

/** The weight of a word is A / (A + p): Arora, Liang, Ma, "A simple but tough-to-beat baseline", 2017. */
const A = 3e-4;

/** Weight of a word that is not in the table, mostly names and numbers. */
const UNKNOWN_WEIGHT = 0.5;

/**
 * Makes vectors of texts by smooth inverse frequency: the weighted sum of the word vectors, in which common words count
 * less, scaled to length 1. The directions that all words share were removed when the table was built, so that a vector
 * depends on its text alone. Keeps state between calls: use one embedder per thread.
 */
export class SifEmbedder {
  readonly #table: Table;
  #finder: WordFinder | undefined;
  /** Factor of each row of the table: its scale times the weight of its word. */
  readonly weights: Float32Array;
  readonly unknownWeight: number = UNKNOWN_WEIGHT;
  readonly #sums: RowSums | undefined;

  constructor(table: Table, a: number = A, sums?: RowSums) {
    this.#table = table;
    this.weights = table.weights(a);
    this.#sums = sums;
  }

  /** Returns a vector of length 1, or zeros if `text` has no words. */
  embed(text: string): Float32Array {
    const ids = (this.#finder ??= new WordFinder(this.#table)).find(text);
    return this.embedWords(ids, 0, ids.length);
  }

  /** Returns the vector of the words `ids.slice(from, to)`, which come from {@linkcode WordFinder.find}. */
  embedWords(ids: Int32Array, from: number, to: number): Float32Array {
    const { dimensions } = this.#table;
    const sum = this.#sums === undefined
      ? this.#sumOf(ids, from, to)
      : this.#quickSumOf(this.#sums, ids, from, to);
    let squares = 0;
    for (let k = 0; k < dimensions; k++) squares += sum[k]! * sum[k]!;
    if (squares > 0) {
      const scale = 1 / Math.sqrt(squares);
      for (let k = 0; k < dimensions; k++) sum[k]! *= scale;
    }
    return sum;
  }

  #sumOf(ids: Int32Array, from: number, to: number): Float32Array {
    const { vectors, dimensions } = this.#table;
    const { weights } = this;
    const sum = new Float32Array(dimensions);
    for (let i = from; i < to; i++) {
      const id = ids[i]!;
      if (id < 0) {
        addIdentity(sum, 0, dimensions, id, UNKNOWN_WEIGHT);
        continue;
      }
      const weight = weights[id]!;
      // Four numbers a step take two thirds of the time of one. The table's rows have a multiple of four numbers.
      for (let k = 0, at = id * dimensions; k < dimensions; k += 4, at += 4) {
        sum[k]! += weight * vectors[at]!;
        sum[k + 1]! += weight * vectors[at + 1]!;
        sum[k + 2]! += weight * vectors[at + 2]!;
        sum[k + 3]! += weight * vectors[at + 3]!;
      }
    }
    return sum;
  }

  #quickSumOf(sums: RowSums, ids: Int32Array, from: number, to: number): Float32Array {
    const { dimensions } = this.#table;
    const { weights } = this, { sum } = sums;
    sum.fill(0);
    for (let i = from; i < to; i++) {
      const id = ids[i]!;
      if (id >= 0) sums.add(id, weights[id]!);
      else {
        sums.flush();
        addIdentity(sum, 0, dimensions, id, UNKNOWN_WEIGHT);
      }
    }
    sums.flush();
    return sum.slice(0, dimensions);
  }
}

/**
 * Adds to `sum`, from `at` on, a pseudo-random vector of length `weight` for a word without a vector: signs that follow from
 * the word's hash. Two of these vectors are nearly orthogonal, so they bring texts closer only if the texts share the word.
 */
export function addIdentity(
  sum: Float32Array,
  at: number,
  dimensions: number,
  hash: number,
  weight: number,
): void {
  const step = weight / Math.sqrt(dimensions);
  let state = hash;
  for (let i = at; i < at + dimensions; i++) {
    state = Math.imul(state ^ state >>> 15, 0x2c1b3c6d) + 0x9e3779b9 | 0;
    sum[i]! += state < 0 ? -step : step;
  }
}

/** Least length of a sentence, in Latin letters. A shorter one is joined with the next. */
const LEAST = 80;
/** Length of a Chinese character: 30 of them say as much as 80 Latin letters (RANKING.md, "Leg V, sentence"). */
const HAN = 80 / 30;

const FULL_STOP = 0x2e, EXCLAMATION = 0x21, QUESTION = 0x3f, LINE_FEED = 0x0a, SPACE = 0x20;
/** 。！？；… */
const CHINESE_ENDS: ReadonlySet<number> = new Set([0x3002, 0xff01, 0xff1f, 0xff1b, 0x2026]);
const FIRST_WIDE = 0x2e80;

/**
 * Returns the ends of all sentences of `text` except the last, as ascending offsets. Short sentences are joined with the
 * next, because their vectors would say little. A blank line ends a sentence of any length.
 */
export function sentenceBreaks(text: string): number[] {
  const breaks: number[] = [];
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    length += unit >= FIRST_WIDE ? HAN : 1;
    if (unit > QUESTION && unit < 0x2026) continue;
    const blankLine = unit === LINE_FEED && text.charCodeAt(at + 1) === LINE_FEED;
    if (!blankLine && (length < LEAST || !endsSentence(text, at, unit))) continue;
    breaks.push(at + 1);
    length = 0;
  }
  if (breaks.at(-1) === text.length) breaks.pop();
  return breaks;
}

function endsSentence(text: string, at: number, unit: number): boolean {
  if (CHINESE_ENDS.has(unit)) return true;
  // Not in 1.13 or muxue_rag.ts.
  return (unit === FULL_STOP || unit === EXCLAMATION || unit === QUESTION) &&
    !(text.charCodeAt(at + 1) > SPACE);
}

/** The words of a text as ids of the built-in table, and its sentences. */
export interface TextWords {
  /** In the order of the text, from {@linkcode import("./words.ts").WordFinder}. */
  readonly ids: Int32Array;
  /** Exclusive end of each sentence in `ids`, ascending. The last is the number of words. */
  readonly sentenceEnds: Uint32Array;
}

/** Marks a word that is not in the table. The bits of its hash follow. */
const UNKNOWN = 0;

/** Hashes of words that are not in the table have 30 bits. */
const MAX_UNKNOWN = 0x3fffffff;

/** Shift of the last seven bits of a 32-bit number. */
const MAX_SHIFT = 28;

/**
 * Encodes the words of a text: the number of sentences, the number of words in each, then the words, all as LEB128. English
 * words are stored as 2 id + 1, Chinese ones as 2 (id − englishCount) + 2, words that are not in the table as 0 and the 30
 * bits of their hash. A common word takes one or two bytes, because ids ascend with rarity in both languages.
 */
export function encodeWords({ ids, sentenceEnds }: TextWords, englishCount: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(5 * (1 + sentenceEnds.length) + 6 * ids.length);
  let at = putNumber(bytes, 0, sentenceEnds.length);
  let before = 0;
  for (const end of sentenceEnds) {
    at = putNumber(bytes, at, end - before);
    before = end;
  }
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i]!;
    if (id < 0) {
      bytes[at++] = UNKNOWN;
      at = putNumber(bytes, at, ~id);
    } else at = putNumber(bytes, at, id < englishCount ? 2 * id + 1 : 2 * (id - englishCount) + 2);
  }
  return bytes.slice(0, at);
}

/** Thrown for bytes that {@linkcode encodeWords} cannot have written: the index is damaged. */
export class DamagedWordsError extends Error {
  override readonly name = "DamagedWordsError";
}

const NO_WORDS = new Int32Array(0);

/**
 * Decodes the output of {@linkcode encodeWords}. `wordCount` is the number of words in the table. The words of `lead` come first and belong
 * to the first sentence. They are written to the beginning of `ids`, which has a place for each of `lead` and each byte. Throws
 * {@linkcode DamagedWordsError} for other bytes. Never allocates more than valid bytes of this length could need.
 */
export function decodeWords(
  bytes: Uint8Array,
  englishCount: number,
  wordCount = Infinity,
  lead: Int32Array = NO_WORDS,
  ids: Int32Array = new Int32Array(lead.length + bytes.length),
): TextWords {
  ids.set(lead);
  const { length } = bytes;
  // The words of a hundred texts are decoded for a search, so the loop has no calls but for rare words.
  let count = lead.length;
  const reader = new NumberReader(bytes);
  const sentences = length === 0 ? 0 : reader.next();
  if (sentences > length) throw new DamagedWordsError(`${sentences} sentences in ${length} bytes`);
  const sentenceEnds = new Uint32Array(sentences);
  let end = 0;
  for (let i = 0; i < sentences; i++) {
    end += reader.next();
    if (end > length) throw new DamagedWordsError(`${end} words in ${length} bytes`);
    sentenceEnds[i] = lead.length + end;
  }
  for (let at = reader.at; at < length;) {
    let value = bytes[at++]!;
    if (value > 0x7f) {
      const second = at < length ? bytes[at]! : 0x80;
      // Most words take one or two bytes.
      if (second <= 0x7f) {
        value = value & 0x7f | second << 7;
        at++;
      } else {
        reader.at = at - 1;
        value = reader.next();
        at = reader.at;
      }
    }
    if (value === UNKNOWN) {
      reader.at = at;
      const hash = reader.next();
      at = reader.at;
      if (hash > MAX_UNKNOWN) throw new DamagedWordsError(`unknown word ${hash}`);
      ids[count++] = ~hash;
    } else {
      const id = (value & 1) === 1 ? value >>> 1 : (value >>> 1) - 1 + englishCount;
      if (id >= wordCount) throw new DamagedWordsError(`word ${id} of ${wordCount}`);
      ids[count++] = id;
    }
  }
  const words = count - lead.length;
  if (end !== words) throw new DamagedWordsError(`sentences of ${end} words, but ${words} words`);
  return { ids: ids.subarray(0, count), sentenceEnds };
}

/** Reads LEB128 numbers of 32 bits. */
class NumberReader {
  /** Offset of the next number. */
  at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Throws {@linkcode DamagedWordsError}. */
  next(): number {
    const bytes = this.#bytes;
    if (this.at >= bytes.length) throw new DamagedWordsError("a number is missing");
    let byte = bytes[this.at++]!;
    let value = byte & 0x7f;
    for (let shift = 7; byte > 0x7f; shift += 7) {
      if (this.at >= bytes.length || shift > MAX_SHIFT) throw new DamagedWordsError("a number does not end");
      byte = bytes[this.at++]!;
      value |= (byte & 0x7f) << shift;
    }
    return value >>> 0;
  }
}

function putNumber(bytes: Uint8Array, at: number, value: number): number {
  for (; value > 0x7f; value >>>= 7) bytes[at++] = value & 0x7f | 0x80;
  bytes[at++] = value;
  return at;
}

/** Vectors and words of a batch of texts, in arrays that can be transferred between threads. */
export interface EmbeddedBatch {
  /** A row of `dimensions` numbers for each text: a vector of length 1, or zeros. */
  readonly vectors: Float32Array<ArrayBuffer>;
  /** The encoded words of all texts, see {@linkcode encodeWords}. */
  readonly words: Uint8Array<ArrayBuffer>;
  /** Exclusive end of each text's words in `words`. */
  readonly wordEnds: Uint32Array<ArrayBuffer>;
}

export function embedBatch(analyzer: TextAnalyzer, texts: readonly string[]): EmbeddedBatch {
  const { dimensions, englishCount } = analyzer.table;
  const vectors = new Float32Array(texts.length * dimensions);
  const wordEnds = new Uint32Array(texts.length);
  const encoded: Uint8Array[] = [];
  let bytes = 0;
  for (const [i, text] of texts.entries()) {
    const { vector, words } = analyzer.analyze(text);
    vectors.set(vector, i * dimensions);
    encoded.push(encodeWords(words, englishCount));
    wordEnds[i] = bytes += encoded[i]!.length;
  }
  const all = new Uint8Array(bytes);
  encoded.forEach((part, i) => all.set(part, i === 0 ? 0 : wordEnds[i - 1]!));
  return { vectors, words: all, wordEnds };
}
