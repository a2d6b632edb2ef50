import assert from "node:assert/strict";
import { DamagedIndexError, IndexReader, IndexWriter, type VectorMeta } from "#engine/index/mod.ts";
import { quantizeRow, strideOf, VectorScanner } from "#engine/index/vectors/vector_index.ts";
import { BlobReader } from "#engine/index/blob/reader.ts";
import { BlobWriter } from "#engine/index/blob/writer.ts";
import { simdModule } from "../../../../scripts/build_simd.ts";
import { KEY } from "../_blob_forge.ts";

const META = { settings: "test", program: "0.0.0", indexedAt: "2026-01-02T03:04:05.000Z", root: "/notes" };
const RECORD = { path: "a.txt", size: 1, mtimeMs: 0, sha256: "", status: "indexed" } as const;

/** Returns a vector of length 1 that depends only on the seed. */
function vector(seed: number, dimensions: number): Float32Array {
  let state = seed * 7919 + 1;
  const numbers = Float32Array.from({ length: dimensions }, () => {
    state = Math.imul(state ^ state >>> 15, 0x2c1b3c6d) + 0x9e3779b9 | 0;
    return state / 2 ** 31;
  });
  const length = Math.hypot(...numbers);
  return numbers.map((number) => number / length);
}

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

/** Writes an index whose chunk i has the vector of the i-th seed. Returns its path. */
async function write(
  path: string,
  meta: VectorMeta,
  seeds: readonly number[],
  previous?: IndexReader,
): Promise<string> {
  using file = await Deno.open(path, { create: true, write: true, read: true, truncate: true });
  const writer = new IndexWriter(file, KEY, previous && [previous], meta);
  if (previous !== undefined) writer.keep(RECORD, 0);
  const first = writer.chunkCount;
  writer.beginFile();
  seeds.forEach((seed, i) => {
    const text = `chunk ${seed}`;
    writer.addChunk({
      text,
      context: "",
      start: i * 10,
      end: i * 10 + 9,
      startLine: 1,
      endLine: 1,
      section: [],
    });
    writer.setVector(first + i, vector(seed, meta.dimensions), Uint8Array.of(seed, 7));
  });
  writer.endFile({ ...RECORD, path: "b.txt" });
  await writer.finish(META);
  return path;
}

for (const dimensions of [1, 15, 16, 96, 384, 1536, 4096]) {
  Deno.test(`the scan of ${dimensions} dimensions gives the cosines within the error of 8 bits`, () => {
    const scanner = new VectorScanner(33, dimensions);
    for (let i = 0; i < 33; i++) {
      scanner.scales[i] = quantizeRow(vector(i, dimensions), scanner.rows, i * strideOf(dimensions));
    }
    const query = vector(5, dimensions);
    const { products, scale } = scanner.products(query);
    for (let i = 0; i < 33; i++) {
      assert.ok(
        Math.abs(products[i]! * scale - dot(query, vector(i, dimensions))) < 0.01,
        `row ${i}: ${products[i]}`,
      );
    }
  });
}

Deno.test("scan_module.ts is compiled from scan.wat", async () => {
  const folder = new URL("../../../../lib/engine/index/vectors/", import.meta.url);
  const wat = await Deno.readTextFile(new URL("scan.wat", folder));
  assert.equal(await Deno.readTextFile(new URL("scan_module.ts", folder)), await simdModule(wat));
});

Deno.test("an index finds the chunks nearest to a query", async () => {
  const folder = await Deno.makeTempDir();
  const seeds = Array.from({ length: 200 }, (_, i) => i);
  const path = await write(`${folder}/index.bin`, { model: "m", dimensions: 24 }, seeds);
  using reader = IndexReader.open(Deno.openSync(path), { key: KEY });
  const query = vector(42, 24);
  const found = reader.vectors!.search(query, 10);
  assert.equal(found[0]!.chunk, 42);
  for (const { chunk, score } of found) {
    assert.ok(Math.abs(score - dot(query, vector(chunk, 24))) < 0.01);
  }
  const allowed = new Uint8Array(200).fill(1);
  allowed[42] = 0;
  assert.ok(reader.vectors!.search(query, 10, allowed).every(({ chunk }) => chunk !== 42));
  assert.deepEqual([...reader.words(3)!], [3, 7]);
  reader.verify();
  await Deno.remove(folder, { recursive: true });
});

Deno.test("kept files keep their vectors", async () => {
  const folder = await Deno.makeTempDir();
  const meta = { model: "m", dimensions: 24 };
  const first = `${folder}/first.bin`;
  {
    using file = await Deno.open(first, { create: true, write: true, read: true });
    const writer = new IndexWriter(file, KEY, [], meta);
    writer.beginFile();
    writer.addChunk({ text: "one", context: "", start: 0, end: 3, startLine: 1, endLine: 1, section: [] });
    writer.setVector(0, vector(1, 24), Uint8Array.of(9));
    writer.endFile(RECORD);
    await writer.finish(META);
  }
  using previous = IndexReader.open(Deno.openSync(first), { key: KEY });
  using reader = IndexReader.open(
    Deno.openSync(await write(`${folder}/second.bin`, meta, [2, 3], previous)),
    { key: KEY },
  );
  assert.deepEqual(reader.vectors!.search(vector(1, 24), 1).map(({ chunk }) => chunk), [0]);
  assert.deepEqual(reader.vectors!.search(vector(3, 24), 1).map(({ chunk }) => chunk), [2]);
  assert.deepEqual([...reader.words(0)!], [9]);
  await Deno.remove(folder, { recursive: true });
});

/** Writes the index at `from` to `to` with some sections replaced and correct checksums. */
function crafted(from: string, to: string, changed: Readonly<Record<string, Uint8Array>>): string {
  const blob = BlobReader.open(Deno.openSync(from), { key: KEY });
  using file = Deno.openSync(to, { create: true, truncate: true, read: true, write: true });
  const writer = new BlobWriter(file, KEY);
  for (const { name } of blob.sections) writer.section(name, changed[name] ?? blob.section(name));
  writer.finish();
  blob.close();
  return to;
}

Deno.test("an index is damaged if its vectors do not fit its metadata, even with sound checksums", async () => {
  const folder = await Deno.makeTempDir();
  const json = (value: unknown) => ({ "vector.meta": new TextEncoder().encode(JSON.stringify(value)) });
  const meta = { model: "m", dimensions: 24 };
  const path = await write(`${folder}/index.bin`, meta, [5, 6]);
  const changes: Record<string, Uint8Array>[] = [
    json(null),
    json([]),
    json({ ...meta, model: 1 }),
    ...[0, -1, 1.5, 16_385, "24", null, 16, 33].map((dimensions) => json({ ...meta, dimensions })),
    { vectors: new Uint8Array(32) },
    { "vector.scales": new Uint8Array(12) },
    { "word.offsets": new Uint8Array(16) },
    { "word.offsets": new Uint8Array(25) },
  ];
  for (const change of changes) {
    const bad = crafted(path, `${folder}/bad.bin`, change);
    const what = JSON.stringify([new TextDecoder().decode(change["vector.meta"]), change]);
    assert.throws(
      () => IndexReader.open(Deno.openSync(bad), { key: KEY }).close(),
      DamagedIndexError,
      what,
    );
  }
  IndexReader.open(Deno.openSync(crafted(path, `${folder}/same.bin`, {})), { key: KEY }).close();
  const words = { "word.offsets": new Uint8Array(new Float64Array([0, NaN, NaN]).buffer) };
  using reader = IndexReader.open(Deno.openSync(crafted(path, `${folder}/words.bin`, words)), { key: KEY });
  assert.throws(() => reader.words(0), DamagedIndexError);
  assert.equal(reader.damage, "range outside of section words");
  await Deno.remove(folder, { recursive: true });
});
