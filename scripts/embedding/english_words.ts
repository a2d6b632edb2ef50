import { normalizeRows, principalComponents, project, subtractMean } from "./principal.ts";
import type { Glove } from "./sources.ts";

/** Words with their vectors (of length 1) and probabilities. */
export interface WordVectors {
  readonly words: readonly string[];
  readonly dimensions: number;
  readonly vectors: Float32Array;
  readonly p: Float64Array;
}

/**
 * Returns the most frequent words that the tokenizer can produce (letters and digits). The mean and the first principal
 * components are removed from their vectors. Probabilities follow from the word's rank by Zipf's law.
 */
export function englishWords(
  glove: Glove,
  count: number,
  components: number,
  kept: number,
): WordVectors {
  const { dimensions } = glove;
  let harmonic = 0;
  for (let rank = 1; rank <= glove.words.length; rank++) harmonic += 1 / rank;
  const ranks: number[] = [];
  for (let i = 0; i < glove.words.length && ranks.length < count; i++) {
    if (/^[a-z0-9]+$/.test(glove.words[i]!)) ranks.push(i);
  }
  const vectors = new Float32Array(ranks.length * dimensions);
  ranks.forEach((rank, i) => {
    vectors.set(glove.vectors.subarray(rank * dimensions, (rank + 1) * dimensions), i * dimensions);
  });
  subtractMean(vectors, dimensions);
  const basis = principalComponents(vectors, dimensions).slice(components, components + kept);
  const projected = project(vectors, dimensions, basis);
  normalizeRows(projected, basis.length);
  return {
    words: ranks.map((rank) => glove.words[rank]!),
    dimensions: basis.length,
    vectors: projected,
    p: Float64Array.from(ranks, (rank) => 1 / ((rank + 1) * harmonic)),
  };
}
