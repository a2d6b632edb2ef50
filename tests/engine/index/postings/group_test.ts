import { deepEqual } from "node:assert/strict";
import * as fc from "fast-check";
import { GroupMerger } from "#engine/index/postings/bm25.ts";
import { PostingList } from "#engine/index/postings/list.ts";
import { encode, type Entries } from "./_encode.ts";

const SIZE = 300;
const LENGTHS = new Uint32Array(SIZE).fill(10);

/** A term's frequencies by chunk. */
const list: fc.Arbitrary<Entries> = fc.tuple(fc.constantFrom(2, 5, 60), fc.nat()).map(([every, seed]) =>
  new Map(
    [...LENGTHS.keys()].filter((chunk) => (chunk * 7 + seed) % every === 0)
      .map((chunk) => [chunk, 1 + (chunk + seed) % 4]),
  )
).filter(({ size }) => size > 0);

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
        const encoded = members.map(({ terms, score }) => {
          const postings = encode(terms, LENGTHS);
          return { lists: terms.map((_, term) => new PostingList(postings, term)), score };
        });
        const { chunks, frequencies } = merger.merge(encoded, kinds, 1);
        const found = Array.from(chunks, (chunk, i) => [chunk, frequencies[i]!] as const);
        const wanted = [...LENGTHS.keys()].filter((chunk) => kinds[chunk] === 1).map((chunk) => {
          const least = (terms: readonly Entries[]) => Math.min(...terms.map((tf) => tf.get(chunk) ?? 0));
          return [chunk, members.reduce((sum, { terms, score }) => sum + score * least(terms), 0)] as const;
        }).filter(([, sum]) => sum > 0);
        deepEqual(found.sort(([a], [b]) => a - b), wanted);
      },
    ),
    { numRuns: 60 },
  );
});
