import { equal, throws } from "node:assert/strict";
import { DamagedIndexError, IndexReader, OutdatedIndexError } from "#engine/index/mod.ts";
import { BlobReader } from "#engine/index/blob/reader.ts";
import { TempDir } from "../../foundation/boundary/helpers.ts";
import { chunk, file, writeIndex } from "./_build.ts";
import { changedJson, KEY, sectionOf, withSections } from "./_blob_forge.ts";

const FILES = [
  { path: "a.md", chunks: [chunk("alpha 数据库", { section: ["Top", "子"], context: "Top" })] },
  file("b.txt", ["beta beta", "gamma alpha"]),
];

/** Opens an index and runs all operations that read its bytes. */
function use(path: string): void {
  using reader = IndexReader.open(Deno.openSync(path), { key: KEY });
  for (let chunk = 0; chunk < reader.chunks.length; chunk++) reader.text(chunk);
  reader.verify();
}

function sectionsOf(path: string): { name: string; offset: number; length: number }[] {
  const blob = BlobReader.open(Deno.openSync(path), { key: KEY });
  try {
    return [...blob.sections];
  } finally {
    blob.close();
  }
}

Deno.test("a flipped byte at the start, in the middle or at the end of any section is damage", async () => {
  using dir = new TempDir();
  const path = dir.at("index.bin");
  await writeIndex(path, FILES);
  use(path);
  const good = Deno.readFileSync(path);
  const sections = sectionsOf(path);
  equal(sections.length, 29);
  for (const { name, offset, length } of sections) {
    for (const at of new Set([offset, offset + (length >> 1), offset + length - 1])) {
      const bad = good.slice();
      bad[at]! ^= 1;
      Deno.writeFileSync(path, bad);
      throws(() => use(path), DamagedIndexError, `${name}, byte ${at - offset} of ${length}`);
    }
  }
});

Deno.test("an index with a damaged text opens, and reading the text throws", async () => {
  using dir = new TempDir();
  const path = dir.at("index.bin");
  const texts = Array.from({ length: 100 }, (_, i) => `${i} ${"word ".repeat(100)}`);
  await writeIndex(path, [file("a.txt", texts)]);
  const bytes = Deno.readFileSync(path);
  sectionOf(bytes, "texts")[0]! ^= 1;
  Deno.writeFileSync(path, bytes);
  using reader = IndexReader.open(Deno.openSync(path), { key: KEY });
  throws(() => reader.text(0), new DamagedIndexError("checksum of bytes 4096 to 8192"));
  equal(reader.text(99), texts[99]);
  throws(() => reader.verify(), /checksum of bytes 4096 to/);
});

Deno.test("an index of another tokenizer is outdated", async () => {
  using dir = new TempDir();
  const path = dir.at("index.bin");
  await writeIndex(path, FILES);
  const blob = Deno.readFileSync(path);
  const other = changedJson(blob, "meta", (meta) => ({ ...meta, tokenizer: 9 }));
  Deno.writeFileSync(path, withSections(blob, other));
  throws(
    () => IndexReader.open(Deno.openSync(path), { key: KEY }),
    new OutdatedIndexError("tokenizer 9, wanted 3"),
  );
});

Deno.test("an open index shows its old state after it was replaced", async () => {
  using dir = new TempDir();
  const path = dir.at("index.bin");
  await writeIndex(path, FILES);
  using reader = IndexReader.open(Deno.openSync(path), { key: KEY });
  await writeIndex(dir.at("new.bin"), [file("c.txt", ["something else"])]);
  await Deno.rename(dir.at("new.bin"), path);
  equal(reader.text(0), "alpha 数据库");
  using next = IndexReader.open(Deno.openSync(path), { key: KEY });
  equal(next.text(0), "something else");
});
