import { deepEqual, equal } from "node:assert/strict";
import * as fc from "fast-check";
import { PostingsCollector } from "#engine/index/postings/collector.ts";
import { MAX_TF } from "#engine/index/postings/runs.ts";
import { Tokenizer } from "#engine/index/text/tokenizer.ts";
import { Vocabulary } from "#engine/index/text/vocabulary.ts";

/** Ends collecting, and returns the postings of each term. */
function listsOf(collector: PostingsCollector, vocabulary: Vocabulary): Map<string, [number, number][]> {
  collector.finish();
  const chunks = new Uint32Array(1 << 17), frequencies = new Uint16Array(1 << 17);
  return new Map(Array.from({ length: vocabulary.size }, (_, term) => {
    const count = collector.decode(term, chunks, frequencies);
    const list = Array.from({ length: count }, (_, i): [number, number] => [chunks[i]!, frequencies[i]!]);
    return [vocabulary.termOf(term), list];
  }));
}

/** The term of the gram of a number. */
function termOf(gram: number): string {
  return String.fromCharCode(0x4e00 + gram);
}

/** Sends `times` times the gram of a number. */
function add(collector: PostingsCollector, gram: number, times: number): void {
  for (let i = 0; i < times; i++) collector.gram(0x4e00 + gram, 0);
}

Deno.test("postings collected chunk by chunk are decoded term by term", () => {
  const chunk = fc.record({
    gap: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 300 }), fc.constantFrom(20_000, 5_000_000)),
    terms: fc.array(fc.tuple(fc.nat(6), fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 200 }))), {
      maxLength: 6,
    }),
    repeated: fc.constantFrom(1, 1, 1, 60),
  });
  fc.assert(fc.property(fc.array(chunk, { maxLength: 20 }), (chunks) => {
    const vocabulary = new Vocabulary();
    const collector = new PostingsCollector(vocabulary);
    const wanted = new Map<string, [number, number][]>();
    let id = -1;
    for (const { gap, terms, repeated } of chunks) {
      for (let again = 0; again < repeated; again++) {
        id += gap;
        const counts = new Map<number, number>();
        for (const [gram, times] of terms) {
          add(collector, gram, times);
          counts.set(gram, (counts.get(gram) ?? 0) + times);
        }
        equal(collector.endChunk(id), [...counts.values()].reduce((sum, count) => sum + count, 0));
        for (const [gram, count] of counts) {
          const list = wanted.get(termOf(gram)) ?? [];
          list.push([id, count]);
          wanted.set(termOf(gram), list);
        }
      }
    }
    deepEqual(listsOf(collector, vocabulary), new Map([...wanted].sort(([a], [b]) => a < b ? -1 : 1)));
  }));
});

Deno.test("lists that grow side by side over many pages and batches of tokens stay apart", () => {
  const vocabulary = new Vocabulary();
  const collector = new PostingsCollector(vocabulary);
  const TERMS = 40, CHUNKS = 70_000;
  for (let chunk = 0; chunk < CHUNKS; chunk++) {
    for (let gram = 0; gram < TERMS; gram++) {
      if (chunk % (gram + 1) === 0) add(collector, gram, 1 + chunk % 3);
    }
    collector.endChunk(chunk);
  }
  const lists = listsOf(collector, vocabulary);
  equal(lists.size, TERMS);
  for (let gram = 0; gram < TERMS; gram++) {
    const wanted: [number, number][] = [];
    for (let chunk = 0; chunk < CHUNKS; chunk += gram + 1) wanted.push([chunk, 1 + chunk % 3]);
    deepEqual(lists.get(termOf(gram)), wanted);
  }
});

Deno.test("terms that come in later batches follow those of earlier ones, and keep all postings of later batches", () => {
  const vocabulary = new Vocabulary(), collector = new PostingsCollector(vocabulary);
  const wanted = new Map<string, [number, number][]>();
  // A batch ends with a chunk of so many characters.
  const PARTS = [[5, 3], [4, 5, 6], [1, 4], [9, 3], [1, 5, 9], [2]];
  for (const [chunk, grams] of PARTS.entries()) {
    for (const gram of [...grams, 7]) {
      const times = gram === 7 ? 1 << 21 : gram;
      add(collector, gram, times);
      wanted.set(termOf(gram), [...wanted.get(termOf(gram)) ?? [], [chunk, Math.min(times, MAX_TF)]]);
    }
    collector.endChunk(chunk);
  }
  const order = [3, 5, 7, 4, 6, 1, 9, 2].map((gram) => termOf(gram));
  deepEqual([...listsOf(collector, vocabulary)], order.map((term) => [term, wanted.get(term)]));
});

Deno.test("a term frequency above 65535 is stored as 65535, and all tokens are counted", () => {
  const vocabulary = new Vocabulary(), collector = new PostingsCollector(vocabulary);
  add(collector, 0, 70_000);
  equal(collector.endChunk(3), 70_000);
  deepEqual(listsOf(collector, vocabulary), new Map([[termOf(0), [[3, MAX_TF]]]]));
});

Deno.test("words get the terms of the tokenizer, numbered in the order of the text, however many follow each other", () => {
  const word = fc.oneof(
    fc.constantFrom(
      "Run",
      "running",
      "getUserName",
      "café",
      "1.13",
      "2024-01-18",
      "\u{20000}",
      "x".repeat(70),
    ),
    fc.nat(400).map((number) => `word${"abcdefghij"[number % 10]}${"klmnopqrst"[number % 7]}${number}`),
  );
  fc.assert(
    fc.property(fc.array(fc.array(word, { maxLength: 700 }), { maxLength: 3 }), (chunks) => {
      const vocabulary = new Vocabulary(), collector = new PostingsCollector(vocabulary);
      const tokenizer = new Tokenizer();
      const wanted = new Map<string, [number, number][]>();
      for (const [id, words] of chunks.entries()) {
        const text = words.join(" "), counts = new Map<string, number>();
        const count = (term: string) => void counts.set(term, (counts.get(term) ?? 0) + 1);
        tokenizer.scanUtf8(new TextEncoder().encode(text), collector);
        tokenizer.tokenize(text).forEach(count);
        tokenizer.scan(text, { word: () => {}, gram: () => {}, value: count });
        equal(collector.endChunk(id), [...counts.values()].reduce((sum, count) => sum + count, 0));
        for (const [term, count] of counts) wanted.set(term, [...wanted.get(term) ?? [], [id, count]]);
      }
      const lists = listsOf(collector, vocabulary);
      deepEqual([...lists], [...wanted]);
    }),
    { numRuns: 30 },
  );
});
