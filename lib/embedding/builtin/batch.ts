import type { TextAnalyzer } from "./analyzer.ts";
import { encodeWords } from "./text_words.ts";

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
