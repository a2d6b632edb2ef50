import type { QueryWord } from "../query_words.ts";
import type { WordMatches } from "../word_matches.ts";

/** Words of a window: 24 English words, or about 40 Chinese characters. */
const WIDTH = 24;

/**
 * W = the largest Σ idf(q) over distinct words of the question within {@linkcode WIDTH} words (span-based proximity: Tao,
 * Zhai, "An exploration of proximity measures in information retrieval", 2007).
 */
export function window(matches: readonly WordMatches[], question: readonly QueryWord[]): Float64Array {
  const inside = new Int32Array(question.length);
  return Float64Array.from(matches, ({ places, words, cosines }) => {
    inside.fill(0);
    let best = 0, sum = 0, first = 0;
    for (let i = 0; i < places.length; i++) {
      if (cosines[i] !== 1) continue;
      if (inside[words[i]!]!++ === 0) sum += question[words[i]!]!.idf;
      for (; places[first]! <= places[i]! - WIDTH; first++) {
        if (cosines[first] === 1 && --inside[words[first]!]! === 0) sum -= question[words[first]!]!.idf;
      }
      if (sum > best) best = sum;
    }
    return best;
  });
}
