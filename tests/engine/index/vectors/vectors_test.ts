import { deepEqual, equal, ok, throws } from "node:assert/strict";
import {
  DamagedIndexError,
  type IndexReader,
  IndexWriter,
  MemoryFile,
  type VectorMeta,
} from "#engine/index/mod.ts";
import { quantizeRow, strideOf, VectorIndex, VectorScanner } from "#engine/index/vectors/vector_index.ts";
import { bytesOf, file, META, opened, recordOf } from "../_build.ts";
import { KEY, withSections } from "../_blob_forge.ts";

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

/** Returns an index whose chunk i has the vector of the i-th seed, after the chunks of `previous`. */
async function indexOf(
  meta: VectorMeta,
  seeds: readonly number[],
  previous?: IndexReader,
): Promise<Uint8Array<ArrayBuffer>> {
  const target = new MemoryFile();
  const writer = new IndexWriter(target, KEY, previous && [previous], meta);
  if (previous !== undefined) writer.keep(recordOf("a.txt"), 0);
  const first = writer.chunkCount;
  writer.beginFile();
  for (const [i, chunk] of file("", seeds.map((seed) => `chunk ${seed}`)).chunks.entries()) {
    writer.addChunk(chunk);
    writer.setVector(first + i, vector(seeds[i]!, meta.dimensions), Uint8Array.of(seeds[i]!, 7));
  }
  writer.endFile(recordOf("b.txt"));
  await writer.finish(META);
  return bytesOf(target);
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
      const cosine = dot(query, vector(i, dimensions));
      ok(Math.abs(products[i]! * scale - cosine) < 0.01, `row ${i}: ${products[i]}`);
    }
  });
}

const META_24 = { model: "m", dimensions: 24 };

Deno.test("an index finds the chunks nearest to a query", async () => {
  const reader = opened(await indexOf(META_24, Array.from({ length: 200 }, (_, i) => i)));
  const query = vector(42, 24);
  const found = reader.vectors!.search(query, 10);
  equal(found[0]!.chunk, 42);
  for (const { chunk, score } of found) ok(Math.abs(score - dot(query, vector(chunk, 24))) < 0.01);
  const allowed = new Uint8Array(200).fill(1);
  allowed[42] = 0;
  ok(reader.vectors!.search(query, 10, allowed).every(({ chunk }) => chunk !== 42));
  deepEqual([...reader.words(3)!], [3, 7]);
  reader.verify();
});

Deno.test("the nearest vectors are those with the greatest of all products, at any number of rows", () => {
  const dimensions = 24, query = vector(42, dimensions);
  for (const count of [1, 3, 1023, 1024, 1025, 3000]) {
    const fill = (rows: Int8Array, scales: Float32Array) => {
      // Some rows are equal, and some are zeros.
      for (let i = 0; i < count; i++) {
        if (i % 5 > 0) scales[i] = quantizeRow(vector(i % 700, dimensions), rows, i * strideOf(dimensions));
      }
    };
    const scanner = new VectorScanner(count, dimensions);
    fill(scanner.rows, scanner.scales);
    const { products, scale } = scanner.products(query);
    const all = Array.from(products, (product, chunk) => ({ chunk, score: Math.fround(product * scale) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || a.chunk - b.chunk);
    const index = new VectorIndex({ model: "m", dimensions }, count, { fill, expect: () => {} });
    const allowed = Uint8Array.from({ length: count }, (_, i) => i % 3 === 1 ? 0 : 1);
    for (const limit of [1, 10, count]) {
      deepEqual(index.search(query, limit), all.slice(0, limit));
      const among = all.filter(({ chunk }) => allowed[chunk] === 1);
      deepEqual(index.search(query, limit, allowed), among.slice(0, limit));
    }
  }
});

Deno.test("kept files keep their vectors", async () => {
  const reader = opened(await indexOf(META_24, [2, 3], opened(await indexOf(META_24, [1]))));
  deepEqual([1, 3].map((seed) => reader.vectors!.search(vector(seed, 24), 1)[0]!.chunk), [0, 2]);
  deepEqual([...reader.words(0)!], [1, 7]);
});

Deno.test("an index is damaged if its vectors do not fit its metadata, even with sound checksums", async () => {
  const json = (value: unknown) => ({ "vector.meta": new TextEncoder().encode(JSON.stringify(value)) });
  const good = await indexOf(META_24, [5, 6]);
  const changes: Record<string, Uint8Array>[] = [
    ...[null, [], { ...META_24, model: 1 }].map(json),
    ...[0, -1, 1.5, 16_385, "24", null, 16, 33].map((dimensions) => json({ ...META_24, dimensions })),
    { vectors: new Uint8Array(32) },
    { "vector.scales": new Uint8Array(12) },
    { "word.offsets": new Uint8Array(16) },
    { "word.offsets": new Uint8Array(25) },
  ];
  for (const change of changes) {
    const what = JSON.stringify([new TextDecoder().decode(change["vector.meta"]), change]);
    throws(() => opened(withSections(good, change)), DamagedIndexError, what);
  }
  const words = { "word.offsets": new Uint8Array(new Float64Array([0, NaN, NaN]).buffer) };
  const reader = opened(withSections(good, words));
  throws(() => reader.words(0), DamagedIndexError);
  equal(reader.damage, "range outside of section words");
});
