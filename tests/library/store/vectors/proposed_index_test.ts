import { deepEqual, equal } from "node:assert/strict";
import { BlobIndex, IndexReader, IndexWriter, MemoryFile, quantizeRow } from "#engine/index/mod.ts";
import { UserError } from "#foundation/errors.ts";
import type { ChunkFilter } from "#library/store/mod.ts";
import { bringVectors } from "#library/store/vectors/bring_vectors.ts";
import { withProposer } from "#library/store/vectors/proposed_index.ts";
import { chunk, META, random, recordOf } from "../../../engine/index/_build.ts";
import { KEY } from "../../../engine/index/_blob_forge.ts";
import { ListedVectors, NumberedVectors } from "./_listed_vectors.ts";

const DIMENSIONS = 24, MODEL = { id: "test", dimensions: DIMENSIONS };
const next = random(29);

function vector(): Float32Array {
  const numbers = Float32Array.from({ length: DIMENSIONS }, () => next() - 0.5);
  const length = Math.hypot(...numbers);
  return numbers.map((number) => number / length);
}

/** An index of 400 chunks in 40 files, of which every tenth has the text and the vector of an earlier one. */
async function indexOf400(): Promise<BlobIndex> {
  const file = new MemoryFile();
  const writer = new IndexWriter(file, KEY, [], { model: MODEL.id, dimensions: DIMENSIONS });
  const vectors: Float32Array[] = [];
  for (let i = 0; i < 400; i++) {
    if (i % 10 === 0) writer.beginFile();
    const text = i % 10 === 9 ? `text ${i - 5}` : `text ${i}`;
    writer.addChunk(chunk(text, { start: 20 * (i % 10) }));
    vectors.push(i % 10 === 9 ? vectors[i - 5]! : vector());
    writer.setVector(i, vectors[i]!);
    if (i % 10 === 9) writer.endFile(recordOf(`${String(i).padStart(3, "0")}.md`));
  }
  await writer.finish(META);
  return new BlobIndex(IndexReader.open(file, { key: KEY }));
}

const FILTERS: readonly (ChunkFilter | undefined)[] = [
  undefined,
  {
    files: Uint8Array.from({ length: 40 }, (_, i) => i % 7 === 0 ? 1 : 0),
    phrases: [],
    excluded: [],
    excludedPhrases: [],
  },
  { files: new Uint8Array(40), phrases: [], excluded: [], excludedPhrases: [] },
  { phrases: ["text 3"], excluded: [], excludedPhrases: [] },
];

const PLACES = [
  ["hash", () => new ListedVectors(MODEL)],
  ["number", () => new NumberedVectors(MODEL)],
] as const;

for (const [kind, place] of PLACES) {
  Deno.test(`the nearest chunks by vectors that are proposed by ${kind} are those of the exact scan, scores and ties included, with any filter`, async () => {
    const index = await indexOf400();
    const vectors = place();
    await bringVectors(index, vectors);
    equal(vectors.rows.size, 360, "a text counts once");
    const proposed = withProposer(index, vectors);
    for (let i = 0; i < 30; i++) {
      const query = { vector: vector(), model: MODEL.id };
      for (const filter of FILTERS) {
        for (const limit of [1, 7, 50, 1000]) {
          const wanted = { limit, filter, ...(i % 2 === 1 && { exceptFiles: new Set([0, 3, 38]) }) };
          deepEqual(await proposed.byVector(query, wanted), await index.byVector(query, wanted));
        }
      }
      const chunks = Int32Array.of(0, 4, 9, 17, 399);
      deepEqual(await proposed.cosines(query, chunks), await index.cosines(query, chunks));
    }
    equal(proposed.vectorProblem, undefined);
  });
}

Deno.test("of more chunks than are all compared, the nearest are proposed, again and more of them until enough pass a filter", async () => {
  const index = await indexOf400();
  const vectors = new ListedVectors(MODEL);
  await bringVectors(index, vectors);
  const proposed = withProposer(index, vectors, { mostAmong: 50 });
  const query = { vector: vector(), model: MODEL.id };
  const filter = (files: number): ChunkFilter => ({
    files: Uint8Array.from({ length: 40 }, (_, i) => i < files ? 1 : 0),
    phrases: [],
    excluded: [],
    excludedPhrases: [],
  });
  for (const wanted of [{ limit: 10 }, { limit: 10, filter: filter(6) }, { limit: 10, filter: filter(5) }]) {
    deepEqual(await proposed.byVector(query, wanted), await index.byVector(query, wanted));
  }
  deepEqual(vectors.asked, [[20, undefined], [20, undefined], [80, undefined], [20, 45]]);
});

Deno.test("a model with other vectors is not asked", async () => {
  const index = await indexOf400();
  const vectors = new ListedVectors(MODEL);
  await bringVectors(index, vectors);
  const proposed = withProposer(index, vectors);
  deepEqual(await proposed.byVector({ vector: vector(), model: "other" }, { limit: 3 }), []);
  deepEqual(await proposed.byVector({ vector: new Float32Array(3), model: undefined }, { limit: 3 }), []);
  deepEqual(vectors.asked, []);
});

for (const [kind, place] of PLACES) {
  Deno.test(`the index compares its own vectors while some are missing in a place that proposes by ${kind}, and when that fails`, async () => {
    const index = await indexOf400();
    const vectors = place();
    await bringVectors(index, vectors);
    const [gone] = vectors.rows.keys();
    vectors.rows.delete(gone!);
    const query = { vector: vector(), model: MODEL.id }, wanted = { limit: 40 };
    const expected = await index.byVector(query, wanted);
    const lacking = withProposer(index, vectors);
    deepEqual(await lacking.byVector(query, wanted), expected);
    deepEqual([vectors.asked, lacking.vectorProblem], [[], undefined]);
    await bringVectors(index, vectors);
    const proposed = withProposer(index, vectors);
    deepEqual(await proposed.byVector(query, wanted), expected);
    deepEqual(vectors.asked, [[80, 360]]);
    vectors.before = () => {
      throw new UserError("vectors_unavailable", { address: "127.0.0.1", reason: "refused" });
    };
    deepEqual(await proposed.byVector(query, wanted), expected);
    equal(proposed.vectorProblem?.key, "vectors_unavailable");
    const failing = withProposer(index, vectors), chunks = Int32Array.of(3, 9);
    deepEqual(await failing.cosines(query, chunks), await index.cosines(query, chunks));
    equal(failing.vectorProblem?.key, "vectors_unavailable");
  });
}

for (const [kind, place] of PLACES) {
  Deno.test(`the index compares its own vectors where some that a filter lets through are removed from a place that proposes by ${kind}`, async () => {
    const index = await indexOf400();
    const vectors = place();
    await bringVectors(index, vectors);
    const query = { vector: vector(), model: MODEL.id };
    const wanted = { limit: 400, exceptFiles: new Set([0]) };
    const expected = await index.byVector(query, wanted);
    const proposed = withProposer(index, vectors);
    deepEqual(await proposed.byVector(query, wanted), expected);
    const before = vectors.asked.length;
    vectors.rows.delete([...vectors.rows.keys()].at(-1)!);
    for (let i = 0; i < 3; i++) deepEqual(await proposed.byVector(query, wanted), expected);
    equal(vectors.asked.length, before + 1, "it is asked no more");
  });
}

Deno.test("vectors of texts that are gone are removed, and those that are there are not sent again", async () => {
  const index = await indexOf400();
  const vectors = new ListedVectors(MODEL);
  const numbers = new Int8Array(DIMENSIONS);
  const scale = quantizeRow(vector(), numbers, 0);
  await vectors.add({ hashes: [new Uint8Array(16).fill(7)], numbers, scales: Float32Array.of(scale) });
  deepEqual(await bringVectors(index, vectors), { added: 360, wanted: 360 });
  deepEqual(vectors.rows.has("07".repeat(16)), false);
  deepEqual(await bringVectors(index, vectors), { added: 0, wanted: 360 });
});
