import type { QueryWord } from "../query_words.ts";
import type { WordMatches } from "../word_matches.ts";

/**
 * M = Σ idf(q) · max c² over the words q of the question, c the cosine with any word of the text (late interaction of static
 * vectors, after Khattab, Zaharia, "ColBERT", 2020).
 */
export function maxsim(matches: readonly WordMatches[], question: readonly QueryWord[]): Float64Array {
  const best = new Float32Array(question.length);
  return Float64Array.from(matches, ({ words, cosines }) => {
    best.fill(0);
    for (let i = 0; i < words.length; i++) {
      if (cosines[i]! > best[words[i]!]!) best[words[i]!] = cosines[i]!;
    }
    return question.reduce((sum, { idf }, q) => sum + idf * best[q]! * best[q]!, 0);
  });
}
