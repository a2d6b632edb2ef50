import { type Table, TextAnalyzer } from "../../embedding/mod.ts";
import { MOST_TERMS, Tokenizer, Vocabulary } from "../../index/mod.ts";

/** Terms remembered by {@linkcode Meaning.countTerms}. */
const MAX_TERMS = 1 << 18;
/** Texts remembered by {@linkcode Meaning.wordsOf}. */
const MAX_LEADS = 1 << 12;

/** The built-in table with caches that last from one question to the next. No method waits, so several searches can share it. */
export class Meaning {
  readonly tokenizer = new Tokenizer();
  /** For each English word the first word met with the same stem, plus 1; 0 while not known. */
  readonly #sameStem: Int32Array;
  readonly #byStem = new Map<string, number>();
  /** Scratch memory to number words in, one entry for each word of the table. All 0 between two uses. */
  readonly marks: Int32Array;

  /** Words of file names and headings that were analysed. */
  readonly #leads = new Map<string, Int32Array>();

  /** Stems of written words are remembered: stemming takes most of the time otherwise. */
  #vocabulary = new Vocabulary();

  constructor(readonly table: Table, readonly analyzer: TextAnalyzer = new TextAnalyzer(table)) {
    this.#sameStem = new Int32Array(table.englishCount);
    this.marks = new Int32Array(table.wordCount);
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
    const word = this.table.words.word(id);
    const stem = this.tokenizer.tokenize(word)[0] ?? word;
    let first = this.#byStem.get(stem);
    if (first === undefined) this.#byStem.set(stem, first = id);
    this.#sameStem[id] = first + 1;
    return first;
  }

  /** The index terms of `text` without single characters, with the number of occurrences. */
  countTerms(text: string): Map<string, number> {
    if (this.#vocabulary.size > MAX_TERMS) this.#vocabulary = new Vocabulary();
    const vocabulary = this.#vocabulary;
    const counts = new Map<number, number>();
    const ids = new Uint32Array(MOST_TERMS);
    const add = (id: number) => counts.set(id, (counts.get(id) ?? 0) + 1);
    this.tokenizer.scan(text, {
      word(units, start, end, hash) {
        const count = vocabulary.ofWord(units, start, end, hash, ids, 0);
        for (let i = 0; i < count; i++) add(ids[i]!);
      },
      gram: (first, second) => second === 0 ? undefined : add(vocabulary.ofGram(first, second)),
    });
    return new Map(Array.from(counts, ([id, count]) => [vocabulary.termOf(id), count]));
  }
}
