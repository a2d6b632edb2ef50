/**
 * Sealed indexes with senseless contents, as a bug of this program could write them. Reading them must end, with a damage
 * error.
 */
import { deepEqual, rejects, throws } from "node:assert/strict";
import { BlobReader } from "#engine/index/blob/reader.ts";
import { DamagedIndexError, ForeignIndexError } from "#engine/index/blob/format.ts";
import { IndexReader, MemoryFile, Tokenizer } from "#engine/index/mod.ts";
import { changedJson, KEY, resign, sectionOf, withSections } from "./_blob_forge.ts";
import { file, fileOf, indexBytes } from "./_build.ts";
import { documents } from "./_fixture.ts";
import { search } from "./_search.ts";

/** The bytes of an index of 300 documents in three files. */
const SOUND = await indexBytes(
  [0, 1, 2].map((i) => file(`${i}.txt`, documents().slice(100 * i, 100 * i + 100))),
);

/** Opens an index and runs all operations of a search. */
async function use(index: MemoryFile): Promise<void> {
  using reader = IndexReader.open(index, { key: KEY });
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

type Bytes = Uint8Array<ArrayBuffer>;
type Forgery = (blob: Uint8Array) => Record<string, Uint8Array | undefined>;

/** A section, changed. */
const changed = (name: string, change: (bytes: Bytes) => Bytes): Forgery => (blob) => ({
  [name]: change(sectionOf(blob, name).slice()),
});
const filled = (name: string, byte: number) => changed(name, (bytes) => bytes.fill(byte));
const cut = (name: string, end: number) => changed(name, (bytes) => bytes.slice(0, end));
const numbers = (name: string, change: (numbers: Uint32Array) => void) =>
  changed(name, (bytes) => {
    change(new Uint32Array(bytes.buffer));
    return bytes;
  });

/** The changes to a sound index, by their names. */
const FORGERIES: Readonly<Record<string, Forgery>> = {
  "postings all 0x00": filled("postings", 0),
  "postings all 0x80": filled("postings", 0x80),
  "postings all 0xff": filled("postings", 0xff),
  "postings all 0x01": filled("postings", 1),
  "no free slot in the dictionary": numbers("term.slots", (slots) => slots.fill(1)),
  "slots of no power of two": cut("term.slots", -4),
  "no slots": cut("term.slots", 0),
  "slots past the terms": numbers("term.slots", (slots) => slots.fill(1 << 30)),
  "terms that end before they begin": numbers("term.offsets", (offsets) => offsets.reverse()),
  "terms outside of the bytes": cut("term.bytes", 10),
  "an odd number of bytes": cut("term.offsets", -1),
  "lists of another number of terms": cut("list.df", -4),
  "document frequencies of thousands of millions": numbers("list.df", (df) => df.fill(0xffff_fff0)),
  "document frequencies of 0": filled("list.df", 0),
  "lists that end before they begin": numbers("list.offsets", (offsets) => offsets.reverse()),
  "dense lists that are none": filled("list.skip", 0xff),
  "skips past their end": numbers("list.skip", (starts) => starts.fill(1 << 30)),
  "wild skips": filled("skips", 0xff),
  "a chunk.hash of 8 bytes": cut("chunk.hash", 8),
  "texts elsewhere": filled("chunk.textAt", 0x7f),
  "section paths that are not there": filled("chunk.section", 9),
  "chunks of files that are not there": filled("chunk.file", 9),
  "a column that is short": cut("chunk.start", -4),
  "languages of other chunks": cut("chunk.language", -1),
  "no texts": () => ({ texts: undefined }),
  "no meta": () => ({ meta: undefined }),
  "meta that is no JSON": () => ({ meta: new TextEncoder().encode("{") }),
  ...Object.fromEntries(
    [null, [], 1, { tokenizer: 4 }, { tokenizer: 4, settings: "", program: "", root: "", indexedAt: "soon" }]
      .map((meta) => [
        `meta ${JSON.stringify(meta)}`,
        (blob: Uint8Array) => changedJson(blob, "meta", () => meta),
      ]),
  ),
  ...Object.fromEntries(
    [null, {}, [null], [[]], [{}], "path"].map((files) => [
      `files ${JSON.stringify(files)}`,
      (blob: Uint8Array) => changedJson(blob, "files", () => files),
    ]),
  ),
  ...Object.fromEntries(
    [
      ...[{ path: 1 }, { size: -1 }, { size: "big" }, { mtimeMs: null }, { ctimeMs: "now" }, { sha256: 1 }],
      ...[{ status: "fine" }, { reason: {} }, { detail: { path: {} } }, { detail: "none" }, { encoding: 1 }],
      ...[{ title: 1 }, { firstChunk: 1 }, { firstChunk: -1 }, { chunkCount: 1e9 }, { chunkCount: 0.5 }],
    ].map((change) => [
      `a file with ${JSON.stringify(change)}`,
      (blob: Uint8Array) =>
        changedJson(blob, "files", ([first, ...rest]) => [{ ...first, ...change }, ...rest]),
    ]),
  ),
};

for (const [name, change] of Object.entries(FORGERIES)) {
  Deno.test(`a sealed index with senseless contents is damaged, and a search of it ends: ${name}`, async () => {
    await rejects(use(fileOf(withSections(SOUND, change(SOUND)))), DamagedIndexError);
  });
}

Deno.test("the index that these tests forge is sound before", async () => {
  deepEqual(withSections(SOUND, {}), SOUND);
  deepEqual(resign(SOUND.slice()), SOUND);
  await use(fileOf(SOUND));
});

Deno.test("a blob that was sealed with another key is foreign", () => {
  const other = { key: new Uint8Array(32) };
  throws(() => BlobReader.open(fileOf(SOUND), other), ForeignIndexError);
  throws(() => IndexReader.open(fileOf(SOUND), other), ForeignIndexError);
});

Deno.test("a block replaced by one of another sealed index is damage", async () => {
  const theirs = SOUND.slice();
  sectionOf(theirs, "texts").set(sectionOf(SOUND, "texts").slice(0, 100).reverse());
  resign(theirs);
  // The texts and the block table of the other index, with the header of this one.
  theirs.set(SOUND.subarray(0, 4096));
  await rejects(use(fileOf(theirs)), new DamagedIndexError("checksum of the block table"));
});

Deno.test("a file of 40 GB is refused without being read", async () => {
  const file = fileOf(SOUND);
  file.statSync = () => ({ size: 40e9 });
  await rejects(use(file), new DamagedIndexError("length of the file"));
});
