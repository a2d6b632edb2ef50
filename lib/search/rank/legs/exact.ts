import type { QueryWord } from "../query_words.ts";
import type { WordMatches } from "../word_matches.ts";

/**
 * E = Σ idf(q) over the words of the question that the text contains (coordination level). Term frequency and the length of
 * the text do not matter.
 */
export function exact(matches: readonly WordMatches[], question: readonly QueryWord[]): Float64Array {
  const held = new Uint8Array(question.length);
  return Float64Array.from(matches, ({ words, cosines }) => {
    held.fill(0);
    for (let i = 0; i < words.length; i++) if (cosines[i] === 1) held[words[i]!] = 1;
    return question.reduce((sum, { idf }, q) => sum + (held[q] === 1 ? idf : 0), 0);
  });
}
