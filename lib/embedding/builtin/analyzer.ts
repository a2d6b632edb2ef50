import { sentenceBreaks } from "./sentences.ts";
import { SifEmbedder } from "./sif.ts";
import type { Table } from "./table.ts";
import type { TextWords } from "./text_words.ts";
import { WordFinder } from "./words.ts";

/** What the built-in table makes of a text. */
export interface TextAnalysis {
  /** The vector of the whole text: length 1, or zeros where the table knows none of its words. */
  readonly vector: Float32Array;
  readonly words: TextWords;
}

/** Finds the words of a text and its vector in one pass. One analyzer serves one text at a time. */
export class TextAnalyzer {
  readonly #finder: WordFinder;
  /** Makes vectors of parts of a text. */
  readonly embedder: SifEmbedder;

  constructor(readonly table: Table) {
    this.#finder = new WordFinder(table);
    this.embedder = new SifEmbedder(table);
  }

  /** The words of `text` and its vector; the words are valid until the next call. */
  analyze(text: string): TextAnalysis {
    const counts: number[] = [];
    const breaks = sentenceBreaks(text);
    const ids = this.#finder.find(text, breaks, counts);
    const sentenceEnds = new Uint32Array(breaks.length + 1).fill(ids.length);
    sentenceEnds.set(counts);
    return { vector: this.embedder.embedWords(ids, 0, ids.length), words: { ids, sentenceEnds } };
  }
}
