import assert from "node:assert/strict";
import { chunkDocument, type ChunkOptions } from "#engine/chunk/mod.ts";
import { type Document, loaderOf } from "#documents/mod.ts";
import { loadDocument } from "#documents/read_document.ts";

/** Returns title and metadata of a file with this front matter. */
function about(block: string, fence = "---") {
  const { title, metadata, sections, text } = loadDocument(
    "a.md",
    `${fence}\n${block}\n${fence}\n\n# Heading\n`,
  );
  assert.deepEqual(sections.map((section) => text.slice(section.start, section.headingEnd)), ["# Heading"]);
  return { title, ...metadata };
}

/** Returns the chunks of a document as `first-last` line and text. */
function chunksOf(document: Document, options: Partial<ChunkOptions> = {}): string[] {
  return chunkDocument(document, { maxChars: 300, overlap: 0, chunksPerFile: "auto", ...options }).map(
    ({ start, end, startLine, endLine }) => `${startLine}-${endLine} ${document.text.slice(start, end)}`,
  );
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

Deno.test("YAML front matter gives title, author, date, language and tags", () => {
  const block = `title: "密钥: 轮换" # shown
author: 王小明
date: 2024-05-01 12:30:00 +0800
lang: zh_CN
tags: [安全, "key rotation", ops]
draft: true`;
  assert.deepEqual(about(block), {
    title: "密钥: 轮换",
    authors: ["王小明"],
    created: "2024-05-01T12:30:00+08:00",
    language: "zh-CN",
    tags: ["安全", "key rotation", "ops"],
    extra: { draft: true },
  });
});

Deno.test("lists, people and long texts may stand below their key", () => {
  const block = `title: >
  One title
  on two lines
authors:
  - name: Ann
    email: ann@example.org
  - Bob
keywords:
- a
- b
other:
  title: no
`;
  assert.deepEqual(about(block), {
    title: "One title on two lines",
    authors: ["Ann", "Bob"],
    tags: ["a", "b"],
    extra: { "other.title": "no" },
  });
});

Deno.test("TOML front matter gives the same fields", () => {
  const block = `title = 'Keys'
date = 2024-05-01T12:30:00Z
authors = ["Ann", "Bob"]
language = "en"
[extra]
author = "no"`;
  assert.deepEqual(about(block, "+++"), {
    title: "Keys",
    authors: ["Ann", "Bob"],
    created: "2024-05-01T12:30:00Z",
    language: "en",
    extra: { "extra.author": "no" },
  });
  assert.deepEqual(about(`author = { name = "Ann" }`, "+++"), { title: "Heading", authors: ["Ann"] });
});

Deno.test("dates and languages are normalised, or stay text", () => {
  const dates: [string, string | undefined][] = [
    ["2024", "2024"],
    ["2024/5/1", "2024-05-01"],
    ["2024年5月1日", "2024-05-01"],
    ["2024-05", "2024-05"],
    ["May 1st, 2024", "2024-05-01"],
    ["1 September 2024", "2024-09-01"],
    ["Sept 2024", "2024-09"],
    ["2024-13-01", undefined],
    ["soon", undefined],
  ];
  for (const [written, date] of dates) {
    assert.deepEqual(
      about(`date: ${written}`),
      { title: "Heading", ...(date === undefined ? { extra: { date: written } } : { created: date }) },
      written,
    );
  }
  for (
    const [written, language] of [["EN-us", "en-US"], ["zh_CN.UTF-8", "zh-CN"], ["Chinese", undefined], [
      "?",
      undefined,
    ]]
  ) {
    assert.deepEqual(about(`lang: "${written}"`), {
      title: "Heading",
      ...(language === undefined ? { extra: { lang: written } } : { language }),
    });
  }
});

Deno.test("an empty block, and text that is not front matter, give nothing", () => {
  assert.deepEqual(about("nothing here"), { title: "Heading" });
  const rule = loadDocument("a.md", "---\n\nauthor: Ann\n");
  assert.equal(rule.metadata, undefined);
  assert.deepEqual(about("title:\ntags: []\nauthor: ''"), { title: "Heading" });
});

const FIELDS = { metadata: { created: "2024-05-01", tags: ["ops"], description: "How" } };
const YAML = "---\ntitle: 'Ann''s keys'\ndescription: How\ndate: 2024-05-01\ntags: [ops]\n---\n";
const TOML =
  '+++\ntitle = "Ann\'s keys"\nnote = """\nOn two\nlines"""\ndescription = "How"\ndate = 2024-05-01\ntags = ["ops"]\n+++\n';
const JSON_BLOCK =
  '{\n  "title": "Ann\'s keys",\n  "description": "How",\n  "date": "2024-05-01",\n  "tags": ["ops"]\n}\n';

Deno.test("front matter is in no chunk, gives the title, and the lines are those of the file", () => {
  const cases = ([["md", YAML], ["md", TOML], ["md", JSON_BLOCK], ["txt", YAML], ["adoc", YAML]] as const)
    .flatMap(([extension, block]) => [[extension, block], [extension, block.replaceAll("\n", "\r\n")]]);
  for (const [extension, block] of cases) {
    const text = `${block}\nKeys rotate.\n`;
    const document = loadDocument(`a.${extension}`, text);
    const line = text.slice(0, text.indexOf("Keys")).split("\n").length;
    const note = block!.includes("note") ? { extra: { note: "On two lines" } } : {};
    assert.deepEqual(
      [document.title, document.metadata, document.text, chunksOf(document)],
      ["Ann's keys", { ...FIELDS.metadata, ...note }, text, [`${line}-${line} Keys rotate.`]],
      `${extension} ${block}`,
    );
  }
});

Deno.test("every strategy leaves front matter out, and sections stay at their offsets", () => {
  const document = loadDocument("a.md", `${YAML}# Keys\n\nRotate them.\n\n# Locks\n\nOil them.\n`);
  const whole = "7-13 # Keys\n\nRotate them.\n\n# Locks\n\nOil them.";
  const parts = ["7-9 # Keys\n\nRotate them.", "11-13 # Locks\n\nOil them."];
  assert.deepEqual(document.sections.map(({ start, end }) => document.text.slice(start, end)), [
    "# Keys\n\nRotate them.\n\n",
    "# Locks\n\nOil them.\n",
  ]);
  assert.deepEqual(chunksOf(document), [whole]);
  assert.deepEqual(chunksOf(document, { strategy: "recursive" }), [whole]);
  assert.deepEqual(chunksOf(document, { strategy: "fixed" }), [whole]);
  assert.deepEqual(chunksOf(document, { strategy: "semantic", similarity: () => [0, 0, 0] }), [whole]);
  assert.deepEqual(chunksOf(document, { strategy: "structure" }), parts);
  assert.deepEqual(chunksOf(document, { chunksPerFile: 2 }), parts);
  const sections = chunkDocument(document, {
    maxChars: 300,
    overlap: 0,
    chunksPerFile: "auto",
    strategy: "structure",
  });
  assert.deepEqual(sections.map(({ section }) => section), [["Keys"], ["Locks"]]);
});

Deno.test("text between two rules, and front matter without other text, stay text", () => {
  for (
    const text of [
      "---\nKeys rotate every 90 days.\n---\n\nText.\n",
      "---\n- a list\n- of items\n---\n\nText.\n",
      "---\n# Title\n---\n\nText.\n",
      "+++\nname: x\n+++\n\nText.\n",
      "{ not JSON\n}\n\nText.\n",
      "---\ntitle: Keys\n---\n",
    ]
  ) {
    assert.equal(chunksOf(loadDocument("a.md", text)).join("\n").slice(4), text.trim(), text);
  }
});

Deno.test("pages of site generators and notebooks have front matter too", async () => {
  const page = await (await loaderOf("html"))!.load(bytesOf(`${YAML}<h2>Use</h2>\n<p>Keys rotate.</p>\n`), {
    path: "a.html",
  });
  assert.deepEqual([page.title, page.metadata, page.text], [
    "Ann's keys",
    FIELDS.metadata,
    "## Use\n\nKeys rotate.\n",
  ]);
  const cells = [
    { cell_type: "raw", source: YAML },
    { cell_type: "markdown", source: ["Keys rotate."] },
  ];
  const notebook = await (await loaderOf("notebook"))!.load(
    bytesOf(JSON.stringify({ cells, metadata: {}, nbformat: 4 })),
    { path: "a.ipynb" },
  );
  assert.deepEqual([notebook.title, notebook.metadata, notebook.text], [
    "Ann's keys",
    FIELDS.metadata,
    "Keys rotate.\n",
  ]);
});
