import { deepEqual, equal, match } from "node:assert/strict";
import { message, shellWord } from "#foundation/messages/mod.ts";
import { failuresText, statusText, summaryText } from "#program/output.ts";
import { PLAIN as plain } from "./_hits.ts";
import type { FolderStatus, IngestSummary } from "#library/ingest/types.ts";

const SUMMARY: IngestSummary = {
  root: "/notes",
  full: false,
  new: 2,
  changed: 1,
  renamed: 0,
  removed: 3,
  unchanged: 40,
  skipped: { binary_type: 5, hidden: 1, empty: 0 },
  failed: [{ path: "旧/big5.txt", reason: "不支持的文件编码格式" }],
  files: 43,
  chunks: 120,
  indexBytes: 1_234_567,
  bytesRead: 56_000,
  seconds: 0.25,
  written: true,
};

Deno.test("summaryText() counts every kind of file, in aligned columns", () => {
  equal(
    summaryText(SUMMARY, "zh", plain),
    `索引完成：/notes
  新增      2
  修改      1
  改名      0
  删除      3
  未变      40
  跳过      6 (非文本类型 5 个，隐藏 1 个)
  失败      1
  文件      43
  分片      120
  本次读取  56 kB
  索引大小  1.2 MB
  用时      0.25 s
  ✗ 旧/big5.txt: 不支持的文件编码格式
`,
  );
});

Deno.test("summaryText() explains a rebuild, and says when nothing had changed", () => {
  const text = summaryText(
    { ...SUMMARY, written: false, rebuildReason: "damaged", skipped: {}, failed: [] },
    "en",
    plain,
  );
  equal(
    text.split("\n").slice(0, 3).join("\n"),
    "The index is up to date: /notes\n  Rebuilt from scratch: damaged\n  New         2",
  );
});

Deno.test("summaryText() sums up many failed files and scans by kind, and names documents with pages without text", () => {
  const failed = Array.from({ length: 6 }, (_, at) => ({ path: `${at}.pdf`, reason: "protected" }));
  const summary: IngestSummary = {
    ...SUMMARY,
    skipped: { no_text: 2, too_large: 1, archive: 2, image: 1, hidden: 0 },
    failed,
    unread: [
      { reason: "document_encrypted", format: "pdf", count: 5, paths: ["0.pdf", "1.pdf", "2.pdf"] },
      { reason: "no_text", format: "pdf", count: 2, paths: ["scans/a.pdf", "scans/b.pdf"] },
      { reason: "document_damaged", format: "docx", count: 1, paths: ["c.docx"] },
      { reason: "too_large", count: 1, paths: ["dump.sql"] },
    ],
    emptyPages: [
      { path: "book.pdf", pages: 9, emptyPages: [3, 4, 5, 6, 7] },
      { path: "cover.pdf", pages: 2, emptyPages: [1] },
      { path: "odd.pdf", pages: 99, emptyPages: Array.from({ length: 49 }, (_, at) => 2 * at + 1) },
    ],
  };
  const [, ...lines] = summaryText(summary, "en", plain).split("\n");
  deepEqual(lines.filter((line) => !/^ {2}[A-RT-Z][a-z]+ /.test(line) || line.includes("All")), [
    "  Skipped     6 (2 PDFs without text (scanned), 2 archives, 1 file over the size limit, 1 image)",
    "  ! 5 PDFs protected by a password: 0.pdf, 1.pdf, 2.pdf …",
    "  ! 2 PDFs without text (scanned): scans/a.pdf, scans/b.pdf",
    "  ! 1 Word document damaged or incomplete: c.docx",
    "  ! 1 file over the size limit: dump.sql",
    "  ! book.pdf: no text on pages 3–7",
    "  ! cover.pdf: no text on page 1",
    "  ! odd.pdf: no text on 49 of 99 pages",
    "  All files with their reasons: muxue_rag status --files --dir /notes",
    "",
  ]);
  deepEqual(summaryText({ ...summary, root: "/my notes" }, "zh", plain).split("\n").slice(13), [
    "  ! 受密码保护的 PDF 5 个: 0.pdf，1.pdf，2.pdf …",
    "  ! 没有文字（扫描）的 PDF 2 个: scans/a.pdf，scans/b.pdf",
    "  ! 已损坏或不完整的 Word 文档 1 个: c.docx",
    "  ! 超过大小上限的文件 1 个: dump.sql",
    "  ! book.pdf: 第 3–7 页没有文字",
    "  ! cover.pdf: 第 1 页没有文字",
    "  ! odd.pdf: 共 99 页，其中 49 页没有文字",
    `  全部文件及原因：muxue_rag status --files --dir ${shellWord("/my notes")}`,
    "",
  ]);
});

Deno.test("summaryText() says so when no file could be indexed", () => {
  const text = summaryText({ ...SUMMARY, files: 0, skipped: { image: 3 }, failed: [] }, "en", plain);
  match(text, /\n {2}Skipped +3 \(3 images\)\n/);
  match(text, /\n {2}No file could be indexed, so searches will find nothing\n$/);
});

Deno.test("statusText() lists the first five failures, and says how to list all", () => {
  const failed = Array.from({ length: 300 }, (_, at) => ({ path: `${at}.pdf`, reason: "damaged" }));
  const status: FolderStatus = { root: "/notes", state: "ready", busy: false, failed };
  deepEqual(statusText(status, "en", plain).split("\n").slice(2), [
    "  Failed  300",
    ...[0, 1, 2, 3, 4].map((at) => `  ✗ ${at}.pdf: damaged`),
    "  … and 295 more",
    "  All files with their reasons: muxue_rag status --files --failed --dir /notes",
    "",
  ]);
});

Deno.test("statusText() shows an index, its failures and what is stale", () => {
  const status: FolderStatus = {
    root: "/notes",
    state: "ready",
    indexedAt: new Date(2026, 0, 31, 9, 5, 0),
    files: 43,
    chunks: 120,
    terms: 999,
    model: "builtin/1",
    dimensions: 96,
    textBytes: 56_000,
    indexBytes: 70_000,
    failed: [{ path: "a.txt", reason: "Unsupported file encoding" }],
    skipped: {},
    stale: { new: 1, changed: 0, removed: 2 },
    busy: true,
  };
  equal(
    statusText(status, "en", plain),
    `/notes
  State          ready
  Being updated  yes
  Indexed at     2026-01-31 09:05:00
  Files          43
  Chunks         120
  Terms          999
  Vectors        builtin/1 (96)
  Text size      56 kB
  Index size     70 kB
  Skipped        0
  To update      1 new, 0 changed, 2 removed
  Failed         1
  ✗ a.txt: Unsupported file encoding
`,
  );
});

Deno.test("statusText() explains why an index cannot be used", () => {
  equal(
    statusText({ root: "/notes", state: "damaged", detail: "checksum", busy: false }, "zh", plain),
    "/notes\n  状态  已损坏，需重建\n  原因  checksum\n  处理  重建索引：muxue_rag --dir /notes\n",
  );
});

Deno.test("names from files cannot control the terminal", () => {
  const failed = [{ path: "b\u001b.txt", reason: "bad\u0007" }];
  equal(failuresText(failed, plain), "  ✗ b␛.txt: bad␇\n");
  const named = [{ path: "a.pdf", reason: "a.pdf is protected" }];
  equal(failuresText(named, plain), "  ✗ a.pdf is protected\n");
  const summary = summaryText({ ...SUMMARY, root: "/n\u001bo", rebuildReason: "x\u009b" }, "en", plain);
  equal(summary.split("\n").slice(0, 2).join("\n"), "Indexed: /n␛o\n  Rebuilt from scratch: x�");
  equal(
    statusText({ root: "/n\no", state: "damaged", detail: "\u001b", busy: false }, "en", plain),
    `/n␊o\n  State   damaged, needs rebuilding\n  Reason  ␛\n  To do   rebuild the index: muxue_rag --dir ${
      shellWord("/n␊o")
    }\n`,
  );
});

Deno.test("statusText() shows a folder that cannot be read", () => {
  equal(
    statusText({ root: "/notes", state: "unusable", detail: "no permission" }, "en", plain),
    "/notes\n  State   unusable\n  Reason  no permission\n",
  );
});

Deno.test("the note of extract about pages without text counts them", () => {
  const note = (pages: string, count: number) =>
    message("en", "cli_extract_empty_pages", { path: "a.pdf", pages, count });
  equal(note("3", 1), "a.pdf: no text on page 3, which may be a scan");
  equal(note("3–4", 2), "a.pdf: no text on pages 3–4, which may be scans");
});
