import type { TextWords } from "../../../embedding/mod.ts";
import type { Meaning } from "../meaning.ts";

/**
 * V = the greatest cosine of the question's SIF vector with that of a sentence; 0 where all are below. A long text is not judged by its mean.
 */
export function sentence(
  texts: readonly (TextWords | undefined)[],
  question: Float32Array,
  { analyzer: { embedder } }: Meaning,
): Float64Array {
  return Float64Array.from(texts, (text) => {
    if (text === undefined) return 0;
    let best = 0, start = 0;
    for (const end of text.sentenceEnds) {
      if (end > start) best = Math.max(best, dot(question, embedder.embedWords(text.ids, start, end)));
      start = end;
    }
    return best;
  });
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
