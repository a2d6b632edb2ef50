import { deepEqual, equal, throws } from "node:assert/strict";
import { BlobReader } from "#engine/index/blob/reader.ts";
import { BlobWriter } from "#engine/index/blob/writer.ts";
import { DamagedIndexError, OutdatedIndexError } from "#engine/index/blob/format.ts";
import { TempDir } from "../../../foundation/boundary/helpers.ts";
import { KEY, ofFormat } from "../_blob_forge.ts";

const HEADER_BYTES = 4096;

function write(path: string, sections: Readonly<Record<string, ArrayBufferView>>): number {
  using file = Deno.openSync(path, { create: true, truncate: true, read: true, write: true });
  const writer = new BlobWriter(file, KEY);
  for (const [name, content] of Object.entries(sections)) writer.section(name, content);
  return writer.finish();
}

const SECTIONS = {
  texts: new TextEncoder().encode("all the texts"),
  empty: new Uint8Array(0),
  "chunk.textBytes": Uint32Array.of(1, 2, 3),
  big: new Uint8Array(3_000_000).map((_, i) => i * 31),
};

Deno.test("sections are read as they were written, whole and by range, and begin at multiples of 64", () => {
  using dir = new TempDir();
  const path = dir.at("blob");
  const size = write(path, SECTIONS);
  equal(size, Deno.statSync(path).size);
  const reader = BlobReader.open(Deno.openSync(path), { key: KEY });
  try {
    reader.verify();
    equal(reader.damage, undefined);
    equal(reader.size, size);
    deepEqual([...reader.sections].map(({ name, offset, length }) => [name, offset % 64, length]), [
      ["texts", 0, 13],
      ["empty", 0, 0],
      ["chunk.textBytes", 0, 12],
      ["big", 0, 3_000_000],
    ]);
    deepEqual(reader.section("big"), SECTIONS.big);
    deepEqual(reader.section("empty"), SECTIONS.empty);
    deepEqual(Array.from(new Uint32Array(reader.section("chunk.textBytes").buffer)), [1, 2, 3]);
    equal(new TextDecoder().decode(reader.range("texts", 4, 7)), "the");
    for (const [from, to] of [[-1, 2], [3, 2], [0, 14], [NaN, NaN], [0, NaN]] as const) {
      throws(() => reader.range("texts", from, to), DamagedIndexError);
    }
    equal(reader.damage, "range outside of section texts");
    throws(() => reader.section("vectors"), DamagedIndexError);
  } finally {
    reader.close();
  }
});

Deno.test("a section written in pieces is the same as one written at once", () => {
  using dir = new TempDir();
  write(dir.at("whole"), { big: SECTIONS.big });
  using file = Deno.openSync(dir.at("pieces"), { createNew: true, read: true, write: true });
  const writer = new BlobWriter(file, KEY);
  writer.begin("big");
  for (
    const [from, to] of [[0, 1], [1, 1_048_577], [1_048_577, 1_048_577], [1_048_577, 3_000_000]] as const
  ) {
    equal(writer.length, from);
    writer.write(SECTIONS.big.subarray(from, to));
  }
  writer.finish();
  deepEqual(Deno.readFileSync(dir.at("pieces")), Deno.readFileSync(dir.at("whole")));
});

Deno.test("an unfinished blob is damaged", () => {
  using dir = new TempDir();
  using file = Deno.openSync(dir.at("blob"), { createNew: true, read: true, write: true });
  const writer = new BlobWriter(file, KEY);
  writer.section("big", SECTIONS.big);
  throws(() => BlobReader.open(Deno.openSync(dir.at("blob")), { key: KEY }), DamagedIndexError);
});

Deno.test("any flipped byte of the header is found when a blob is opened", () => {
  using dir = new TempDir();
  const path = dir.at("blob");
  write(path, { texts: SECTIONS.texts });
  const good = Deno.readFileSync(path);
  for (let at = 0; at < HEADER_BYTES; at += at < 200 ? 1 : 61) {
    const bad = good.slice();
    bad[at]! ^= 0x40;
    Deno.writeFileSync(path, bad);
    // The version is checked first, because a later format may have another header.
    const error = at >= 8 && at < 12 ? OutdatedIndexError : DamagedIndexError;
    throws(() => BlobReader.open(Deno.openSync(path), { key: KEY }), error, `byte ${at}`);
  }
});

Deno.test("a blob that was cut off or extended is damaged", () => {
  using dir = new TempDir();
  const path = dir.at("blob");
  write(path, { texts: SECTIONS.texts, numbers: Uint32Array.of(1, 2, 3) });
  const good = Deno.readFileSync(path);
  for (const length of [0, 1, 7, 8, 100, 4095, 4096, 4100, good.length - 13, good.length - 1]) {
    Deno.writeFileSync(path, good.subarray(0, length));
    throws(() => BlobReader.open(Deno.openSync(path), { key: KEY }), DamagedIndexError, `${length} bytes`);
  }
  Deno.writeFileSync(path, new Uint8Array([...good, 0]));
  throws(() => BlobReader.open(Deno.openSync(path), { key: KEY }), DamagedIndexError);
});

Deno.test("a sound blob of another format version is outdated, not damaged", () => {
  using dir = new TempDir();
  const path = dir.at("blob");
  write(path, { texts: SECTIONS.texts });
  Deno.writeFileSync(path, ofFormat(99, Deno.readFileSync(path)));
  throws(
    () => BlobReader.open(Deno.openSync(path), { key: KEY }),
    new OutdatedIndexError("format 99, wanted 2"),
  );
});

Deno.test("a file of another kind is damaged", () => {
  using dir = new TempDir();
  throws(
    () => BlobReader.open(Deno.openSync(dir.write("a", "x".repeat(10_000))), { key: KEY }),
    new DamagedIndexError("not an index"),
  );
  throws(
    () => BlobReader.open(Deno.openSync(dir.write("b", "")), { key: KEY }),
    new DamagedIndexError("0 bytes are too few for a header"),
  );
});
