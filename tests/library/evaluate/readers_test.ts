import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { UsageError } from "#foundation/errors.ts";
import { readBeir, readQuestions } from "#library/evaluate/mod.ts";
import type { MessageKey } from "#foundation/messages/mod.ts";
import { folderWith, jsonl, TINY } from "./_files.ts";

/** Asserts that reading throws a `UsageError` with this key and line. */
async function refuses(work: Promise<unknown>, key: MessageKey, line?: number): Promise<void> {
  await rejects(work, (error) => {
    equal((error as Error).name, "UserError");
    const { key: found, params } = error as UsageError;
    deepEqual([error instanceof UsageError, found, params["line"]], [true, key, line]);
    return true;
  });
}

Deno.test("readBeir() reads the documents and the queries with judgements", async () => {
  await using folder = await folderWith(TINY);
  const { name, unit, documents, queries } = await readBeir(folder.path);
  deepEqual([name, unit], [folder.path.split(/[\\/]/).at(-1), "file"]);
  deepEqual(documents[0], {
    id: "soup",
    title: "Tomato soup",
    text: "Cook the tomatoes with onions and basil.",
  });
  deepEqual(queries, [
    { id: "q1", text: "tomato soup with basil", targets: [{ document: "soup", gain: 2 }] },
    { id: "q2", text: "夜里谁为船只指路？", targets: [{ document: "灯塔", gain: 1 }] },
    { id: "q3", text: "zeppelin", targets: [{ document: "backup", gain: 1 }] },
  ]);
});

Deno.test("readBeir() accepts qrels/test.tsv, a missing header, CRLF, a BOM, numeric ids, and U+2028 in a text", async () => {
  await using folder = await folderWith({
    "corpus.jsonl": `\ufeff{"_id": 1, "text": "one\u2028two"}\r\n\r\n`,
    "queries.jsonl": '{"_id": 7, "text": "what?"}',
    "qrels/test.tsv": "7\t1\t1\r\n",
  });
  const { documents, queries } = await readBeir(folder.path);
  deepEqual(documents, [{ id: "1", title: "", text: "one\u2028two" }]);
  deepEqual(queries, [{ id: "7", text: "what?", targets: [{ document: "1", gain: 1 }] }]);
});

Deno.test("readBeir() reports file and line of invalid data", async () => {
  const cases: [Partial<typeof TINY>, MessageKey, number | undefined][] = [
    [{ "corpus.jsonl": `${TINY["corpus.jsonl"]}{"_id": "x", "text": "cut` }, "eval_not_json", 4],
    [{ "corpus.jsonl": "[]\n" }, "eval_bad_line", 1],
    [{ "queries.jsonl": '\n{"_id": "q1"}\n' }, "eval_bad_line", 2],
    [{ "queries.jsonl": jsonl({ _id: "q1", text: "a" }, { _id: "q1", text: "b" }) }, "eval_twice", 2],
    [{ "qrels.tsv": "q1\tsoup\t1\nq1 soup 1\n" }, "eval_bad_line", 2],
    [{ "qrels.tsv": "query-id\tcorpus-id\tscore\nq1\tsoup\tyes\n" }, "eval_bad_line", 2],
    [{ "qrels.tsv": "q1\tsoup\t1\nq1\tsoup\t1\n" }, "eval_twice", 2],
    [{ "qrels.tsv": "other\tsoup\t1\n" }, "eval_no_queries", undefined],
  ];
  for (const [files, key, line] of cases) {
    await using folder = await folderWith({ ...TINY, ...files } as Record<string, string>);
    await refuses(readBeir(folder.path), key, line);
  }
  await using empty = await folderWith({ "corpus.jsonl": "" });
  await refuses(readBeir(empty.path), "eval_not_beir");
});

Deno.test("readBeir() throws for text that is not UTF-8", async () => {
  await using folder = await folderWith(TINY);
  await Deno.writeFile(join(folder.path, "corpus.jsonl"), Uint8Array.of(0x7b, 0xff, 0x7d));
  await refuses(readBeir(folder.path), "eval_unreadable");
});

Deno.test("readQuestions() reads files with or without gains, relative to the folder", async () => {
  await using folder = await folderWith({
    "q.jsonl": jsonl(
      { query: "one", files: ["a.md", "./b/../c.md"] },
      { query: "two", files: { "a.md": 2, "b.md": 0 }, id: "second", note: "kept by the user" },
    ),
  });
  deepEqual((await readQuestions(join(folder.path, "q.jsonl"), folder.path)).search, {
    name: "q.jsonl",
    unit: "file",
    queries: [
      { id: "1", text: "one", targets: [{ document: "a.md", gain: 1 }, { document: "c.md", gain: 1 }] },
      { id: "second", text: "two", targets: [{ document: "a.md", gain: 2 }, { document: "b.md", gain: 0 }] },
    ],
  });
});

Deno.test("readQuestions() reads spans of lines, pages, a section, or a whole file", async () => {
  await using folder = await folderWith({});
  const spans = [
    { file: join(folder.path, "笔记", "a.md"), start_line: 3, end_line: 9 },
    { file: "b.md", start_line: 4, gain: 2 },
    { file: "c.md" },
    { file: "d.pdf", page: 3, end_page: 4 },
    { file: "e.html", page: 1, section: "Backup" },
  ];
  await Deno.writeTextFile(join(folder.path, "s.jsonl"), jsonl({ query: "one", spans }));
  const { unit, queries } = (await readQuestions(join(folder.path, "s.jsonl"), folder.path)).search!;
  deepEqual([unit, queries], ["passage", [{
    id: "1",
    text: "one",
    targets: [
      { document: "笔记/a.md", gain: 1, lines: { first: 3, last: 9 } },
      { document: "b.md", gain: 2, lines: { first: 4, last: 4 } },
      { document: "c.md", gain: 1 },
      { document: "d.pdf", gain: 1, pages: { first: 3, last: 4 } },
      { document: "e.html", gain: 1, pages: { first: 1, last: 1 }, section: "Backup" },
    ],
  }]]);
});

Deno.test("readQuestions() reads the questions about manuals, with pages and sections", async () => {
  const path = new URL("../../../examples/documents_questions.jsonl", import.meta.url);
  const { unit, queries } = (await readQuestions(fileURLToPath(path), "/manuals")).search!;
  const targets = queries.flatMap(({ targets }) => targets);
  deepEqual([unit, queries.length], ["passage", 40]);
  ok(
    targets.some(({ pages }) => pages !== undefined) && targets.some(({ section }) => section !== undefined),
  );
});

Deno.test("readQuestions() reports the line of invalid data", async () => {
  const good = jsonl({ query: "q", files: ["a.md"] });
  const spans = (span: unknown) => jsonl({ query: "q", spans: [span] });
  const cases: [string, MessageKey, number | undefined][] = [
    [`${good}\n{"query": "x", `, "eval_not_json", 3],
    [good + jsonl({ query: "q", file: ["a.md"] }), "eval_bad_line", 2],
    [jsonl({ query: " ", files: ["a.md"] }), "eval_bad_line", 1],
    [jsonl({ query: "q", files: [] }), "eval_bad_line", 1],
    [jsonl({ query: "q", files: { "a.md": "1" } }), "eval_bad_line", 1],
    [jsonl({ query: "q", files: ["a.md"], spans: [{ file: "a.md" }] }), "eval_bad_line", 1],
    [spans({ file: "a.md", start_line: 9, end_line: 3 }), "eval_bad_line", 1],
    [spans({ file: "a.md", start_line: 0, end_line: 3 }), "eval_bad_line", 1],
    [spans({ file: "a.md", end_line: 3 }), "eval_bad_line", 1],
    [spans({ file: "a.md", end_page: 3 }), "eval_bad_line", 1],
    [spans({ file: "a.md", section: "" }), "eval_bad_line", 1],
    [good + spans({ file: "a.md" }), "eval_mixed", 2],
    ["\n", "eval_no_queries", undefined],
  ];
  for (const [text, key, line] of cases) {
    await using folder = await folderWith({ "q.jsonl": text });
    await refuses(readQuestions(join(folder.path, "q.jsonl"), folder.path), key, line);
  }
});

Deno.test("readQuestions() reads answers with their passages, and leaves out questions that nobody accepted", async () => {
  await using folder = await folderWith({
    "q.jsonl": jsonl(
      { question: "how long", answer: "1,149 m", passages: ["It is 1,149 m long."], reference: "1,149 m" },
      { query: "how wide", answer: "8 lanes", chunk_ids: ["c1"], id: "wide" },
      { question: "how high", reference: "98 m", files: ["bridge.md"], accepted: true },
      { question: "how old", reference: "3", spans: [{ file: "b.md" }], accepted: false, passages: ["a"] },
    ),
    "none.jsonl": jsonl({ question: "how old", files: ["b.md"], accepted: false }),
  });
  deepEqual(await readQuestions(join(folder.path, "q.jsonl"), folder.path), {
    name: "q.jsonl",
    search: {
      name: "q.jsonl",
      unit: "file",
      queries: [{ id: "3", text: "how high", targets: [{ document: "bridge.md", gain: 1 }] }],
    },
    answers: {
      name: "q.jsonl",
      questions: [
        {
          id: "1",
          question: "how long",
          answer: "1,149 m",
          reference: "1,149 m",
          passages: ["It is 1,149 m long."],
        },
        { id: "wide", question: "how wide", answer: "8 lanes", chunkIds: ["c1"] },
        { id: "3", question: "how high", reference: "98 m" },
      ],
    },
    unaccepted: 1,
  });
  await refuses(readQuestions(join(folder.path, "none.jsonl"), folder.path), "eval_none_accepted");
});

Deno.test("readQuestions() reports the line of an answer that is not valid", async () => {
  const wrong: Record<string, unknown>[] = [
    { question: "q" },
    { question: "q", passages: ["a"] },
    { answer: "a" },
    { question: "q", answer: " " },
    { question: "q", answer: 1 },
    { question: "q", answer: "a", passages: "b" },
    { question: "q", answer: "a", passages: ["b"], chunk_ids: ["c"] },
    { question: "q", query: "r", answer: "a" },
    { question: "q", answer: "a", accepted: "yes" },
  ];
  for (const line of wrong) {
    await using folder = await folderWith({ "q.jsonl": jsonl({ question: "q", answer: "a" }, line) });
    await refuses(readQuestions(join(folder.path, "q.jsonl")), "eval_bad_line", 2);
  }
});
