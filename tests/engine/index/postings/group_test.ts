import { deepEqual } from "node:assert/strict";
import * as fc from "fast-check";
import { GroupMerger } from "#engine/index/postings/bm25.ts";
import { PostingList } from "#engine/index/postings/list.ts";
import { PostingsEncoder } from "#engine/index/postings/encoder.ts";

const SIZE = 300;

/** Makes a list from term frequencies by chunk; 0 if the chunk does not contain the term. */
const list = fc.tuple(fc.constantFrom(2, 5, 60), fc.nat()).map(([every, seed]) =>
  Array.from({ length: SIZE }, (_, chunk) => (chunk * 7 + seed) % every === 0 ? 1 + (chunk + seed) % 4 : 0)
).filter((frequencies) => frequencies.some((tf) => tf > 0));

function encode(lists: readonly (readonly number[])[]): PostingList[] {
  const encoder = new PostingsEncoder(new Uint32Array(SIZE).fill(10), 10);
  const pieces: Uint8Array[] = [];
  for (const frequencies of lists) {
    const chunks = [...frequencies.keys()].filter((chunk) => frequencies[chunk]! > 0);
    encoder.add(
      Uint32Array.from(chunks),
      Uint16Array.from(chunks, (chunk) => frequencies[chunk]!),
      chunks.length,
    );
    pieces.push(encoder.take().slice());
  }
  const bytes = Uint8Array.from(pieces.flatMap((piece) => [...piece]));
  const skips = encoder.skips.view();
  const postings = {
    chunks: SIZE,
    bytes: (from: number, to: number) => bytes.subarray(from, to),
    offsets: encoder.offsets.view(),
    documentFrequency: encoder.documentFrequency.view(),
    maxFrequencyPart: encoder.maxFrequencyPart.view(),
    skipStart: encoder.skipStart.view(),
    skips: (from: number, to: number) => skips.subarray(from, to),
    damaged: (problem: string) => new Error(problem),
  };
  return lists.map((_, term) => new PostingList(postings, term));
}

Deno.test("a group's frequency is the weighted sum over its members, each the least of its terms, in chunks of the given kind", () => {
  const merger = new GroupMerger(SIZE);
  const member = fc.record({
    terms: fc.array(list, { minLength: 1, maxLength: 3 }),
    score: fc.constantFrom(1, 0.5, 0.25),
  });
  fc.assert(
    fc.property(
      fc.array(member, { maxLength: 4 }),
      fc.uint8Array({ minLength: SIZE, maxLength: SIZE, max: 2 }),
      (members, kinds) => {
        const encoded = members.map(({ terms, score }) => ({ lists: encode(terms), score }));
        const { chunks, frequencies } = merger.merge(encoded, kinds, 1);
        const found = new Map(Array.from(chunks, (chunk, i) => [chunk, frequencies[i]]));
        const wanted = new Map<number, number>();
        for (let chunk = 0; chunk < SIZE; chunk++) {
          const sum = members.reduce(
            (sum, { terms, score }) => sum + score * Math.min(...terms.map((tf) => tf[chunk]!)),
            0,
          );
          if (kinds[chunk] === 1 && sum > 0) wanted.set(chunk, sum);
        }
        deepEqual([...found].sort(([a], [b]) => a - b), [...wanted]);
      },
    ),
    { numRuns: 60 },
  );
});
