import { K1 } from "../../../index/mod.ts";
import type { QueryWord } from "../query_words.ts";
import type { WordMatches } from "../word_matches.ts";

/** Minimum cosine of words that count as a partial occurrence. */
const LEAST_COSINE = 0.5;

/**
 * S = Σ idf(q) · tf′ · (k1 + 1) / (tf′ + norm): BM25 with a soft term frequency tf′ = Σ c⁴ over the words of the text (the
 * translation language model's idea: Zuccon et al., "Integrating and evaluating neural word embeddings in information
 * retrieval", 2015). `norms`: k1 (1 − b + b · length / average) of each text.
 */
export function soft(
  matches: readonly WordMatches[],
  question: readonly QueryWord[],
  norms: Float64Array,
): Float64Array {
  const frequencies = new Float64Array(question.length);
  return Float64Array.from(matches, ({ words, cosines }, i) => {
    frequencies.fill(0);
    for (let k = 0; k < words.length; k++) {
      const cosine = cosines[k]!;
      if (cosine >= LEAST_COSINE) frequencies[words[k]!]! += cosine ** 4;
    }
    return question.reduce((sum, { idf }, q) => {
      const tf = frequencies[q]!;
      return sum + idf * tf * (K1 + 1) / (tf + norms[i]!);
    }, 0);
  });
}
