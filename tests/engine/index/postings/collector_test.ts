import { deepEqual, equal } from "node:assert/strict";
import * as fc from "fast-check";
import { MAX_TF, PostingsCollector } from "#engine/index/postings/collector.ts";
import { Tokenizer } from "#engine/index/text/tokenizer.ts";
import { Vocabulary } from "#engine/index/text/vocabulary.ts";

/** Returns the postings of a term in the collector. */
function listOf(collector: PostingsCollector, term: number): [number, number][] {
  const count = collector.documentFrequency(term);
  const chunks = new Uint32Array(count), frequencies = new Uint16Array(count);
  equal(collector.decode(term, chunks, frequencies), count);
  return Array.from(chunks, (chunk, i) => [chunk, frequencies[i]!]);
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
    const wanted = new Map<number, [number, number][]>();
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
          const list = wanted.get(gram) ?? [];
          list.push([id, count]);
          wanted.set(gram, list);
        }
      }
    }
    collector.finish();
    for (let gram = 0; gram <= 6; gram++) {
      const list = wanted.get(gram) ?? [];
      const term = list.length === 0 ? vocabulary.size + gram : vocabulary.ofGram(0x4e00 + gram, 0);
      deepEqual(listOf(collector, term), list);
    }
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
  for (let gram = 0; gram < TERMS; gram++) {
    const wanted: [number, number][] = [];
    for (let chunk = 0; chunk < CHUNKS; chunk += gram + 1) wanted.push([chunk, 1 + chunk % 3]);
    deepEqual(listOf(collector, vocabulary.ofGram(0x4e00 + gram, 0)), wanted);
  }
});

Deno.test("a term frequency above 65535 is stored as 65535, and all tokens are counted", () => {
  const collector = new PostingsCollector(new Vocabulary());
  add(collector, 0, 70_000);
  equal(collector.endChunk(3), 70_000);
  deepEqual(listOf(collector, 0), [[3, MAX_TF]]);
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
      collector.finish();
      const terms = Array.from({ length: vocabulary.size }, (_, term) => vocabulary.termOf(term));
      deepEqual(terms, [...wanted.keys()]);
      terms.forEach((term, i) => deepEqual(listOf(collector, i), wanted.get(term)));
    }),
    { numRuns: 30 },
  );
});
