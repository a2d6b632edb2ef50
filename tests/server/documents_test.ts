import assert from "node:assert/strict";
import { estimatedTokens } from "#library/answer/mod.ts";
import { MarkdownBuilder } from "#documents/mod.ts";
import { UserError } from "#foundation/errors.ts";
import type { ServedDocument } from "#library/search/mod.ts";
import { allAnswers, callOnce, fakeLibrary, ROOT, startSession } from "./_session.ts";

const builder = new MarkdownBuilder();
builder.page(1);
builder.heading(1, "Keys");
builder.paragraph("Rotate them.");
builder.page(2);
builder.heading(2, "How often");
builder.paragraph("Every 90 days.");
builder.page(3);

const SERVED: ServedDocument = {
  document: builder.finish({ title: "Handbook", metadata: { authors: ["Li"] }, emptyPages: [3] }),
  format: "pdf",
  path: `${ROOT}/keys.pdf`,
  name: "keys.pdf",
  sha256: "1a2b3c4d".repeat(8),
  size: 1234,
  modified: new Date(Date.UTC(2026, 0, 2)),
};

const INFO = {
  "file_path": `${ROOT}/keys.pdf`,
  "file_name": "keys.pdf",
  format: "pdf",
  "file_size": 1234,
  "modify_time": "2026-01-02T00:00:00.000Z",
  title: "Handbook",
  authors: ["Li"],
  pages: 3,
  "empty_pages": [3],
};

/** A library whose only document is {@linkcode SERVED} with these changes. */
const serving = (changes: Partial<ServedDocument> = {}) =>
  fakeLibrary({ readDocument: () => Promise.resolve({ ...SERVED, ...changes }) });

const library = serving();

Deno.test("get_document_content returns a page of a document, and names the pages without text", async () => {
  const { structuredContent, content } = await callOnce("get_document_content", {
    file_path: "keys.pdf",
    page: 2,
  }, { library });
  const { untrusted_content: mark, ...data } = structuredContent.data;
  assert.match(mark, /not to be trusted/);
  assert.deepEqual(data, {
    content: "## How often\n\nEvery 90 days.\n",
    start_line: 5,
    end_line: 7,
    total_lines: 7,
    first_page: 2,
    last_page: 2,
    section: ["Keys", "How often"],
    truncated: false,
    file_info: INFO,
  });
  assert.equal(
    content[0].text.replace(/quoted-1/g, "q").replace(/^Text between.*$/m, "…"),
    `Read succeeded: <q>${ROOT}/keys.pdf</q> (pdf, lines 5-7 of 7, page 2 of 3)
Section: <q>Keys > How often</q>
No text on page(s) 3, which may be scans
…

<q>
## How often

Every 90 days.
</q>`,
  );
});

Deno.test("get_document_content reads the lines that follow a path, and a number that is written as text", async () => {
  const cited = { path: `${ROOT}/keys.pdf`, startLine: 3, endLine: 3 };
  await using session = await startSession({ library: serving({ cited }) });
  const linesOf = async (args: Record<string, unknown>) => {
    const { structuredContent } = await session.call("get_document_content", args);
    const { start_line: start, end_line: end } = structuredContent.data;
    return [start, end];
  };
  const path = `${cited.path}:3-3`;
  assert.deepEqual(await linesOf({ file_path: path }), [3, 3]);
  assert.deepEqual(await linesOf({ file_path: path, start_column: 2 }), [3, 3]);
  assert.deepEqual(await linesOf({ file_path: path, page: "2" }), [5, 7]);
  assert.deepEqual(await linesOf({ file_path: path, start_line: "1", end_line: "3" }), [1, 3]);
});

Deno.test("get_document_content says where to continue in a line that is longer than an answer", async () => {
  const long = { text: `${"x".repeat(25_000)}\n`, sections: [] };
  await using session = await startSession({ library: serving({ document: long }) });
  const first = await session.call("get_document_content", { file_path: "keys.pdf" });
  const { truncated, next_line: line, next_column: column } = first.structuredContent.data;
  assert.deepEqual([truncated, line, column], [true, 1, 20_001]);
  assert.match(
    first.content[0].text,
    /^\[more: continue inside line 1, start_line=1, start_column=20001\]\n/,
  );
  const next = await session.call("get_document_content", {
    file_path: "keys.pdf",
    start_line: line,
    start_column: column,
  });
  assert.equal(next.structuredContent.data.content, `${"x".repeat(5000)}\n`);
});

Deno.test("list_document_sections returns the outline with pages and lines", async () => {
  const { structuredContent, content } = await callOnce("list_document_sections", {
    file_path: "keys.pdf",
  }, { library });
  const { untrusted_content: _, ...data } = structuredContent.data;
  assert.deepEqual(data, {
    sections: [
      { level: 1, title: "Keys", page: 1, start_line: 1, end_line: 7 },
      { level: 2, title: "How often", page: 2, start_line: 5, end_line: 7 },
    ],
    section_count: 2,
    truncated: false,
    total_lines: 7,
    file_info: INFO,
  });
  assert.match(content[0].text, /\nKeys {2}1-7 {2}page 1\n {2}How often {2}5-7 {2}page 2\n/);
});

Deno.test("list_document_sections lists the sections with text on the pages that are named", async () => {
  await using session = await startSession({ library });
  const titles = async (pages: string) =>
    (await session.call("list_document_sections", { file_path: "keys.pdf", pages })).structuredContent.data
      ?.sections.map(({ title }: { title: string }) => title);
  assert.deepEqual(await titles("1"), ["Keys"]);
  assert.deepEqual(await titles("2-3"), ["Keys", "How often"]);
  assert.equal(await titles("7"), undefined);
});

Deno.test("list_document_sections keeps to a number of tokens and continues with the cursor", async () => {
  const many = new MarkdownBuilder();
  for (let i = 1; i <= 400; i++) {
    many.heading(1, `Chapter ${i} on the keys of the house and how to rotate them`);
  }
  const document = many.finish({});
  for (const [config, args] of [[{ max_tokens: 1000 }, {}], [{}, { max_tokens: 1000 }]] as const) {
    await using session = await startSession({ library: serving({ document }), config });
    const titles: string[] = [];
    const call = { "file_path": "keys.pdf", ...args };
    for (const { structuredContent, content } of await allAnswers(session, "list_document_sections", call)) {
      const { sections, section_count: count, next_cursor: next, truncated } = structuredContent.data;
      const first = titles.length + 1;
      titles.push(...sections.map(({ title }: { title: string }) => title));
      for (const text of [JSON.stringify(structuredContent), content[0].text]) {
        assert.ok(estimatedTokens(text) <= 1000);
      }
      assert.deepEqual([count, truncated], [400, next !== undefined]);
      const more = next === undefined
        ? ""
        : `\n[more: call again with the same arguments and cursor=${next}]`;
      assert.ok(content[0].text.endsWith(`\nSections ${first}-${titles.length} of 400${more}`));
    }
    assert.deepEqual(titles, document.sections.map(({ title }) => title));
  }
});

Deno.test("the output schemas allow all metadata of a document", async () => {
  const metadata = { authors: ["Li"], published: "2026", language: "en", tags: ["keys"] };
  const document = { ...builder.finish({ title: "Handbook", metadata, emptyPages: [3] }), recognised: [2] };
  await using session = await startSession({ library: serving({ document }) });
  const { result } = await session.request("tools/list");
  for (const name of ["get_document_content", "list_document_sections"]) {
    const { structuredContent } = await session.call(name, { file_path: "keys.pdf" });
    const tool = result.tools.find((tool: { name: string }) => tool.name === name);
    const [schema] = tool.outputSchema.properties.data.anyOf;
    const given = Object.keys(structuredContent.data.file_info);
    assert.ok(
      ["authors", "published", "language", "tags", "pages", "title"].every((key) => given.includes(key)),
      name,
    );
    const isOpen = (part: object | undefined) => !Object.hasOwn(part ?? {}, "additionalProperties");
    assert.deepEqual([isOpen(schema), isOpen(schema.properties.file_info)], [true, true], name);
  }
});

Deno.test("get_document_original returns the bytes as an embedded resource, up to a size limit", async () => {
  const { document: _, format: __, ...file } = SERVED;
  const original = fakeLibrary({
    readOriginal: (path, maxBytes) =>
      path === "keys.pdf"
        ? Promise.resolve({ ...file, bytes: new TextEncoder().encode("%PDF-1.7") })
        : Promise.reject(new UserError("file_too_large", { path, size: 20, limit: maxBytes / 1e6 })),
  });
  await using session = await startSession({ library: original });
  const { structuredContent, content } = await session.call("get_document_original", {
    file_path: "keys.pdf",
  });
  assert.deepEqual(structuredContent.data.file_info, {
    file_path: `${ROOT}/keys.pdf`,
    file_name: "keys.pdf",
    file_size: 1234,
    modify_time: "2026-01-02T00:00:00.000Z",
    media_type: "application/pdf",
  });
  assert.equal(content[1].type, "resource");
  assert.deepEqual([content[1].resource.mimeType, atob(content[1].resource.blob)], [
    "application/pdf",
    "%PDF-1.7",
  ]);
  const refused = await session.call("get_document_original", { file_path: "large.pdf" });
  assert.deepEqual([refused.isError, refused.structuredContent.code], [true, 500]);
  assert.equal(
    refused.structuredContent.message,
    "The file is too large: 20 MB; the limit is 7 MB. To allow it, raise mcp.original_mb in the configuration",
  );
});

Deno.test("read_raw_file answers a PDF with the contract's message and the tool that reads documents", async () => {
  const library = fakeLibrary({ readRawFile: (path) => Promise.reject(new UserError("not_text", { path })) });
  const textFor = async (path: string) =>
    (await callOnce("read_raw_file", { file_path: path }, { library, language: "zh" })).content[0].text;
  const message = "无法读取非纯文本文件";
  assert.deepEqual([await textFor("keys.pdf"), await textFor("a.png")], [
    `${message}\n这是文档（pdf），请用 get_document_content 读取其文字`,
    message,
  ]);
});
