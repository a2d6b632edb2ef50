import { deepEqual, equal, match } from "node:assert/strict";
import { type Files, makeSandbox, writeFiles } from "./_program.ts";
import { pdfOf } from "./_pdf.ts";
import { quoted } from "../_posix.ts";

/** A scan, a PDF with a password, one with scanned pages, an archive, a hidden folder and a note. */
const PAPERS: Files = {
  ".cache/a.md": "cached",
  "harbour.pdf": pdfOf(["The lighthouse keeper lit the lamp.", "", ""]),
  "locked.pdf": pdfOf(["Nobody can read this."], { locked: true }),
  "note.md": "# Note\n\nTomato soup wants onions.\n",
  "old.rar": Uint8Array.of(0x50, 0x4b, 5, 6, ...new Uint8Array(18)),
  "scan.pdf": pdfOf(["", ""]),
};

Deno.test("unread files are reported by the run, listed by status --files, and reported by a search that finds nothing", async () => {
  await using sandbox = await makeSandbox(PAPERS, { env: { MUXUE_RAG_LANGUAGE: "en" } });
  const { folder, run } = sandbox;
  const before = await run`status --files --dir ${folder}`;
  match(before.stdout, /\n {2}new {6}pdf +– +– +[\d.]+ k?B {2}\d{4}-\d\d-\d\d \d\d:\d\d +– +scan\.pdf\n/);

  const indexed = await run`--dir ${folder}`;
  equal(indexed.code, 0, indexed.stderr);
  match(
    indexed.stdout,
    /\n {2}Skipped +3 \(1 PDF without text \(scanned\), 1 hidden, 1 archive\)\n {2}Failed +1\n/,
  );
  const locked =
    "locked.pdf is protected by a password and cannot be read. To have it indexed, save a copy without a password";
  deepEqual(indexed.stdout.split("\n").slice(13), [
    `  ✗ ${locked}`,
    "  ! 1 PDF without text (scanned): scan.pdf",
    "  ! harbour.pdf: no text on pages 2–3",
    `  All files with their reasons: muxue_rag status --files --dir ${quoted(folder)}`,
    "",
  ]);

  await writeFiles(folder, { "late.md": "Late.\n" });
  const files = await run`status --files --dir ${folder}`;
  equal(
    files.stdout.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?/g, "TIME")
      .replaceAll(/ +[\d.]+ k?B {2}/g, "  SIZE  ").replaceAll(/ [0-9a-f]{8} /g, " HASH ")
      .replaceAll(/ {3,}/g, "  "),
    `${folder}
  Indexed at TIME
  State  Format  Pages  Chunks  Size  Modified  SHA-256  File
  skipped  –  –  –  –  –  –  .cache/
  hidden
  indexed  pdf  3  1  SIZE  TIME  HASH  harbour.pdf
  no text on pages 2–3
  new  –  –  –  SIZE  TIME  –  late.md
  failed  pdf  –  –  SIZE  TIME  HASH  locked.pdf
  ${locked}
  indexed  –  –  1  SIZE  TIME  HASH  note.md
  skipped  –  –  –  SIZE  TIME  –  old.rar
  archive
  skipped  pdf  2  –  SIZE  TIME  HASH  scan.pdf
  without text (scanned)
  7 files
  Last 1 error
  TIME  ${locked}
`,
  );
  const { code, data: { folders } } = JSON.parse(
    (await run`status --files --failed --json --dir ${folder}`).stdout,
  );
  const unread = folders[0].files.map((
    { path, state, reason, format }: Record<string, string>,
  ) => [path, state, reason, format]);
  deepEqual([code, folders.length, folders[0].root, unread], [200, 1, folder, [
    ["locked.pdf", "failed", "document_encrypted", "pdf"],
    ["scan.pdf", "skipped", "no_text", "pdf"],
  ]]);

  const newer = `Note: 1 file is newer than the index. Index the folder again: ${folder}\n`;
  deepEqual(await run`search zeppelin --no-update --dir ${folder}`, {
    code: 0,
    stdout: "Nothing found for these keywords\n",
    stderr:
      "Note: 3 documents were not read, or only in part: 1 PDF protected by a password, 1 PDF without text (scanned), " +
      `1 PDF without text on most pages. To list them, run muxue_rag status --files --failed --dir ${
        quoted(folder)
      }\n${newer}`,
  });
  const found = await run`search ${"lighthouse keeper lamp"} --no-update --dir ${folder}`;
  match(found.stdout, /^1\. .*harbour\.pdf:1 {2}p\. 1 {2}high/);
  equal(found.stderr, newer);
});

Deno.test("the run and a search report a folder that has only unread files", async () => {
  const byte = Uint8Array.of(1);
  await using sandbox = await makeSandbox({
    "scan.pdf": pdfOf([""]),
    ...{ "a.jpg": byte, "b.jpg": byte, "c.mp3": byte },
  });
  const { folder, run } = sandbox;
  const { stdout } = await run`--dir ${folder}`;
  match(stdout, /\n {2}跳过 +4 \(图片 2 个，没有文字（扫描）的 PDF 1 个，音频 1 个\)\n/);
  match(stdout, /\n {2}没有可以索引的文件，检索不会有任何结果\n/);
  // Another picture is noticed even though pictures are not indexed.
  await writeFiles(folder, { "d.jpg": byte });
  const search = await run`search 船 --dir ${folder}`;
  deepEqual([search.code, search.stdout], [0, "未检索到与关键词相关的内容\n"]);
  match(
    search.stderr,
    /注意：.*文档 docs 中没有可供检索的文件：图片 3 个，没有文字（扫描）的 PDF 1 个，音频 1 个。查看：muxue_rag status --files --dir .*文档 docs'\n$/,
  );
});
