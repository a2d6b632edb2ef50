import assert from "node:assert/strict";
import { passageText, type SelectedChunk, toPassages } from "#library/search/passages.ts";
import type { OpenIndex } from "#library/store/mod.ts";

const TEXT = "one two three\n\nfour five six seven\neight";

/** Chunks as [start, end, section] of {@linkcode TEXT}, in two files of the same content. */
const CHUNKS: [number, number, string][] = [[0, 7, "A"], [4, 13, "A"], [15, 34, "A"], [35, 40, "B"]];

const INDEX = {} as OpenIndex;

/** Returns a chunk by its number in the index: 0 to 3 are in the first file, 4 to 7 in the second. */
function found(chunk: number): SelectedChunk {
  const file = chunk < CHUNKS.length ? 0 : 1;
  const [start, end, section] = CHUNKS[chunk % CHUNKS.length]!;
  const line = (at: number) => TEXT.slice(0, at).split("\n").length;
  const place = { start, end, startLine: line(start), endLine: line(end), section: [section] };
  return {
    ...{ index: INDEX, chunk, id: chunk, file, filePath: `${file}.md`, language: 1 },
    ...{ score: 10 - chunk, coverage: 1, chance: 1, legs: {} },
    stored: { file, ...place, tokens: 1, language: 1 },
    print: { letters: 0, whole: 0, shingles: new Int32Array() },
    also: [],
  };
}

Deno.test("consecutive selected chunks of a section become one passage with the rank of the best chunk", () => {
  const passages = toPassages([found(1), found(5), found(0), found(2), found(3)]);
  assert.deepEqual(
    passages.map(({ best, chunks }) => [best.chunk, chunks.map(({ chunk }) => chunk)]),
    [[1, [0, 1, 2]], [5, [5]], [3, [3]]],
  );
  const texts = passages[0]!.chunks.map(({ stored: { start, end } }) => TEXT.slice(start, end));
  assert.equal(passageText(passages[0]!, texts).text, "one two three\n\nfour five six seven");
});

Deno.test("a chunk that closes the gap between two passages joins them; files and sections stay apart", () => {
  const passages = toPassages([found(2), found(0), found(1), found(4), found(3)]);
  assert.deepEqual(passages.map(({ chunks }) => chunks.map(({ chunk }) => chunk)), [[0, 1, 2], [4], [3]]);
});
