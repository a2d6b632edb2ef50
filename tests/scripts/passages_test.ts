import { deepEqual } from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { collectionsOf } from "../../research/passages/collections.ts";
import { DEBIAN } from "../../research/passages/docbook.ts";
import { LIBREOFFICE } from "../../research/passages/libreoffice.ts";
import { MAN_PAGES } from "../../research/passages/man_pages.ts";
import type { Language, Passage, Source } from "../../research/passages/types.ts";
import { TempDir } from "../foundation/boundary/helpers.ts";

async function passagesOf(source: Source, path: string, content: string): Promise<Passage[]> {
  using temp = new TempDir();
  temp.write(path, path.endsWith(".gz") ? gzipSync(content) : content);
  return await source.passages(temp.path);
}

Deno.test("the NAME line of a manual page asks for the text after the synopsis", async () => {
  const page = String.raw`.\" A comment
.TH LS 1
.SH 名称
ls \- 列出目录内容
.SH 概述
\fBls\fP [\fI选项\fP]
.SH 描述
.PP
列出文件的信息。
参见
.BR sort (1)。
.TP
\fB\-a\fP
不忽略隐藏文件
`;
  deepEqual(await passagesOf(MAN_PAGES, "usr/share/man/zh_CN/man1/ls.1.gz", page), [{
    id: "man1/ls.1",
    language: "zh",
    question: "列出目录内容",
    text: "列出文件的信息。 参见 sort(1)。\n-a 不忽略隐藏文件",
  }]);
});

Deno.test("the first paragraph of a help page asks for the rest, without its heading and menus", async () => {
  const page = `<div id="DisplayArea"><h1>Filters</h1>
    <div class="howtoget"><p class="paragraph">Choose Tools.</p></div>
    <p class="paragraph">Edit <b>filters</b>.</p><h2>Name</h2><p class="paragraph">Enter a
    name.</p></div><p class="paragraph">Footer</p>`;
  deepEqual(
    await passagesOf(LIBREOFFICE, "usr/share/libreoffice/help/en-US/text/shared/a.html", page),
    [{ id: "shared/a.html", language: "en", question: "Edit filters.", text: "Name\nEnter a name." }],
  );
});

Deno.test("the heading of a section asks for its text, without the sections in it", async () => {
  const section = (id: string, title: string, text: string) =>
    `<div class="section"><div class="titlepage"><h2 class="title"><a id="${id}"/>${title}</h2></div>${text}</div>`;
  const page = section("tools", "2. Tools", `<p>Many.</p>${section("apt", "2.1. About apt", "<p>One.</p>")}`);
  deepEqual(await passagesOf(DEBIAN, "usr/share/debian-reference/ch02.en.html", page), [
    { id: "reference/ch02/tools", language: "en", question: "Tools", text: "Many." },
    { id: "reference/ch02/apt", language: "en", question: "About apt", text: "One." },
  ]);
});

Deno.test("a passage and its translation are in the same half, and short or ambiguous passages are left out", () => {
  const passage = (id: string, language: Language, question: string, text: string): Passage => (
    { id, language, question, text }
  );
  const passages = Array.from({ length: 400 }, (_, i) => [
    passage(`${i}`, "en", `How to use tool ${i}`, `Tool ${i}. ${"It is easy to use. ".repeat(12)}`),
    passage(`${i}`, "zh", `如何使用工具 ${i}`, `工具 ${i}。${"它很容易使用。".repeat(12)}`),
  ]).flat();
  const rejected = [
    passage("short", "en", "How to use a hammer", "Hit."),
    passage("same", "en", "How to use tool 1", "x ".repeat(200)),
    passage("untranslated", "zh", "How to use a saw", "Saw ".repeat(100)),
  ];
  const collections = [...collectionsOf([...passages, ...rejected])];
  const halves = new Map(collections.map(([half, pair, { documents }]) => [
    `${half} ${pair}`,
    documents.map(({ id }) => id),
  ]));
  const [dev, held] = [halves.get("dev en2zh")!, halves.get("held en2zh")!];
  deepEqual(
    [...halves.keys()],
    ["dev", "held"].flatMap((half) => ["en", "zh", "en2zh", "zh2en"].map((pair) => `${half} ${pair}`)),
  );
  // "same" asks with the words of passage 1, which is left out too.
  deepEqual(
    [...dev, ...held].sort(),
    Array.from({ length: 400 }, (_, i) => `${i}`).filter((id) => id !== "1").sort(),
  );
  deepEqual(halves.get("dev zh2en"), dev);
});
