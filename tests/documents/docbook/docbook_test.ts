import assert from "node:assert/strict";
import { isDocBook } from "#documents/root_tag.ts";
import { loader } from "#documents/formats/docbook.ts";
import { DocumentError } from "#documents/mod.ts";

const load = (xml: string) => loader.load(new TextEncoder().encode(xml), { path: "a.xml" });

const BOOK = `<?xml version="1.0"?>
<!DOCTYPE book PUBLIC "-//OASIS//DTD DocBook XML V4.5//EN" "x.dtd">
<book lang="zh-CN"><bookinfo><title>手册</title><author><firstname>Li</firstname><surname>Lei</surname></author><pubdate>2024-05-01</pubdate></bookinfo>
<chapter><title>First &amp; last</title><para>Run <command>apt</command> with <option>-y</option><footnote><para>Really.</para></footnote>, see <ulink url="https://x.example/">site</ulink>.</para>
<note><para>Mind it.</para></note><section><title>Inner</title><programlisting language="sh">a
  b</programlisting><variablelist><varlistentry><term>t1</term><term>t2</term><listitem><para>Def</para></listitem></varlistentry></variablelist>
<table><title>T</title><tgroup cols="3"><colspec colname="c1"/><colspec colname="c2"/><colspec colname="c3"/><thead><row><entry namest="c1" nameend="c2">A</entry><entry>B</entry></row></thead>
<tbody><row><entry morerows="1">1</entry><entry>2</entry><entry>3</entry></row><row><entry>4</entry><entry>5</entry></row></tbody></tgroup></table>
<procedure><step><para>one</para></step></procedure></section></chapter></book>`;

Deno.test("a book keeps its chapters, code, lists and tables", async () => {
  const document = await load(BOOK);
  assert.equal(
    document.text,
    `# 手册

## First & last

Run \`apt\` with \`-y\` (Really.), see [site](https://x.example/).

**Note**

Mind it.

### Inner

\`\`\`sh
a
  b
\`\`\`

- **t1, t2**
  Def

**T**

| A | A | B |
| --- | --- | --- |
| 1 | 2 | 3 |
| 1 | 4 | 5 |

1. one
`,
  );
  assert.equal(document.title, "手册");
  assert.deepEqual(document.metadata, { authors: ["Li Lei"], published: "2024-05-01", language: "zh-CN" });
});

Deno.test("a manual page in DocBook 5 with a namespace prefix keeps its name and synopsis", async () => {
  const document = await load(
    `<d:refentry xmlns:d="http://docbook.org/ns/docbook"><d:refmeta><d:refentrytitle>ls</d:refentrytitle><d:manvolnum>1</d:manvolnum></d:refmeta>
    <d:refnamediv><d:refname>ls</d:refname><d:refpurpose>list files</d:refpurpose></d:refnamediv>
    <d:refsynopsisdiv><d:cmdsynopsis><d:command>ls</d:command><d:arg>-l</d:arg><d:arg choice="plain" rep="repeat">file</d:arg></d:cmdsynopsis></d:refsynopsisdiv>
    <d:refsect1><d:title>Options</d:title><d:para>See <d:citerefentry><d:refentrytitle>dir</d:refentrytitle><d:manvolnum>1</d:manvolnum></d:citerefentry>.</d:para></d:refsect1></d:refentry>`,
  );
  assert.equal(
    document.text,
    "# ls(1)\n\nls — list files\n\n## Synopsis\n\n```\nls [-l] file…\n```\n\n## Options\n\nSee `dir`(1).\n",
  );
});

Deno.test("isDocBook() recognises DocBook by its document type or namespace", () => {
  assert.equal(isDocBook(BOOK), true);
  assert.equal(isDocBook(`<article xmlns="http://docbook.org/ns/docbook">`), true);
  assert.equal(isDocBook(`<article article-type="research">`), false);
  assert.equal(isDocBook("not <b>xml</b>"), false);
});

Deno.test("an empty file is damaged", async () => {
  await assert.rejects(load(" "), (error) => error instanceof DocumentError && error.problem === "damaged");
});
