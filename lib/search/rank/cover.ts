import type { QueryWord } from "./query_words.ts";
import type { WordMatches } from "./word_matches.ts";

/** Words within which matches support each other: 24 English words, or about 40 Chinese characters. */
const WIDTH = 24;
/** Least value of a match that is sure. */
const SURE = 0.5;

/** The part of the question's idf that a text says. A match of equal words counts 1, and a translation its sureness. */
export interface Cover {
  /** Σ idf(q) · the greatest value of a match, over the whole text. */
  readonly whole: number;
  /** The same within the best {@linkcode WIDTH} words. */
  readonly near: number;
  /** Number of words of the question that are surely there. */
  readonly sure: number;
}

/** Returns what a text covers. The matches are in the order of the text, their values in place of the cosines. */
export function coverOf({ places, words, cosines }: WordMatches, question: readonly QueryWord[]): Cover {
  const best = new Float64Array(question.length);
  /** Returns what the matches from `first` to a place cover. */
  const coverUntil = (first: number, end: number) => {
    best.fill(0);
    let sum = 0;
    for (let i = first; i < places.length && places[i]! < end; i++) {
      const word = words[i]!, more = cosines[i]! - best[word]!;
      if (more <= 0) continue;
      best[word]! += more;
      sum += more * question[word]!.idf;
    }
    return sum;
  };
  const whole = coverUntil(0, Infinity);
  let near = 0, sure = 0;
  for (let first = 0; first < places.length && near < whole; first++) {
    const value = coverUntil(first, places[first]! + WIDTH);
    if (value <= near) continue;
    near = value;
    sure = 0;
    for (let q = 0; q < best.length; q++) if (best[q]! >= SURE) sure++;
  }
  return { whole, near, sure };
}

/** Returns the equal words and the translations of a text in its order. Words that are only similar are left out. */
export function mergeMatches(equal: WordMatches, translations: WordMatches): WordMatches {
  const all: { readonly place: number; readonly word: number; readonly value: number }[] = [];
  for (const { places, words, cosines } of [equal, translations]) {
    for (let i = 0; i < places.length; i++) {
      if (places === equal.places && cosines[i] !== 1) continue;
      all.push({ place: places[i]!, word: words[i]!, value: cosines[i]! });
    }
  }
  all.sort((a, b) => a.place - b.place);
  return {
    places: Int32Array.from(all, ({ place }) => place),
    words: Int32Array.from(all, ({ word }) => word),
    cosines: Float32Array.from(all, ({ value }) => value),
  };
}
