import { equal, throws } from "node:assert/strict";
import { DamagedIndexError, IndexReader, OutdatedIndexError } from "#engine/index/mod.ts";
import { replaceFile } from "#foundation/boundary/replace_file.ts";
import { writeAll } from "#foundation/boundary/open_file.ts";
import { TempDir } from "../../foundation/boundary/helpers.ts";
import { chunk, file, indexBytes, opened } from "./_build.ts";
import { changedJson, KEY, sectionOf, sectionsIn, withSections } from "./_blob_forge.ts";

const FILES = [
  { path: "a.md", chunks: [chunk("alpha 数据库", { section: ["Top", "子"], context: "Top" })] },
  file("b.txt", ["beta beta", "gamma alpha"]),
];

/** Opens an index and runs all operations that read its bytes. */
function use(bytes: Uint8Array): void {
  using reader = opened(bytes);
  for (let chunk = 0; chunk < reader.chunks.length; chunk++) reader.text(chunk);
  reader.verify();
}

Deno.test("a flipped byte at the start, in the middle or at the end of any section is damage", async () => {
  const good = await indexBytes(FILES);
  use(good);
  const sections = sectionsIn(good);
  equal(sections.length, 29);
  for (const { name, offset, length } of sections) {
    for (const at of new Set([offset, offset + (length >> 1), offset + length - 1])) {
      const bad = good.slice();
      bad[at]! ^= 1;
      throws(() => use(bad), DamagedIndexError, `${name}, byte ${at - offset} of ${length}`);
    }
  }
});

Deno.test("an index with a damaged text opens, and reading the text throws", async () => {
  const texts = Array.from({ length: 100 }, (_, i) => `${i} ${"word ".repeat(100)}`);
  const bytes = await indexBytes([file("a.txt", texts)]);
  sectionOf(bytes, "texts")[0]! ^= 1;
  using reader = opened(bytes);
  throws(() => reader.text(0), new DamagedIndexError("checksum of bytes 4096 to 8192"));
  equal(reader.text(99), texts[99]);
  throws(() => reader.verify(), /checksum of bytes 4096 to/);
});

Deno.test("an index of another tokenizer is outdated", async () => {
  const blob = await indexBytes(FILES);
  const other = withSections(blob, changedJson(blob, "meta", (meta) => ({ ...meta, tokenizer: 9 })));
  throws(() => opened(other), new OutdatedIndexError("tokenizer 9, wanted 4"));
});

Deno.test("an open index on a disk shows its old state after it was replaced", async () => {
  using dir = new TempDir();
  const path = dir.write("index.bin", await indexBytes(FILES));
  using reader = IndexReader.open(Deno.openSync(path), { key: KEY });
  const other = await indexBytes([file("c.txt", ["something else"])]);
  await replaceFile(path, (file) => writeAll(file, other));
  equal(reader.text(0), "alpha 数据库");
  using next = IndexReader.open(Deno.openSync(path), { key: KEY });
  equal(next.text(0), "something else");
});
