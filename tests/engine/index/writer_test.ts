import { deepEqual, equal } from "node:assert/strict";
import * as fc from "fast-check";
import { type IndexReader, Tokenizer } from "#engine/index/mod.ts";
import { buildIndex, chunk, file, indexBytes, META, opened, recordOf, type TestFile } from "./_build.ts";
import { search } from "./_search.ts";

const tokenizer = new Tokenizer();

Deno.test("a reader returns the files and chunks that were written", async () => {
  const files: TestFile[] = [
    {
      path: "guide/手册.md",
      chunks: [
        chunk("# Start\n\nFirst words.", { endLine: 3, section: ["Start"], page: 1 }),
        chunk("更多 words 🎉", {
          start: 30,
          startLine: 5,
          endLine: 6,
          section: ["Start", "深入 \u001f 学习"],
          page: 12,
        }),
      ],
    },
    file("plain.txt", ["Alpha", "Beta"]),
  ];
  using reader = await buildIndex(files);
  deepEqual(reader.meta, { ...META, tokenizer: 4 });
  deepEqual(reader.files, [
    { ...recordOf("guide/手册.md"), firstChunk: 0, chunkCount: 2 },
    { ...recordOf("plain.txt"), firstChunk: 2, chunkCount: 2 },
  ]);
  const [start, deeper] = [{ section: ["Start"], page: 1 }, { section: ["Start", "深入   学习"], page: 12 }];
  const place = (start: number, end: number, startLine: number, endLine: number) => ({
    start,
    end,
    startLine,
    endLine,
  });
  deepEqual([0, 1, 2, 3].map((i) => ({ ...reader.chunk(i), text: reader.text(i) })), [
    { file: 0, ...place(0, 21, 1, 3), ...start, tokens: 3, language: 1, text: "# Start\n\nFirst words." },
    // A heading cannot contain the character that separates headings.
    { file: 0, ...place(30, 41, 5, 6), ...deeper, tokens: 5, language: 2, text: "更多 words 🎉" },
    { file: 1, ...place(0, 5, 1, 1), section: [], tokens: 1, language: 1, text: "Alpha" },
    { file: 1, ...place(6, 10, 2, 2), section: [], tokens: 1, language: 1, text: "Beta" },
  ]);
  equal(reader.dictionary.find("alpha"), [...reader.dictionary.terms()].indexOf("alpha"));
  equal(reader.dictionary.find("gamma"), -1);
});

Deno.test("overlapping chunks store their common text once, and each returns its whole text", async () => {
  const text = "一二三四五六七八九十 one two three 🎉🎊 four five six";
  const spans = [[0, 10], [7, 20], [15, 29], [29, 40], [42, text.length]] as const;
  const chunks = spans.map(([start, end]) => chunk(text.slice(start, end), { start }));
  using reader = await buildIndex([{ path: "a.txt", chunks }, { path: "b.txt", chunks }]);
  deepEqual(
    Array.from({ length: 10 }, (_, i) => reader.text(i)),
    [...chunks, ...chunks].map(({ text }) => text),
  );
  const once = new TextEncoder().encode(text.slice(0, 40) + text.slice(42)).length;
  equal(reader.textBytes, 2 * once);
});

Deno.test("a chunk is found by the words of its context, which are not in its text", async () => {
  using reader = await buildIndex([
    { path: "a.txt", chunks: [chunk("body words", { context: "Kubernetes\n手册" })] },
  ]);
  const hits = await search([reader], tokenizer.queryTerms("kubernetes 手册"), 10);
  deepEqual(hits.map(({ chunk, coverage }) => [chunk, coverage]), [[0, 1]]);
  equal(reader.text(0), "body words");
  equal(reader.totalTokens, 2 + 1 + 3);
});

Deno.test("the same input gives the same bytes, also where every file is kept", async () => {
  const files = Array.from(
    { length: 20 },
    (_, i) => file(`${10 + i}.txt`, [`word${i} common 中文`, "again"]),
  );
  const bytes = await indexBytes(files);
  deepEqual(await indexBytes(files.toReversed()), bytes);
  deepEqual(await indexBytes(files, opened(bytes), new Set(files.map(({ path }) => path))), bytes);
});

/** Returns the visible contents of an index. */
async function contentOf(reader: IndexReader, queries: readonly string[]): Promise<unknown> {
  return {
    files: reader.files,
    chunks: Array.from({ length: reader.chunks.length }, (_, i) => [reader.chunk(i), reader.text(i)]),
    terms: [...reader.dictionary.terms()].sort(),
    textBytes: reader.textBytes,
    hits: await Promise.all(
      queries.map(async (query) =>
        (await search([reader], tokenizer.queryTerms(query), 10))
          .map(({ chunk, score, coverage }) => [chunk, score, coverage])
      ),
    ),
  };
}

const word = fc.constantFrom("cat", "dog", "Running", "数据", "检索", "userName", "v1.2", "🎉🎊", "𠮷野");
const words = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(" "));
/** The texts of a file's chunks. A few files are long enough for dense lists. */
const content = fc.oneof(
  { weight: 5, arbitrary: fc.array(words, { minLength: 1, maxLength: 4 }) },
  { weight: 1, arbitrary: words.map((text) => Array<string>(140).fill(text)) },
);
const edit = fc.oneof(
  fc.record({ kind: fc.constant("put" as const), name: fc.integer({ min: 0, max: 6 }), content }),
  fc.record({ kind: fc.constant("remove" as const), name: fc.integer({ min: 0, max: 6 }) }),
  fc.record({
    kind: fc.constant("rename" as const),
    name: fc.integer({ min: 0, max: 6 }),
    to: fc.integer({ min: 0, max: 6 }),
  }),
);
const runs = fc.array(fc.array(edit, { maxLength: 5 }), { minLength: 1, maxLength: 4 });

Deno.test("after any sequence of edits an updated index equals a new one", async () => {
  await fc.assert(
    fc.asyncProperty(runs, fc.array(words, { minLength: 1, maxLength: 3 }), async (runs, queries) => {
      const folder = new Map<string, readonly string[]>();
      let previous: IndexReader | undefined;
      for (const edits of runs) {
        const touched = new Set<string>();
        for (const edit of edits) {
          const name = `${edit.name}.txt`;
          const old = folder.get(name);
          if (edit.kind === "put") folder.set(name, edit.content);
          else folder.delete(name);
          touched.add(name);
          if (edit.kind === "rename" && old !== undefined) {
            folder.set(`${edit.to}.txt`, old);
            touched.add(`${edit.to}.txt`);
          }
        }
        const files = [...folder].map(([path, texts]) => file(path, texts));
        const kept = [...folder.keys()].filter((name) => previous !== undefined && !touched.has(name));
        previous = opened(await indexBytes(files, previous, new Set(kept)));
        previous.verify();
        deepEqual(await contentOf(previous, queries), await contentOf(await buildIndex(files), queries));
      }
    }),
    { numRuns: 40 },
  );
});
