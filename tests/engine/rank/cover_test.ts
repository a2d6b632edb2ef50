import { deepEqual } from "node:assert/strict";
import { maxsim } from "#engine/rank/legs.ts";
import { coverOf, mergeMatches, type WordMatches } from "#engine/rank/query_words.ts";

const QUESTION = [{ text: "river", id: 1, idf: 2 }, { text: "bridge", id: 2, idf: 3 }];

/** Makes a text from its matches: [position, word of the question, value]. */
function text(...matches: readonly (readonly [number, number, number])[]): WordMatches {
  return {
    places: Int32Array.from(matches, ([place]) => place),
    words: Int32Array.from(matches, ([, word]) => word),
    cosines: Float32Array.from(matches, ([, , value]) => value),
  };
}

Deno.test("a text covers the idf of each word times its best match", () => {
  deepEqual(coverOf(text([0, 0, 0.5], [3, 0, 1], [4, 1, 0.25]), QUESTION), {
    whole: 2 + 0.75,
    near: 2.75,
    sure: 1,
  });
});

Deno.test("only words within 24 positions support each other", () => {
  deepEqual(coverOf(text([0, 0, 1], [23, 1, 1]), QUESTION), { whole: 5, near: 5, sure: 2 });
  deepEqual(coverOf(text([0, 0, 1], [24, 1, 1]), QUESTION), { whole: 5, near: 3, sure: 1 });
});

Deno.test("a text without matches covers nothing", () => {
  deepEqual(coverOf(text(), QUESTION), { whole: 0, near: 0, sure: 0 });
});

Deno.test("equal words and translations are merged in the order of the text, without words that are only similar", () => {
  const merged = mergeMatches(text([2, 0, 1], [5, 1, 0.9]), text([1, 1, 0.5]));
  deepEqual([[...merged.places], [...merged.words], [...merged.cosines]], [[1, 2], [1, 0], [0.5, 1]]);
});

Deno.test("MaxSim adds up the squares of the best cosines, weighted by idf", () => {
  const texts = [text([0, 0, 1], [4, 0, 0.5], [5, 1, 0.5]), text([0, 1, 0.5], [1, 1, 0.75]), text()];
  deepEqual([...maxsim(texts, QUESTION)], [2 * 1 + 3 * 0.25, 3 * 0.5625, 0]);
});
