import type { TableData } from "./decode.ts";
import { Prefixes } from "./prefixes.ts";
import { WordList } from "./word_list.ts";

/** A word of the other language. */
export interface Translation {
  /** A Chinese word in simplified characters, or an English index term (a stem). */
  readonly word: string;
  /** 1 for the best translation of a word, less for others. */
  readonly score: number;
}

/**
 * The built-in table: English and Chinese words with vectors in one space, probabilities and translations. Each word has an
 * id: first come the English words, then the Chinese ones, then other spellings of both.
 */
export class Table {
  /**
   * The arrays of the table. A worker that they are posted to shares the memory and can call `new Table(data)` at no cost.
   */
  readonly data: TableData;
  /** Numbers in a vector. */
  readonly dimensions: number;
  /** Number of English words. Their ids come first. */
  readonly englishCount: number;
  /** Number of words with a vector; other spellings are not counted. */
  readonly wordCount: number;
  /** All words; Chinese ones in simplified characters. */
  readonly words: WordList;
  /** A row of {@linkcode Table.dimensions} numbers for each word. */
  readonly vectors: Int8Array;
  /** Factor that gives each row length 1. */
  readonly scales: Float32Array;
  /** Probability of each word in running text of its language. */
  readonly p: Float32Array;
  /** The simplified form of each UTF-16 unit. */
  readonly fold: Uint16Array;
  readonly #terms: WordList;
  #prefixes: Prefixes | undefined;

  constructor(data: TableData) {
    this.data = data;
    this.dimensions = data.dimensions;
    this.englishCount = data.englishCount;
    this.wordCount = data.englishCount + data.chineseCount;
    this.words = new WordList(data.words);
    this.vectors = data.vectors;
    this.scales = data.scales;
    this.p = data.p;
    this.fold = data.fold;
    this.#terms = new WordList(data.terms);
  }

  /** Which Chinese words can begin where. Built on first use, which takes a few milliseconds. */
  get prefixes(): Prefixes {
    return this.#prefixes ??= new Prefixes(this.data);
  }

  /** Returns `text` with each traditional character replaced by its simplified form. */
  simplify(text: string): string {
    let simplified = "";
    for (let i = 0; i < text.length; i++) simplified += String.fromCharCode(this.fold[text.charCodeAt(i)]!);
    return simplified;
  }

  /** Returns the id of a word (English in lower case; Chinese in simplified or traditional characters), or -1. */
  find(word: string): number {
    return this.resolve(this.words.find(this.simplify(word)));
  }

  /** Returns the id of the word that `id` is another spelling of, or `id` itself. */
  resolve(id: number): number {
    return id < this.wordCount ? id : this.data.same[id - this.wordCount]!;
  }

  /**
   * Returns the cosine of the vectors of two words. A word that is not in the table (a negative id) has 1 with itself, else
   * 0.
   */
  cosine(a: number, b: number): number {
    if (a === b) return 1;
    if (a < 0 || b < 0) return 0;
    const { vectors, dimensions, scales } = this;
    let sum = 0;
    for (let i = a * dimensions, j = b * dimensions, end = i + dimensions; i < end; i++, j++) {
      sum += vectors[i]! * vectors[j]!;
    }
    return sum * scales[a]! * scales[b]!;
  }

  /** Returns the Chinese words for an English index term, or for a phrase of two or three joined by spaces, best first. */
  toChinese(term: string): Translation[] {
    const id = this.#terms.find(term);
    if (id < 0) return [];
    const { at, ids, scores } = this.data.chinese;
    const translations: Translation[] = [];
    for (let i = at[id]!; i < at[id + 1]!; i++) {
      translations.push({ word: this.words.word(ids[i]!), score: scores[i]! / 255 });
    }
    return translations;
  }

  /** Returns the English index terms for the Chinese word with this id, best first. */
  toEnglish(id: number): Translation[] {
    const row = id - this.englishCount;
    if (row < 0 || id >= this.wordCount) return [];
    const { at, ids, scores } = this.data.english;
    const translations: Translation[] = [];
    for (let i = at[row]!; i < at[row + 1]!; i++) {
      translations.push({ word: this.#terms.word(ids[i]!), score: scores[i]! / 255 });
    }
    return translations;
  }
}
