import { deepEqual, equal, ok } from "node:assert/strict";
import * as fc from "fast-check";
import { frequencyPart, type Postings } from "#engine/index/postings/format.ts";
import { PostingList } from "#engine/index/postings/list.ts";
import { encode, type Entries } from "./_encode.ts";

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
