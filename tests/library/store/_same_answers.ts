import { ok } from "node:assert/strict";
import type { ChunkTest, Expression, WordCondition } from "#engine/index/mod.ts";
import { BUILTIN_ID, encodeWords } from "#models/embedding/mod.ts";
import { openLibrary, type SearchAnswer, type SearchRequest } from "#library/search/mod.ts";
import type { ChunkFilter, OpenIndex, Store } from "#library/store/mod.ts";
import { META, random } from "../../engine/index/_build.ts";
import { KEY } from "../../engine/index/_blob_forge.ts";
import { documents, queries, questions } from "../../engine/index/_fixture.ts";
import { config } from "../ingest/_place.ts";
import { TempDir } from "../../foundation/boundary/helpers.ts";
import { meaning } from "../../engine/rank/_collection.ts";
import { addFile, ready } from "./_contract.ts";
import { assertNear } from "./_near.ts";
import type { TestedStore } from "./_stores.ts";
import { MemoryStore } from "./memory/memory_store.ts";

/** Writes texts into a store, five chunks a file, with vectors and words of the built-in table. */
async function fill(store: Store, texts: readonly string[]): Promise<void> {
  const { table, analyzer } = meaning;
  const vectors = { model: BUILTIN_ID, dimensions: table.dimensions };
  await using _lock = await store.lock();
  await store.replace({ vectors }, async (writer) => {
    for (let first = 0; first < texts.length; first += 5) {
      // in the order of their paths
      const folder = first < texts.length / 2 ? "docs" : "notes";
      const path = `${folder}/file ${String(first).padStart(3, "0")}.${first % 3 === 0 ? "md" : "txt"}`;
      const section = first % 4 === 0 ? [`Part ${first % 7}`, "检索"] : [];
      const some = texts.slice(first, first + 5);
      await addFile(writer, path, some.map((text) => ({ text, section, context: section.join("\n") })));
      for (const [i, text] of some.entries()) {
        const { vector, words } = analyzer.analyze(text);
        writer.setVector(first + i, vector, encodeWords(words, table.englishCount));
      }
    }
    await writer.finish({ ...META, root: store.root }, () => Promise.resolve());
  });
}

/** Registers the tests that a store gives the answers of the store in memory. */
export function testSameAnswers([name, storeOf, around = (test) => test()]: TestedStore): void {
  const test = (sentence: string, run: () => Promise<void>) =>
    Deno.test(`${name}: ${sentence}`, () => around(run));

  test("search answers as it does from memory: filters, phrases, translation, vectors, two folders", async () => {
    using dir = new TempDir();
    const roots = ["one", "two"].map((name) => {
      Deno.mkdirSync(dir.at(name));
      return dir.at(name);
    });
    const texts = documents();
    const memory = new Map(roots.map((root) => [root, new MemoryStore(root)]));
    const stored = new Map(roots.map((root) => [root, storeOf(root)]));
    for (const [i, root] of roots.entries()) {
      const some = texts.slice(i === 0 ? 0 : 120, i === 0 ? 120 : 300);
      for (const store of [memory.get(root)!, stored.get(root)!]) await fill(store, some);
    }
    const settings = await config();
    const plain = openLibrary(roots, settings, { key: KEY, storeOf: (root) => memory.get(root)! });
    const library = openLibrary(roots, settings, { key: KEY, storeOf: (root) => stored.get(root)! });
    const filters = [
      "",
      " type:md",
      " -path:notes",
      " lang:zh",
      " -lang:en",
      " -after:2000",
      " title:file",
      " heading:part",
      ' "index search"',
      " “文件目录”",
      " -server",
      ' -"数据库"',
      " path:file* -type:txt lang:en -running",
    ];
    const requests: SearchRequest[] = queries().flatMap((query, i) =>
      (["hybrid", "keyword", "semantic"] as const).map((mode, m) => ({
        query: query + filters[(3 * i + m) % filters.length],
        mode,
        explain: true,
        topK: 3 + i % 10,
        ...(i % 5 === 4 ? { dirPath: roots[i % 2]! } : {}),
      }))
    );
    let hits = 0, translated = 0;
    for (const request of requests) {
      const [expected, actual] = [await plain.search(request), await library.search(request)];
      // the two indexes were written at different times
      const timeless = (answer: SearchAnswer) => ({
        ...answer,
        seconds: 0,
        freshness: answer.freshness?.state,
      });
      assertNear(timeless(actual), timeless(expected), JSON.stringify(request));
      hits += actual.hits.length;
      translated += actual.explanation!.chunks.filter(({ legs }) => (legs.translation?.raw ?? 0) > 0).length;
    }
    ok(hits > 500 && translated > 100, `${hits} hits, ${translated} by their translation`);
    plain.close();
    library.close();
  });

  test("candidates are the same as from memory under random filters", async () => {
    using dir = new TempDir();
    const stores = [new MemoryStore(dir.path), storeOf(dir.path)];
    for (const store of stores) await fill(store, documents());
    const [plain, index] = await Promise.all(stores.map((store) => ready(store.open())));
    const next = random(11);
    const any = <T>(list: readonly T[]) => list[Math.floor(next() * list.length)]!;
    const words = queries().flatMap((query) => query.split(" "));
    const some = () => next() < 0.8 ? [] : [any(words)];
    const expression = (depth: number): Expression<ChunkTest> => {
      const condition = (): WordCondition => ({
        kind: "words",
        words: any(words),
        form: any(["stem", "stem", "exact"]),
        typed: "",
        ...(next() < 0.1 && { within: any(["title", "heading"]) }),
      });
      const part = () => expression(depth - 1);
      return any<() => Expression<ChunkTest>>([
        condition,
        () => ({ ...condition(), words: any(["en", "re", "se", "in"]), form: "prefix" }),
        () => ({ kind: "near", distance: any([0, 2, 9]), parts: [condition(), condition()] }),
        () => ({
          kind: "test",
          test: { files: Uint8Array.from(plain!.files, () => next() < 0.5 ? 1 : 0) },
          typed: "",
        }),
        ...(depth === 0 ? [] : [
          () => ({ kind: "and", parts: [part(), part()] }) as const,
          () => ({ kind: "or", parts: [part(), part(), part()] }) as const,
          () => ({ kind: "not", part: part() }) as const,
        ]),
      ])();
    };
    for (let round = 0; round < 150; round++) {
      const filter: ChunkFilter = {
        ...(next() < 0.5 ? { files: Uint8Array.from(plain!.files, () => next() < 0.7 ? 1 : 0) } : {}),
        ...(next() < 0.3 ? { languages: new Set([any([0, 1, 2]), 2]) } : {}),
        phrases: some(),
        excluded: some(),
        excludedPhrases: some(),
        ...(next() < 0.5 && { expression: expression(3) }),
      };
      const exceptFiles = new Set(next() < 0.5 ? [] : [any([0, 1, 2, 3]), any([10, 20, 30])]);
      const wanted = { limit: any([1, 5, 50, 400]), filter, exceptFiles };
      const query = any(queries());
      const terms = meaning.tokenizer.queryTerms(query).map(({ term, weight }) => ({
        term,
        weight: weight * (1 + next()),
      }));
      const averageTokens = 10 + 50 * next();
      const groups = terms.map(({ term, weight }) => ({
        group: { members: [{ terms: [term], score: 0.7 }] },
        weight,
      }));
      const vector = { vector: meaning.analyzer.analyze(query).vector, model: BUILTIN_ID };
      const ask = async (index: OpenIndex) => ({
        terms: await index.byTerms({ terms, averageTokens }, wanted),
        groups: await index.byGroups({ groups, language: 2, averageTokens }, wanted),
        vector: await index.byVector(vector, wanted),
        passes: await index.passesAny(filter),
      });
      assertNear(
        await ask(index!),
        await ask(plain!),
        JSON.stringify({ query, wanted: { ...wanted, exceptFiles: [...exceptFiles] } }),
      );
    }
    index!.close();
  });
}

/** Registers the test of many questions, for the stores that the others are made of. */
export function testQuestions([name, storeOf, around = (test) => test()]: TestedStore): void {
  Deno.test(`${name}: 200 questions by words and 50 in hybrid mode have the hits and scores of the store in memory, ties included`, () =>
    around(async () => {
      using dir = new TempDir();
      const stores = [new MemoryStore(dir.path), storeOf(dir.path)] as const;
      for (const store of stores) await fill(store, documents());
      const settings = await config();
      const [plain, library] = stores.map((store) =>
        openLibrary([dir.path], settings, { key: KEY, storeOf: () => store })
      );
      const requests = questions().flatMap((query, i) => [
        { query, mode: "keyword", topK: 20 } as const,
        ...(i % 4 === 0 ? [{ query, mode: "hybrid", topK: 20 } as const] : []),
      ]);
      let ties = 0;
      for (const request of requests) {
        const [{ hits: expected }, { hits: actual }] = [
          await plain!.search(request),
          await library!.search(request),
        ];
        assertNear(actual, expected, JSON.stringify(request));
        ties += actual.filter(({ score }, i) => score === actual[i - 1]?.score).length;
      }
      ok(ties > 50, `${ties} ties`);
      plain!.close();
      library!.close();
    }));
}
