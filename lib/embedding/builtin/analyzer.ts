import { sentenceBreaks } from "./sentences.ts";
import { SifEmbedder } from "./sif.ts";
import type { Table } from "./table.ts";
import type { TextWords } from "./text_words.ts";
import { WordFinder } from "./words.ts";

/** The vector and the words of a text. */
export interface TextAnalysis {
  /** The vector of the whole text: length 1, or zeros if the text has no words. */
  readonly vector: Float32Array;
  readonly words: TextWords;
}

/**
 * Finds the words of a text and its vector in one pass. Keeps state between calls: use one analyzer per thread.
 *
 * ```ts
 * import { TextAnalyzer } from "./analyzer.ts";
 * import { loadTable } from "./load_table.ts";
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
  readonly #finder: WordFinder;
  /** Makes the vectors; also for parts of a text. */
  readonly embedder: SifEmbedder;

  constructor(readonly table: Table) {
    this.#finder = new WordFinder(table);
    this.embedder = new SifEmbedder(table);
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
}
