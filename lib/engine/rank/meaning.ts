/**
 * Vectors of words and terms from the built-in table, as the ranking reads them.
 */
import type { Table, TextAnalyzer, TextWords } from "#models/embedding/mod.ts";
import { copiedInto, Tokenizer } from "#engine/index/mod.ts";
import { WordRows } from "./word_rows.ts";

/** A word that is more frequent than this in running text (some 70 English and 90 Chinese words) matches only itself. */
export const COMMON = 0.001;
/** Texts remembered by {@linkcode Meaning.wordsOf}, and paths by {@linkcode Meaning.wordsOfName}. */
const MAX_LEADS = 1 << 12;

/**
 * The built-in table with caches that last from one question to the next. No method waits, so several searches can share it.
 */
export class Meaning {
  readonly analyzer: TextAnalyzer;
  readonly table: Table;
  readonly tokenizer = new Tokenizer();
  /** For each English word the first word met with the same stem, plus 1; 0 while not known. */
  readonly #sameStem: Int32Array;
  readonly #byStem = new Map<string, number>();
  /** The index term of each number in {@linkcode #sameStem}. */
  readonly #stems = new Map<number, string>();
  /** Scratch memory to number words in, one entry for each word of the table. All 0 between two uses. */
  readonly marks: Int32Array;

  /** Words of headings that were analysed, and of file names by the paths. */
  readonly #leads = new Map<string, Int32Array>();
  readonly #names = new Map<string, Int32Array>();

  #numbers = new Int32Array(0);
  #fractions = new Float32Array(0);

  #rows: WordRows | undefined;
  #initials: Uint16Array | undefined;
  #commonWords: Int32Array | undefined;

  constructor(analyzer: TextAnalyzer) {
    const { table } = analyzer;
    this.analyzer = analyzer;
    this.table = table;
    this.#sameStem = new Int32Array(table.englishCount);
    this.marks = new Int32Array(table.wordCount);
  }

  /** The words that match only themselves, see {@linkcode COMMON}. */
  get commonWords(): Int32Array {
    if (this.#commonWords === undefined) {
      const { p } = this.table, common: number[] = [];
      for (let id = 0; id < p.length; id++) if (p[id]! > COMMON) common.push(id);
      this.#commonWords = Int32Array.from(common);
    }
    return this.#commonWords;
  }

  /** The rows of the table, to compute with. */
  get rows(): WordRows {
    return this.#rows ??= new WordRows(this.table);
  }

  /** The first UTF-16 unit of a word of the table. A search asks for those of some thousand English words, anywhere in the table. */
  initial(id: number): number {
    const { words, englishCount } = this.table;
    if (id >= englishCount) return words.initial(id);
    this.#initials ??= Uint16Array.from({ length: englishCount }, (_, of) => words.initial(of));
    return this.#initials[id]!;
  }

  /** Scratch memory for `length` numbers. The last ones that were asked for are valid. */
  numbers(length: number): Int32Array {
    if (length > this.#numbers.length) this.#numbers = new Int32Array(2 * length);
    return this.#numbers.subarray(0, length);
  }

  /** Scratch memory for `length` fractions, likewise. */
  fractions(length: number): Float32Array {
    if (length > this.#fractions.length) this.#fractions = new Float32Array(2 * length);
    return this.#fractions.subarray(0, length);
  }

  /** Returns the words of a short text. The last texts are remembered. */
  wordsOf(text: string): Int32Array {
    return this.#remembered(this.#leads, text, text);
  }

  /** Returns the words of a file's name without its ending, likewise. */
  wordsOfName(path: string): Int32Array {
    const known = this.#names.get(path);
    if (known !== undefined) return known;
    const file = path.slice(path.lastIndexOf("/") + 1);
    const dot = file.lastIndexOf(".");
    return this.#remembered(this.#names, path, dot > 0 ? file.slice(0, dot) : file);
  }

  #remembered(known: Map<string, Int32Array>, key: string, text: string): Int32Array {
    let words = known.get(key);
    if (words !== undefined) return words;
    words = this.analyzer.wordsOf(text).slice();
    if (known.size === MAX_LEADS) known.clear();
    known.set(key, words);
    return words;
  }

  /** Returns the same number for all words of one stem: `run` and `running` match exactly, as in the index. */
  stemClass(id: number): number {
    if (id < 0 || id >= this.table.englishCount) return id;
    const known = this.#sameStem[id]!;
    if (known !== 0) return known - 1;
    const stem = this.#stemOf(this.table.words.word(id));
    let first = this.#byStem.get(stem);
    if (first === undefined) this.#byStem.set(stem, first = id);
    this.#sameStem[id] = first + 1;
    return first;
  }

  /** Returns the index term of an English word of the table. */
  stem(id: number): string {
    const first = this.stemClass(id);
    let stem = this.#stems.get(first);
    if (stem === undefined) this.#stems.set(first, stem = this.#stemOf(this.table.words.word(first)));
    return stem;
  }

  #stemOf(word: string): string {
    return this.tokenizer.tokenize(word)[0] ?? word;
  }
}

/** Words for which {@linkcode ChunkWords} takes memory at once: those of most searches. */
const ROOM = 1 << 15;

/**
 * Decodes the words that were stored for chunks. As in the index, the words of the file's name and of the headings come
 * first.
 */
export class ChunkWords {
  readonly #meaning: Meaning;
  /** The words of a file's name and headings. */
  #lead = new Int32Array(256);
  /** Holds the words of one chunk after the other, up to `#used`. */
  #room = new Int32Array(0);
  #used = 0;

  constructor(meaning: Meaning) {
    this.#meaning = meaning;
  }

  /** Returns the words of a chunk. `path`: path of its file. Throws `DamagedWordsError`. */
  of(stored: Uint8Array, path: string, section: readonly string[]): TextWords {
    // The file's name and headings belong to the first sentence.
    const lead = this.#leadOf(path, section);
    const most = lead.length + stored.length;
    if (this.#used + most > this.#room.length) {
      this.#room = new Int32Array(Math.max(most, ROOM));
      this.#used = 0;
    }
    const words = this.#meaning.analyzer.decode(stored, lead, this.#room.subarray(this.#used));
    this.#used += words.ids.length;
    return words;
  }

  /** Returns the words of a file's name and headings, analysed one by one: no word spans two of them, and many chunks have the same. */
  #leadOf(path: string, section: readonly string[]): Int32Array {
    let count = this.#add(this.#meaning.wordsOfName(path), 0);
    for (const heading of section) count = this.#add(this.#meaning.wordsOf(heading), count);
    return this.#lead.subarray(0, count);
  }

  /** Writes the words of a part of the lead from `at` on. Returns their end. */
  #add(words: Int32Array, at: number): number {
    const end = at + words.length;
    if (end > this.#lead.length) this.#lead = copiedInto(new Int32Array(2 * end), this.#lead);
    this.#lead.set(words, at);
    return end;
  }
}
