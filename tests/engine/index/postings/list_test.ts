import { deepEqual, equal, ok } from "node:assert/strict";
import * as fc from "fast-check";
import { GroupMerger, searchBm25 } from "#engine/index/postings/bm25.ts";
import { ChunkLengths, frequencyPart, type Postings } from "#engine/index/postings/format.ts";
import { PostingList } from "#engine/index/postings/list.ts";
import { random } from "../_build.ts";
import { PostingsEncoder } from "#engine/index/postings/encoder.ts";

/** One term's postings: tf by chunk. */
type Entries = ReadonlyMap<number, number>;

/** Returns the posting lists of terms over chunks with these lengths. */
function encode(lists: readonly Entries[], lengths: Uint32Array): Postings {
  const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  const encoder = new PostingsEncoder(lengths, average);
  const pieces: Uint8Array[] = [];
  for (const list of lists) {
    const chunks = [...list.keys()].sort((a, b) => a - b);
    encoder.add(
      Uint32Array.from(chunks),
      Uint16Array.from(chunks, (chunk) => list.get(chunk)!),
      chunks.length,
    );
    // The bytes are taken after each list, like in a large index.
    pieces.push(encoder.take().slice());
  }
  const bytes = new Uint8Array(encoder.size);
  pieces.reduce((at, piece) => (bytes.set(piece, at), at + piece.length), 0);
  const skips = encoder.skips.view();
  return {
    chunks: lengths.length,
    bytes: (from, to) => bytes.subarray(from, to),
    offsets: encoder.offsets.view(),
    documentFrequency: encoder.documentFrequency.view(),
    maxFrequencyPart: encoder.maxFrequencyPart.view(),
    skipStart: encoder.skipStart.view(),
    skips: (from, to) => skips.subarray(from, to),
    damaged: (problem) => new Error(problem),
  };
}

function decoded(postings: Postings, term: number): [number, number][] {
  const df = postings.documentFrequency.at(term)!;
  const chunks = new Uint32Array(df), frequencies = new Uint16Array(df);
  equal(new PostingList(postings, term).decode(chunks, frequencies), df);
  return Array.from(chunks, (chunk, i) => [chunk, frequencies[i]!]);
}

const sorted = (list: Entries) => [...list].sort(([a], [b]) => a - b);

const tf = fc.oneof(
  { weight: 6, arbitrary: fc.constant(1) },
  { weight: 3, arbitrary: fc.integer({ min: 2, max: 300 }) },
  { weight: 1, arbitrary: fc.constantFrom(127, 128, 255, 256, 16383, 16384, 65535) },
);

/** A list over `size` chunks, of which a share of about `density` contains the term. */
function listOver(size: number): fc.Arbitrary<Entries> {
  return fc.tuple(
    fc.constantFrom(0.002, 0.05, 0.3, 0.49, 0.51, 0.9, 1),
    fc.array(tf, { minLength: 1, maxLength: 20 }),
    fc.nat(),
  )
    .map(([density, tfs, seed]) => {
      const list = new Map<number, number>();
      let state = seed;
      for (let chunk = 0; chunk < size; chunk++) {
        state = (Math.imul(state, 1103515245) + 12345) >>> 0;
        if ((state >>> 8) / 2 ** 24 < density) list.set(chunk, tfs[list.size % tfs.length]!);
      }
      return list.size === 0 ? new Map([[size - 1, tfs[0]!]]) : list;
    });
}

const cases = fc.constantFrom(1, 2, 127, 128, 129, 255, 256, 257, 600, 3000).chain((size) =>
  fc.record({
    lengths: fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 10 })
      .map((some) => Uint32Array.from({ length: size }, (_, i) => some[i % some.length]!)),
    lists: fc.array(listOver(size), { minLength: 1, maxLength: 4 }),
    asked: fc.array(fc.nat(size - 1), { maxLength: 40 }),
  })
);

Deno.test("sparse and dense lists are decoded as they were encoded, with any gaps and frequencies", () => {
  fc.assert(fc.property(cases, ({ lists, lengths }) => {
    const postings = encode(lists, lengths);
    lists.forEach((list, term) => deepEqual(decoded(postings, term), sorted(list)));
  }));
});

Deno.test("gaps of one to four bytes are decoded as they were encoded", () => {
  const GAPS = [1, 63, 64, 8191, 8192, 0xf_ffff, 0x10_0000];
  const list = new Map<number, number>();
  let chunk = -1;
  for (const gap of GAPS) {
    for (const tf of [1, 2, 1]) list.set(chunk += gap, tf);
  }
  const postings = encode([list, new Map([[chunk, 1]])], new Uint32Array(chunk + 1).fill(10));
  deepEqual(decoded(postings, 0), sorted(list));
  deepEqual(decoded(postings, 1), [[chunk, 1]]);
});

Deno.test("frequencyIn() returns the frequencies of ascending chunks, and again after rewind()", () => {
  fc.assert(fc.property(cases, ({ lists, lengths, asked }) => {
    const postings = encode(lists, lengths);
    const some = asked.sort((a, b) => a - b);
    const all = Array.from(lengths, (_, chunk) => chunk);
    lists.forEach((map, term) => {
      const list = new PostingList(postings, term);
      for (const chunks of [some, all, some]) {
        list.rewind();
        deepEqual(chunks.map((chunk) => list.frequencyIn(chunk)), chunks.map((chunk) => map.get(chunk) ?? 0));
      }
    });
  }));
});

Deno.test("the greatest frequency part of a list is a close upper bound", () => {
  fc.assert(fc.property(cases, ({ lists, lengths }) => {
    const postings = encode(lists, lengths);
    const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
    lists.forEach((map, term) => {
      const best = Math.max(...[...map].map(([chunk, tf]) => frequencyPart(tf, lengths[chunk]!, average)));
      const bound = new PostingList(postings, term).maxFrequencyPart;
      ok(bound >= best && bound < best * (1 + 1e-6), `${best} <= ${bound}`);
    });
  }));
});

Deno.test("a term in more than half of over 128 chunks has a dense list, which is smaller than gaps", () => {
  const lengths = new Uint32Array(1000).fill(10);
  const every = (step: number, tf: number) =>
    new Map(Array.from({ length: 1000 / step }, (_, i) => [i * step, tf] as const));
  const postings = encode([every(2, 255), every(4, 3), every(1, 256)], lengths);
  deepEqual([0, 1, 2].map((term) => new PostingList(postings, term).dense !== undefined), [
    true,
    false,
    false,
  ]);
  deepEqual([0, 1, 2, 3].map((at) => postings.offsets.at(at)), [0, 1000, 1500, 4500]);
});

Deno.test("an index of many windows gives the chunks of the greatest scores, sorted by score and number", () => {
  const next = random(5);
  const lengths = Uint32Array.from({ length: 30_000 }, () => 1 + Math.floor(next() * 40));
  const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  const postings = encode(
    [0.001, 0.002, 0.01, 0.1, 0.7, 1].map((share) =>
      new Map(
        [...lengths.keys()].filter(() => next() < share).map((chunk) => [chunk, 1 + Math.floor(next() * 3)]),
      )
    ),
    lengths,
  );
  const norms = new ChunkLengths(lengths).norms(average);
  const allowed = Uint8Array.from(lengths, () => next() < 0.5 ? 1 : 0);
  const weights = [8, 6, 4.5, 2.3, 0.4, 0.01];
  for (const terms of [[0, 1, 2, 3, 4, 5], [1, 4, 5], [2, 3], [5, 4], [0], [3, 3, 2]]) {
    const lists = terms.map((term) => ({ list: new PostingList(postings, term), weight: weights[term]! }));
    // With a limit above the number of chunks, no posting is skipped.
    const all = searchBm25(lists, lengths.length, { norms, boundScale: 1 });
    for (const limit of [1, 10, 100, 5000]) {
      deepEqual(searchBm25(lists, limit, { norms, boundScale: 1 }), all.slice(0, limit));
      const some = all.filter(({ chunk }) => allowed[chunk] === 1).slice(0, limit);
      deepEqual(searchBm25(lists, limit, { norms, boundScale: 1, allowed }), some);
    }
  }
});

const SIZE = 300;
const LENGTHS = new Uint32Array(SIZE).fill(10);

/** A term's frequencies by chunk. */
const frequencies: fc.Arbitrary<Entries> = fc.tuple(fc.constantFrom(2, 5, 60), fc.nat()).map((
  [every, seed],
) =>
  new Map(
    [...LENGTHS.keys()].filter((chunk) => (chunk * 7 + seed) % every === 0)
      .map((chunk) => [chunk, 1 + (chunk + seed) % 4]),
  )
).filter(({ size }) => size > 0);

Deno.test("a group's frequency is the weighted sum over its members, each the least of its terms, in chunks of the given kind", () => {
  const merger = new GroupMerger(SIZE);
  const member = fc.record({
    terms: fc.array(frequencies, { minLength: 1, maxLength: 3 }),
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
        const merged = merger.merge(encoded, kinds, 1);
        const found = Array.from(merged.chunks, (chunk, i) => [chunk, merged.frequencies[i]!] as const);
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
