/**
 * Sealed indexes with senseless contents, as a bug of this program could write them. Reading them must end, with a damage
 * error.
 */
import { deepEqual, rejects, throws } from "node:assert/strict";
import { BlobReader } from "#engine/index/blob/reader.ts";
import { DamagedIndexError, ForeignIndexError } from "#engine/index/blob/format.ts";
import { IndexReader, Tokenizer } from "#engine/index/mod.ts";
import { TempDir } from "../../foundation/boundary/helpers.ts";
import { changedJson, KEY, resign, sectionOf, withSections } from "./_blob_forge.ts";
import { file, writeIndex } from "./_build.ts";
import { documents } from "./_fixture.ts";
import { search } from "./_search.ts";

/** Returns the bytes of an index of 300 documents in three files. */
async function blobOf(dir: TempDir): Promise<Uint8Array> {
  const all = documents();
  const files = [0, 1, 2].map((i) => file(`${i}.txt`, all.slice(100 * i, 100 * i + 100)));
  await writeIndex(dir.at("sound"), files);
  return Deno.readFileSync(dir.at("sound"));
}

/** Opens an index and runs all operations of a search. */
async function use(path: string): Promise<void> {
  using reader = IndexReader.open(Deno.openSync(path), { key: KEY });
  const tokenizer = new Tokenizer();
  for (const query of ["the index", "的 检索", "zyzzyva", "running file server 数据库"]) {
    for (const { chunk } of await search([reader], tokenizer.queryTerms(query), 300)) {
      reader.text(chunk);
      reader.chunk(chunk);
    }
  }
  for (const _ of reader.dictionary.terms());
  for (let chunk = 0; chunk < reader.chunks.length; chunk++) reader.text(chunk);
}

const u32 = (bytes: Uint8Array, change: (numbers: Uint32Array) => void) => {
  const numbers = new Uint32Array(bytes.slice().buffer);
  change(numbers);
  return new Uint8Array(numbers.buffer);
};

/** The changes to a sound index, by their names. */
const FORGERIES: Readonly<Record<string, (blob: Uint8Array) => Record<string, Uint8Array | undefined>>> = {
  ...Object.fromEntries(
    [["0x00", 0], ["0x80", 0x80], ["0xff", 0xff], ["0x01", 1]].map(([name, byte]) => [
      `postings all ${name}`,
      (blob: Uint8Array) => ({ postings: sectionOf(blob, "postings").slice().fill(byte as number) }),
    ]),
  ),
  "no free slot in the dictionary": (blob) => ({
    "term.slots": u32(sectionOf(blob, "term.slots"), (s) => s.fill(1)),
  }),
  "slots of no power of two": (blob) => ({ "term.slots": sectionOf(blob, "term.slots").slice(0, -4) }),
  "no slots": () => ({ "term.slots": new Uint8Array(0) }),
  "slots past the terms": (blob) => ({
    "term.slots": u32(sectionOf(blob, "term.slots"), (s) => s.fill(1 << 30)),
  }),
  "terms that end before they begin": (blob) => ({
    "term.offsets": u32(sectionOf(blob, "term.offsets"), (s) => s.reverse()),
  }),
  "terms outside of the bytes": (blob) => ({ "term.bytes": sectionOf(blob, "term.bytes").slice(0, 10) }),
  "an odd number of bytes": (blob) => ({ "term.offsets": sectionOf(blob, "term.offsets").slice(0, -1) }),
  "lists of another number of terms": (blob) => ({ "list.df": sectionOf(blob, "list.df").slice(0, -4) }),
  "document frequencies of thousands of millions": (blob) => ({
    "list.df": u32(sectionOf(blob, "list.df"), (s) => s.fill(0xffff_fff0)),
  }),
  "document frequencies of 0": (blob) => ({ "list.df": sectionOf(blob, "list.df").slice().fill(0) }),
  "lists that end before they begin": (blob) => ({
    "list.offsets": u32(sectionOf(blob, "list.offsets"), (s) => s.reverse()),
  }),
  "dense lists that are none": (blob) => ({ "list.skip": sectionOf(blob, "list.skip").slice().fill(0xff) }),
  "skips past their end": (blob) => ({
    "list.skip": u32(sectionOf(blob, "list.skip"), (s) => s.fill(1 << 30)),
  }),
  "wild skips": (blob) => ({ skips: sectionOf(blob, "skips").slice().fill(0xff) }),
  "a chunk.hash of 8 bytes": () => ({ "chunk.hash": new Uint8Array(8) }),
  "texts elsewhere": (blob) => ({ "chunk.textAt": sectionOf(blob, "chunk.textAt").slice().fill(0x7f) }),
  "section paths that are not there": (blob) => ({
    "chunk.section": sectionOf(blob, "chunk.section").slice().fill(9),
  }),
  "chunks of files that are not there": (blob) => ({
    "chunk.file": sectionOf(blob, "chunk.file").slice().fill(9),
  }),
  "a column that is short": (blob) => ({ "chunk.start": sectionOf(blob, "chunk.start").slice(0, -4) }),
  "languages of other chunks": (blob) => ({
    "chunk.language": sectionOf(blob, "chunk.language").slice(0, -1),
  }),
  "no texts": () => ({ texts: undefined }),
  "no meta": () => ({ meta: undefined }),
  "meta that is no JSON": () => ({ meta: new TextEncoder().encode("{") }),
  ...Object.fromEntries(
    [null, [], 1, { tokenizer: 3 }, { tokenizer: 3, settings: "", program: "", root: "", indexedAt: "soon" }]
      .map((meta) => [
        `meta ${JSON.stringify(meta)}`,
        (blob: Uint8Array) => changedJson(blob, "meta", () => meta),
      ]),
  ),
  ...Object.fromEntries(
    [
      null,
      {},
      [null],
      [[]],
      [{}],
      "path",
      { path: 1 },
      { size: -1 },
      { size: "big" },
      { mtimeMs: null },
      { sha256: 1 },
      { status: "fine" },
      { reason: {} },
      { detail: { path: {} } },
      { detail: "none" },
      { encoding: 1 },
      { firstChunk: 1 },
      { firstChunk: -1 },
      { chunkCount: 1e9 },
      { chunkCount: 0.5 },
    ].map((change) => [
      `files ${JSON.stringify(change)}`,
      (blob: Uint8Array) =>
        changedJson(
          blob,
          "files",
          ([first, ...rest]) =>
            change !== null && typeof change === "object" && !Array.isArray(change) &&
              Object.keys(change).length > 0
              ? [{ ...first, ...change }, ...rest]
              : change,
        ),
    ]),
  ),
};

for (const [name, change] of Object.entries(FORGERIES)) {
  Deno.test(`a sealed index with senseless contents is damaged, and a search of it ends: ${name}`, async () => {
    using dir = new TempDir();
    const blob = await blobOf(dir);
    Deno.writeFileSync(dir.at("forged"), withSections(blob, change(blob)));
    await rejects(use(dir.at("forged")), DamagedIndexError);
  });
}

Deno.test("the index that these tests forge is sound before", async () => {
  using dir = new TempDir();
  const blob = await blobOf(dir);
  deepEqual(withSections(blob, {}), blob);
  deepEqual(resign(blob.slice()), blob);
  await use(dir.at("sound"));
});

Deno.test("a blob that was sealed with another key is foreign", async () => {
  using dir = new TempDir();
  await blobOf(dir);
  const other = { key: new Uint8Array(32) };
  throws(() => BlobReader.open(Deno.openSync(dir.at("sound")), other), ForeignIndexError);
  throws(() => IndexReader.open(Deno.openSync(dir.at("sound")), other), ForeignIndexError);
});

Deno.test("a block replaced by one of another sealed index is damage", async () => {
  using dir = new TempDir();
  const blob = await blobOf(dir);
  const other = sectionOf(blob, "texts").slice(0, 100).reverse();
  const theirs = blob.slice();
  sectionOf(theirs, "texts").set(other);
  resign(theirs);
  // The texts and the block table of the other index, with the header of this one.
  const mixed = theirs.slice();
  mixed.set(blob.subarray(0, 4096));
  Deno.writeFileSync(dir.at("mixed"), mixed);
  await rejects(use(dir.at("mixed")), new DamagedIndexError("checksum of the block table"));
});

Deno.test(
  "a sparse file of 40 GB is refused without being read",
  { ignore: Deno.build.os === "windows" },
  async () => {
    using dir = new TempDir();
    await blobOf(dir);
    {
      using file = Deno.openSync(dir.at("sound"), { write: true });
      file.truncateSync(40e9);
    }
    await rejects(use(dir.at("sound")), new DamagedIndexError("length of the file"));
  },
);
