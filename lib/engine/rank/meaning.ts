/**
 * Vectors of words and terms from the built-in table, as the ranking reads them.
 */
import type { Table, TextAnalyzer, TextWords } from "#models/embedding/mod.ts";
import { Tokenizer, VectorScanner } from "#engine/index/mod.ts";

/** Rows that there is room for at first. */
const LEAST_ROWS = 1 << 11;
/** Texts remembered by {@linkcode Meaning.wordsOf}. */
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

  /** Words of file names and headings that were analysed. */
  readonly #leads = new Map<string, Int32Array>();

  #products: VectorScanner | undefined;

  constructor(analyzer: TextAnalyzer) {
    const { table } = analyzer;
    this.analyzer = analyzer;
    this.table = table;
    this.#sameStem = new Int32Array(table.englishCount);
    this.marks = new Int32Array(table.wordCount);
  }

  /** Room to compare at least `rows` rows of the table, kept from one question to the next. */
  products(rows: number): VectorScanner {
    if (this.#products === undefined || this.#products.count < rows) {
      this.#products = new VectorScanner(Math.max(rows, LEAST_ROWS), this.table.dimensions);
      this.#products.scales.fill(1);
    }
    return this.#products;
  }

  /** The first UTF-16 unit of a word of the table. */
  initial(id: number): number {
    return this.table.words.initial(id);
  }

  /** Returns the words of a short text. The last texts are remembered. */
  wordsOf(text: string): Int32Array {
    let words = this.#leads.get(text);
    if (words !== undefined) return words;
    words = this.analyzer.analyze(text).words.ids.slice();
    if (this.#leads.size === MAX_LEADS) this.#leads.clear();
    this.#leads.set(text, words);
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

/**
 * Decodes the words that were stored for chunks. As in the index, the words of the file's name and of the headings come
 * first.
 */
export class ChunkWords {
  readonly #meaning: Meaning;

  constructor(meaning: Meaning) {
    this.#meaning = meaning;
  }

  /** Returns the words of a chunk. `path`: path of its file. Throws `DamagedWordsError`. */
  of(stored: Uint8Array, path: string, section: readonly string[]): TextWords {
    const lead = this.#lead(path, section);
    const { ids, sentenceEnds } = this.#meaning.analyzer.decode(stored);
    const all = new Int32Array(lead.length + ids.length);
    all.set(lead);
    all.set(ids, lead.length);
    // The file's name and headings belong to the first sentence.
    return { ids: all, sentenceEnds: sentenceEnds.map((end) => end + lead.length) };
  }

  #lead(path: string, section: readonly string[]): Int32Array {
    const file = path.slice(path.lastIndexOf("/") + 1);
    const dot = file.lastIndexOf(".");
    return this.#meaning.wordsOf([dot > 0 ? file.slice(0, dot) : file, ...section].join("\n"));
  }
}
