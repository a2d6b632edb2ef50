import { deepEqual, equal, throws } from "node:assert/strict";
import { BlobReader } from "#engine/index/blob/reader.ts";
import { BlobWriter } from "#engine/index/blob/writer.ts";
import { DamagedIndexError, HEADER_BYTES, OutdatedIndexError } from "#engine/index/blob/format.ts";
import { MemoryFile } from "#engine/index/mod.ts";
import { bytesOf, fileOf } from "../_build.ts";
import { KEY, ofFormat } from "../_blob_forge.ts";

const SECTIONS = {
  texts: new TextEncoder().encode("all the texts"),
  empty: new Uint8Array(0),
  "chunk.textBytes": Uint32Array.of(1, 2, 3),
  big: new Uint8Array(3_000_000).map((_, i) => i * 31),
};

/** Returns the bytes of a blob, as `fill` writes it. Default: the section `texts`. */
function blob(
  fill = (writer: BlobWriter) => writer.section("texts", SECTIONS.texts),
): Uint8Array<ArrayBuffer> {
  const file = new MemoryFile();
  const writer = new BlobWriter(file, KEY);
  fill(writer);
  equal(writer.finish(), file.statSync().size);
  return bytesOf(file);
}

const opened = (bytes: Uint8Array) => BlobReader.open(fileOf(bytes), { key: KEY });

Deno.test("sections are read as they were written, whole and by range, and begin at multiples of 64", () => {
  const bytes = blob((writer) => {
    for (const [name, content] of Object.entries(SECTIONS)) writer.section(name, content);
  });
  const reader = opened(bytes);
  reader.verify();
  equal(reader.damage, undefined);
  equal(reader.size, bytes.length);
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
});

for (const isSparse of [false, true]) {
  const kind = isSparse ? "large sparse" : "large";
  Deno.test(`a ${kind} section is read in parts, and damage is found in the part that is read`, () => {
    const bytes = blob((writer) => {
      writer.section("texts", SECTIONS.texts);
      writer.section("big", SECTIONS.big);
    });
    const expected = new Uint32Array(SECTIONS.big.buffer);
    const reader = opened(bytes);
    const numbers = reader.numbers("big", "u32", isSparse), content = reader.pages("big", isSparse);
    deepEqual([numbers.length, content.length], [750_000, 3_000_000]);
    for (const at of [0, 749_999, 1007, 1008, 400_000, 0]) equal(numbers.at(at), expected[at]);
    equal(numbers.at(750_000), undefined);
    deepEqual(content.subarray(4000, 70_000), SECTIONS.big.subarray(4000, 70_000));
    deepEqual([
      content.isSame(900_005, 900_005 + 256, 5000),
      content.isSame(900_005, 900_006, 5000),
      content.isSame(0, 1, 0),
    ], [true, false, true]);
    deepEqual(numbers.all(), expected);

    const { offset } = [...reader.sections].at(-1)!;
    bytes[offset + 2_000_000]! ^= 1;
    const damaged = opened(bytes);
    const others = damaged.numbers("big", "u32", isSparse);
    equal(others.at(0), expected[0]);
    equal(damaged.damage, undefined);
    throws(() => others.at(500_000), DamagedIndexError);
    throws(() => others.all(), DamagedIndexError);
  });
}

Deno.test("pieces stay as they were read while others are read, small and large ones and after a failure", () => {
  const bytes = blob((writer) => {
    writer.section("texts", SECTIONS.texts);
    writer.section("big", SECTIONS.big);
  });
  const { offset } = [...opened(bytes).sections].at(-1)!;
  bytes[offset + 2_000_000]! ^= 1;
  const reader = opened(bytes);
  const places = Array.from({ length: 300 }, (_, i): [number, number] => {
    const from = 6007 * i;
    return [from, from + (i % 50 === 7 ? 100_000 : i % 997)];
  });
  const pieces = places.map(([from, to], i) => {
    if (i % 40 === 0) throws(() => reader.piece("big", 1_999_990, 2_000_010), DamagedIndexError);
    return reader.piece("big", from, to);
  });
  deepEqual(pieces, places.map(([from, to]) => SECTIONS.big.slice(from, to)));
});

Deno.test("numbers of a sparse section with more blocks than are kept are right in any order, also after damage", () => {
  const expected = Uint32Array.from({ length: 2_000_000 }, (_, i) => Math.imul(i, 0x9e3779b1) >>> 0);
  const bytes = blob((writer) => writer.section("big", new Uint8Array(expected.buffer)));
  const { offset } = [...opened(bytes).sections][0]!;
  bytes[offset + 4 * 1_999_999]! ^= 1;
  const reader = opened(bytes);
  const numbers = reader.numbers("big", "u32", true), others = reader.numbers("big", "u32", true);
  for (let i = 0, at = 0; i < 10_000; i++, at = (at * 1_103_515 + 12_345) % 1_990_000) {
    if (i % 10 === 0) throws(() => numbers.at(1_999_999), DamagedIndexError);
    equal(numbers.at(at), expected[at]);
    equal(others.at(i), expected[i]);
  }
});

Deno.test("a section written in pieces is the same as one written at once", () => {
  const pieces = blob((writer) => {
    writer.begin("big");
    for (
      const [from, to] of [[0, 1], [1, 1_048_577], [1_048_577, 1_048_577], [1_048_577, 3_000_000]] as const
    ) {
      equal(writer.length, from);
      writer.write(SECTIONS.big.subarray(from, to));
    }
  });
  deepEqual(pieces, blob((writer) => writer.section("big", SECTIONS.big)));
});

Deno.test("an unfinished blob is damaged", () => {
  const file = new MemoryFile();
  new BlobWriter(file, KEY).section("big", SECTIONS.big);
  throws(() => opened(bytesOf(file)), DamagedIndexError);
});

Deno.test("any flipped byte of the header is found when a blob is opened", () => {
  const good = blob();
  for (let at = 0; at < HEADER_BYTES; at += at < 200 ? 1 : 61) {
    const bad = good.slice();
    bad[at]! ^= 0x40;
    // The version is checked first, because a later format may have another header.
    const error = at >= 8 && at < 12 ? OutdatedIndexError : DamagedIndexError;
    throws(() => opened(bad), error, `byte ${at}`);
  }
});

Deno.test("a blob that was cut off or extended is damaged", () => {
  const good = blob();
  for (const length of [0, 1, 7, 8, 100, 4095, 4096, 4100, good.length - 13, good.length - 1]) {
    throws(() => opened(good.subarray(0, length)), DamagedIndexError, `${length} bytes`);
  }
  throws(() => opened(new Uint8Array([...good, 0])), DamagedIndexError);
});

Deno.test("a sound blob of another format version is outdated, and a file of another kind is damaged", () => {
  throws(() => opened(ofFormat(99, blob())), new OutdatedIndexError("format 99, wanted 2"));
  throws(() => opened(new Uint8Array(10_000).fill(0x78)), new DamagedIndexError("not an index"));
  throws(() => opened(new Uint8Array()), new DamagedIndexError("0 bytes are too few for a header"));
});
