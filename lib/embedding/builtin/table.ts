import type { TableData } from "./decode.ts";
import { WordList } from "./word_list.ts";

/** A word of the other language. */
export interface Translation {
  /** A Chinese word in simplified characters, or an English index term (a stem). */
  readonly word: string;
  /** 1 for the best translation of a word, less for the others. */
  readonly score: number;
}

/**
 * The built-in table: words of English and Chinese with their vectors in one space, how likely they are, and their
 * translations. A word is known by its id: English ones first, then Chinese ones, then other spellings of these.
 */
export class Table {
  /** What the table is made of. Posted to a worker, its memory is shared: `new Table(data)` there costs nothing. */
  readonly data: TableData;
  /** Numbers in a vector. */
  readonly dimensions: number;
  /** How many English words there are: their ids come first. */
  readonly englishCount: number;
  /** How many words there are, other spellings not counted: each has a vector. */
  readonly wordCount: number;
  /** Every word. Chinese ones are folded to simplified characters. */
  readonly words: WordList;
  /** A row of {@linkcode dimensions} numbers for every word. */
  readonly vectors: Int8Array;
  /** Times its scale, a row has length 1. */
  readonly scales: Float32Array;
  /** Probability of every word in running text of its language. */
  readonly p: Float32Array;
  /** The simplified form of every UTF-16 unit. */
  readonly fold: Uint16Array;
  readonly #terms: WordList;

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

  /** `text` in simplified characters, character by character. */
  simplify(text: string): string {
    let simplified = "";
    for (let i = 0; i < text.length; i++) simplified += String.fromCharCode(this.fold[text.charCodeAt(i)]!);
    return simplified;
  }

  /** The id of a word (English in lower case, Chinese in either kind of characters), or -1. */
  find(word: string): number {
    return this.resolve(this.words.find(this.simplify(word)));
  }

  /** The id of the word that `id` is another spelling of, or `id` itself. */
  resolve(id: number): number {
    return id < this.wordCount ? id : this.data.same[id - this.wordCount]!;
  }

  /** Cosine of the vectors of two words; one that the table lacks (a negative id) is like itself only. */
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

  /** Chinese words for an English index term, or for a phrase of two or three joined by spaces; the best first. */
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

  /** English index terms for the Chinese word of an id; the best first. */
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
