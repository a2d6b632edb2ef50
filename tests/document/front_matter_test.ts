import assert from "node:assert/strict";
import { loadDocument } from "../../lib/document/mod.ts";

/** Returns title and metadata of a file with this front matter. */
function about(block: string, fence = "---") {
  const { title, metadata, sections, text } = loadDocument(
    "a.md",
    `${fence}\n${block}\n${fence}\n\n# Heading\n`,
  );
  assert.deepEqual(sections.map((section) => text.slice(section.start, section.headingEnd)), ["# Heading"]);
  return { title, ...metadata };
}

Deno.test("YAML front matter gives title, author, date, language and tags", () => {
  const block = `title: "密钥: 轮换" # shown
author: 王小明
date: 2024-05-01 12:30:00 +0800
lang: zh_CN
tags: [安全, "key rotation", ops]
draft: true`;
  assert.deepEqual(about(block), {
    title: "密钥: 轮换",
    author: "王小明",
    date: "2024-05-01T12:30:00+08:00",
    language: "zh-CN",
    tags: ["安全", "key rotation", "ops"],
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
  assert.deepEqual(about(block), { title: "One title on two lines", author: "Ann, Bob", tags: ["a", "b"] });
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
    author: "Ann, Bob",
    date: "2024-05-01T12:30:00Z",
    language: "en",
  });
  assert.deepEqual(about(`author = { name = "Ann" }`, "+++"), { title: "Heading", author: "Ann" });
});

Deno.test("dates and languages are normalised, or left out", () => {
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
      { title: "Heading", ...(date === undefined ? {} : { date }) },
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
      ...(language === undefined ? {} : { language }),
    });
  }
});

Deno.test("an empty block, and text that is not front matter, give nothing", () => {
  assert.deepEqual(about("nothing here"), { title: "Heading" });
  const rule = loadDocument("a.md", "---\n\nauthor: Ann\n");
  assert.equal(rule.metadata, undefined);
  assert.deepEqual(about("title:\ntags: []\nauthor: ''"), { title: "Heading" });
});
