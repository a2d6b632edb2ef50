import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { muxueRag, type Place, sandbox } from "../program/_muxue_rag.ts";
import { pdfOf } from "./_pdf.ts";

/** A scan, a PDF with a password, one with scanned pages, an archive, a picture, a hidden folder and a note. */
async function folderOfDocuments(place: Place): Promise<string> {
  const dir = join(place.path, "papers");
  await Deno.mkdir(join(dir, ".cache"), { recursive: true });
  await Deno.writeTextFile(join(dir, ".cache", "a.md"), "cached");
  await Deno.writeFile(join(dir, "harbour.pdf"), pdfOf(["The lighthouse keeper lit the lamp.", "", ""]));
  await Deno.writeFile(join(dir, "locked.pdf"), pdfOf(["Nobody can read this."], { locked: true }));
  await Deno.writeTextFile(join(dir, "note.md"), "# Note\n\nTomato soup wants onions.\n");
  await Deno.writeFile(join(dir, "old.zip"), Uint8Array.of(0x50, 0x4b, 5, 6, ...new Uint8Array(18)));
  await Deno.writeFile(join(dir, "scan.pdf"), pdfOf(["", ""]));
  return dir;
}

Deno.test("unread files are reported by the run, listed by status --files, and reported by a search that finds nothing", async () => {
  await using place = await sandbox();
  const dir = await folderOfDocuments(place);
  const english = ["--dir", dir, "--language", "en"];

  const before = await muxueRag(place, ["status", "--files", ...english]);
  match(before.stdout, /\n {2}new {6}pdf +– +– +\d+ B {2}\d{4}-\d\d-\d\d \d\d:\d\d +– +scan\.pdf\n/);

  const run = await muxueRag(place, english);
  equal(run.code, 0, run.stderr);
  match(
    run.stdout,
    /\n {2}Skipped +3 \(1 PDF without text \(scanned\), 1 hidden, 1 archive\)\n {2}Failed +1\n/,
  );
  deepEqual(run.stdout.split("\n").slice(13), [
    "  ✗ locked.pdf is protected by a password and cannot be read. To have it indexed, save a copy without a password",
    "  ! 1 PDF without text (scanned): scan.pdf",
    "  ! harbour.pdf: no text on pages 2–3",
    `  All files with their reasons: muxue_rag status --files --dir ${dir}`,
    "",
  ]);

  await Deno.writeTextFile(join(dir, "late.md"), "Late.\n");
  const files = await muxueRag(place, ["status", "--files", ...english]);
  deepEqual(
    files.stdout.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?/g, "TIME").replaceAll(
      / +[\d.]+ k?B {2}/g,
      "  SIZE  ",
    )
      .replaceAll(/ [0-9a-f]{8} /g, " HASH ").replaceAll(/ {3,}/g, "  ").split("\n"),
    `${dir}
  Indexed at TIME
  State  Format  Pages  Chunks  Size  Modified  SHA-256  File
  skipped  –  –  –  –  –  –  .cache/
  hidden
  indexed  pdf  3  1  SIZE  TIME  HASH  harbour.pdf
  no text on pages 2–3
  new  –  –  –  SIZE  TIME  –  late.md
  failed  pdf  –  –  SIZE  TIME  HASH  locked.pdf
  locked.pdf is protected by a password and cannot be read. To have it indexed, save a copy without a password
  indexed  –  –  1  SIZE  TIME  HASH  note.md
  skipped  –  –  –  SIZE  TIME  –  old.zip
  archive
  skipped  pdf  2  –  SIZE  TIME  HASH  scan.pdf
  without text (scanned)
  7 files
  Last 1 error
  TIME  locked.pdf is protected by a password and cannot be read. To have it indexed, save a copy without a password
`.split("\n"),
  );
  const unread = await muxueRag(place, ["status", "--files", "--failed", "--json", ...english]);
  const { code, data } = JSON.parse(unread.stdout);
  const [folder] = data.folders;
  deepEqual([code, data.folders.length, folder.root], [200, 1, dir]);
  deepEqual(
    folder.files.map((
      { path, state, reason, format }: Record<string, string>,
    ) => [path, state, reason, format]),
    [["locked.pdf", "failed", "document_encrypted", "pdf"], ["scan.pdf", "skipped", "no_text", "pdf"]],
  );

  const newer = `Note: 1 file is newer than the index. Index the folder again: ${dir}\n`;
  const nothing = await muxueRag(place, ["search", "zeppelin", "--no-update", ...english]);
  deepEqual([nothing.code, nothing.stdout], [0, "Nothing found for these keywords\n"]);
  equal(
    nothing.stderr,
    "Note: 3 documents were not read, or only in part: 1 PDF protected by a password, 1 PDF without text (scanned), " +
      `1 PDF without text on most pages. To list them, run muxue_rag status --files --failed --dir ${dir}\n${newer}`,
  );
  const found = await muxueRag(place, ["search", "lighthouse keeper lamp", "--no-update", ...english]);
  match(found.stdout, /^1\. .*harbour\.pdf:1 {2}p\. 1 {2}high/);
  equal(found.stderr, newer);
});

Deno.test("the run and a search report a folder that has only unread files", async () => {
  await using place = await sandbox();
  const dir = join(place.path, "attic");
  await Deno.mkdir(dir);
  await Deno.writeFile(join(dir, "scan.pdf"), pdfOf([""]));
  for (const name of ["a.jpg", "b.jpg", "c.mp3"]) await Deno.writeFile(join(dir, name), Uint8Array.of(1));
  const run = await muxueRag(place, ["--dir", dir]);
  match(run.stdout, /\n {2}跳过 +4 \(图片 2 个，没有文字（扫描）的 PDF 1 个，音频 1 个\)\n/);
  match(run.stdout, /\n {2}没有可以索引的文件，检索不会有任何结果\n/);
  // Another picture is noticed even though pictures are not indexed.
  await Deno.writeFile(join(dir, "d.jpg"), Uint8Array.of(1));
  const search = await muxueRag(place, ["search", "船", "--dir", dir]);
  deepEqual([search.code, search.stdout], [0, "未检索到与关键词相关的内容\n"]);
  match(
    search.stderr,
    /注意：.*attic 中没有可供检索的文件：图片 3 个，没有文字（扫描）的 PDF 1 个，音频 1 个。查看：muxue_rag status --files --dir .*attic\n$/,
  );
});
