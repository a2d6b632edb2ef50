import { deepEqual } from "node:assert/strict";
import { exact, maxsim, soft, window } from "#engine/rank/legs.ts";
import type { WordMatches } from "#engine/rank/query_words.ts";

const QUESTION = [{ text: "river", id: 1, idf: 2 }, { text: "bridge", id: 2, idf: 3 }];

/** Makes a text from its matches: [position, word of the question, cosine]. */
function text(...matches: readonly (readonly [number, number, number])[]): WordMatches {
  return {
    places: Int32Array.from(matches, ([place]) => place),
    words: Int32Array.from(matches, ([, word]) => word),
    cosines: Float32Array.from(matches, ([, , cosine]) => cosine),
  };
}

Deno.test("MaxSim adds up the squares of the best cosines, weighted by idf", () => {
  const texts = [text([0, 0, 1], [4, 0, 0.5], [5, 1, 0.5]), text([0, 1, 0.5], [1, 1, 0.75]), text()];
  deepEqual([...maxsim(texts, QUESTION)], [2 * 1 + 3 * 0.25, 3 * 0.5625, 0]);
});

Deno.test("the soft term frequency saturates like that of BM25, and ignores dissimilar words", () => {
  const texts = [text([0, 0, 1], [1, 0, 1]), text([0, 0, 0.5]), text([0, 0, 0.48])];
  const norms = Float64Array.of(1, 1, 1);
  deepEqual([...soft(texts, QUESTION, norms)], [2 * 2 * 2.2 / 3, 2 * 0.0625 * 2.2 / 1.0625, 0]);
});

Deno.test("each exact match counts once, and similar words do not count", () => {
  const texts = [text([0, 0, 1], [1, 0, 1], [2, 1, 0.9]), text([3, 0, 1], [9, 1, 1])];
  deepEqual([...exact(texts, QUESTION)], [2, 5]);
});

Deno.test("the window contains words less than 24 positions apart", () => {
  const texts = [
    text([0, 0, 1], [23, 1, 1]),
    text([0, 0, 1], [24, 1, 1]),
    text([0, 0, 1], [10, 0, 1], [30, 1, 1]),
    text([0, 0, 0.9], [1, 1, 0.9]),
  ];
  deepEqual([...window(texts, QUESTION)], [5, 3, 5, 0]);
});
