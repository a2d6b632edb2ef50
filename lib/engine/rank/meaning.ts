/**
 * Vectors of words and terms from the built-in table, as the ranking reads them.
 */
import type { Table, TextAnalyzer, TextWords } from "#models/embedding/mod.ts";
import { DotProducts, MOST_TERMS, Tokenizer, Vocabulary } from "#engine/index/mod.ts";

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

  readonly termSums = new TermSums(this.tokenizer);

  #products: DotProducts | undefined;

  constructor(analyzer: TextAnalyzer) {
    const { table } = analyzer;
    this.analyzer = analyzer;
    this.table = table;
    this.#sameStem = new Int32Array(table.englishCount);
    this.marks = new Int32Array(table.wordCount);
  }

  /** Room to compare at least `rows` rows of the table, kept from one question to the next. */
  products(rows: number): DotProducts {
    if (this.#products === undefined || this.#products.capacity < rows) {
      this.#products = new DotProducts(Math.max(rows, LEAST_ROWS), this.table.dimensions);
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

/** Terms that are remembered. */
const MAX_TERMS = 1 << 18;

/** Distinct terms of some texts, each with a sum over the texts. */
export interface SummedTerms {
  /** In the order of their first occurrence. */
  readonly ids: readonly number[];
  /** The sum of each of `ids`. */
  readonly sums: Float64Array;
  termOf(id: number): string;
}

/**
 * Sums over texts by term. The stems of written words are remembered from one call to the next, because stemming takes most
 * of the time otherwise.
 */
class TermSums {
  readonly #tokenizer: Tokenizer;
  #vocabulary = new Vocabulary();
  /** Occurrences of each term in the open text, and its sum so far. All 0 between two uses. */
  #counts = new Uint32Array(1 << 12);
  #sums = new Float64Array(1 << 12);
  readonly #found = new Uint32Array(MOST_TERMS);

  constructor(tokenizer: Tokenizer) {
    this.#tokenizer = tokenizer;
  }

  /** Returns for each index term, without single characters, the sum of `weight · occurrences / length` over the texts. */
  of(texts: Iterable<readonly [text: string, weight: number]>): SummedTerms {
    if (this.#vocabulary.size > MAX_TERMS) this.#vocabulary = new Vocabulary();
    const vocabulary = this.#vocabulary;
    const seen = new Set<number>();
    for (const [text, weight] of texts) {
      const { ids, length } = this.#count(text);
      for (const id of ids) {
        seen.add(id);
        this.#sums[id]! += weight * this.#counts[id]! / length;
        this.#counts[id] = 0;
      }
    }
    const ids = [...seen];
    const sums = Float64Array.from(ids, (id) => this.#sums[id]!);
    for (const id of ids) this.#sums[id] = 0;
    return { ids, sums, termOf: (id) => vocabulary.termOf(id) };
  }

  /** Counts the terms of a text. Returns the distinct ones, and the number of all. */
  #count(text: string): { ids: readonly number[]; length: number } {
    const vocabulary = this.#vocabulary, found = this.#found;
    const ids: number[] = [];
    let length = 0;
    const add = (id: number) => {
      if (id >= this.#counts.length) this.#grow(id);
      if (this.#counts[id]!++ === 0) ids.push(id);
      length++;
    };
    this.#tokenizer.scan(text, {
      word(units, start, end, hash) {
        const count = vocabulary.ofWord(units, start, end, hash, found, 0);
        for (let i = 0; i < count; i++) add(found[i]!);
      },
      gram: (first, second) => second === 0 ? undefined : add(vocabulary.ofGram(first, second)),
    });
    return { ids, length };
  }

  #grow(id: number): void {
    const counts = new Uint32Array(id * 2), sums = new Float64Array(id * 2);
    counts.set(this.#counts);
    sums.set(this.#sums);
    this.#counts = counts;
    this.#sums = sums;
  }
}
