import { deepEqual, ok } from "node:assert/strict";
import * as fc from "fast-check";
import { Tokenizer } from "#engine/index/mod.ts";
import { buildIndex, file, random, type TestFile } from "./_build.ts";
import { documents, queries } from "./_fixture.ts";
import { search } from "./_search.ts";
import { Textbook, type TextbookHit } from "./_textbook.ts";

const tokenizer = new Tokenizer();

/** Returns files with up to `perFile` chunks each, which contain the texts in order. */
function inFiles(texts: readonly string[], folder = "f", perFile = 7): TestFile[] {
  const files: TestFile[] = [];
  for (let at = 0; at < texts.length; at += perFile) {
    files.push(file(`${folder}/${String(at).padStart(6, "0")}.txt`, texts.slice(at, at + perFile)));
  }
  return files;
}

function assertSame(found: readonly TextbookHit[], wanted: readonly TextbookHit[], about: string): void {
  deepEqual(found.map(({ id }) => id), wanted.map(({ id }) => id), about);
  found.forEach(({ score }, i) =>
    ok(Math.abs(score - wanted[i]!.score) < 1e-9, `score of hit ${i}, ${about}`)
  );
}

Deno.test("search finds the ten best chunks that a textbook BM25 finds, for every query of the fixture", async () => {
  const texts = documents();
  using reader = await buildIndex(inFiles(texts));
  const textbook = new Textbook(texts);
  let hits = 0;
  for (const query of queries()) {
    const wanted = textbook.search(query, 10);
    assertSame(await search([reader], tokenizer.queryTerms(query), 10), wanted, query);
    hits += wanted.length;
  }
  ok(hits > 500, `the fixture must find much: ${hits}`);
});

Deno.test("several indexes in one collection answer as one index of all chunks", async () => {
  const texts = documents();
  const parts = [texts.slice(0, 200), [], texts.slice(200, 203), texts.slice(203)];
  const readers = await Promise.all(parts.map((part, i) => buildIndex(inFiles(part, `f${i}`))));
  const textbook = new Textbook(texts);
  for (const query of queries()) {
    const found = await search(readers, tokenizer.queryTerms(query), 10);
    assertSame(found, textbook.search(query, 10), query);
    for (const { id, index, chunk } of found) {
      deepEqual(await index.texts(Int32Array.of(chunk), 1e6), [texts[id]]);
    }
  }
});

Deno.test("an index in two collections at once gives each collection its own scores", async () => {
  const texts = documents();
  using one = await buildIndex(inFiles(texts.slice(0, 100)));
  using other = await buildIndex(inFiles(texts.slice(100)));
  const textbookAlone = new Textbook(texts.slice(0, 100)), textbookBoth = new Textbook(texts);
  for (const query of queries()) {
    const terms = tokenizer.queryTerms(query);
    assertSame(await search([one], terms, 10), textbookAlone.search(query, 10), query);
    assertSame(await search([one, other], terms, 10), textbookBoth.search(query, 10), query);
  }
});

Deno.test("a filter does not change the statistics and lets only allowed chunks through", async () => {
  const texts = documents();
  using reader = await buildIndex(inFiles(texts, "f", 1));
  const textbook = new Textbook(texts);
  const filters = [(id: number) => id % 3 === 1, (id: number) => id > 290, (id: number) => id < 0];
  for (const allowed of filters) {
    for (const query of queries()) {
      const found = await search([reader], tokenizer.queryTerms(query), 10, allowed);
      assertSame(found, textbook.search(query, 10, allowed), query);
    }
  }
});

Deno.test("coverage is the share of the query's idf that the terms of a chunk have", async () => {
  using reader = await buildIndex([file("a.txt", ["apple pear", "apple", "apple plum"])]);
  const idf = (df: number) => Math.log(1 + (3 - df + 0.5) / (df + 0.5));
  const all = idf(3) + idf(1) + idf(0);
  const hits = await search([reader], tokenizer.queryTerms("apple pear zebra"), 10);
  const coverage = new Map(hits.map(({ chunk, coverage }) => [chunk, coverage]));
  deepEqual([...coverage.keys()].sort(), [0, 1, 2]);
  ok(Math.abs(coverage.get(0)! - (idf(3) + idf(1)) / all) < 1e-12);
  ok(Math.abs(coverage.get(1)! - idf(3) / all) < 1e-12);
});

Deno.test("search finds nothing without terms, for unknown terms, with limit 0, and in an empty index", async () => {
  using reader = await buildIndex([file("a.txt", ["apple pear"])]);
  using empty = await buildIndex([]);
  const both = [reader, empty];
  deepEqual(await search(both, [], 10), []);
  deepEqual(await search(both, tokenizer.queryTerms("。，!?"), 10), []);
  deepEqual(await search(both, tokenizer.queryTerms("zebra"), 10), []);
  deepEqual(await search(both, tokenizer.queryTerms("apple"), 0), []);
  deepEqual(await search([empty], tokenizer.queryTerms("apple"), 10), []);
  deepEqual(await search([], tokenizer.queryTerms("apple"), 10), []);
});

// Few words, so that scores tie and lists are dense; numbers of copies, so that lists pass 128 chunks.
const word = fc.constantFrom("a1", "bee", "cat", "dog", "eel", "fox", "的", "中文", "索引", "zz");
const text = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(" "));
const collectionOfTexts = fc.array(fc.tuple(text, fc.constantFrom(1, 1, 1, 2, 40, 150)), {
  minLength: 1,
  maxLength: 8,
}).map((kinds) => kinds.flatMap(([text, copies]) => Array<string>(copies).fill(text)));

Deno.test("any small collection is ranked as in textbook BM25, in any number of indexes and under any filter", async () => {
  await fc.assert(
    fc.asyncProperty(
      collectionOfTexts,
      fc.array(text, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(1, 2, 10, 1000),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 2 }),
      fc.integer({ min: 1, max: 3 }),
      async (texts, queries, limit, cuts, modulus) => {
        const inner = cuts.map((cut) => Math.floor(cut * texts.length)).sort((a, b) => a - b);
        const places = [0, ...inner, texts.length];
        const parts = places.slice(1).map((end, i) => texts.slice(places[i], end));
        const readers = await Promise.all(parts.map((part) => buildIndex(inFiles(part, "f", 1))));
        const textbook = new Textbook(texts);
        const passes = (id: number) => id % modulus === 0;
        for (const query of queries) {
          const terms = tokenizer.queryTerms(query);
          const wanted = textbook.search(query, limit, passes);
          assertSame(await search(readers, terms, limit, passes), wanted, query);
          if (modulus === 1) assertSame(await search(readers, terms, limit), wanted, query);
        }
      },
    ),
    { numRuns: 60 },
  );
});

Deno.test("MaxScore loses no hit even if it skips most postings", async () => {
  for (let seed = 1; seed <= 6; seed++) {
    const next = random(seed);
    // The first words are in most chunks, the last words in a few.
    const word = () => `w${Math.floor(40 * next() ** 3)}x`;
    const some = (length: number) => Array.from({ length }, word).join(" ");
    const short = Array.from({ length: 250 }, () => some(1 + Math.floor(4 * next())));
    // Long chunks repeat one frequent word. With the average of both indexes, tf counts for more.
    const long = Array.from(
      { length: 150 },
      () => `${some(20)} ${`${word()} `.repeat(Math.floor(60 * next() ** 4))}`,
    );
    const texts = seed % 2 === 0 ? [...short, ...long] : [...long, ...short];
    const border = seed % 2 === 0 ? short.length : long.length;
    using one = await buildIndex(inFiles(texts.slice(0, border)));
    using other = await buildIndex(inFiles(texts.slice(border)));
    const textbook = new Textbook(texts);
    for (let i = 0; i < 60; i++) {
      const query = Array.from({ length: 2 + i % 5 }, () => `w${Math.floor(40 * next())}x`).join(" ");
      const limit = [1, 2, 3, 10][i % 4]!;
      const found = await search([one, other], tokenizer.queryTerms(query), limit);
      assertSame(found, textbook.search(query, limit), query);
    }
  }
});
