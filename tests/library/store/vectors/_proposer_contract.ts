import { deepEqual, equal, ok } from "node:assert/strict";
import { quantizeRow } from "#engine/index/mod.ts";
import type { VectorProposer, VectorRows } from "#library/store/vectors/proposer.ts";
import { random } from "../../../engine/index/_build.ts";

/** Rows of random vectors; the first numbers of a hash are those of its row. */
export function someRows(
  count: number,
  dimensions: number,
  seed = 29,
): VectorRows & { readonly vectors: Float32Array[] } {
  const next = random(seed);
  const vectors = Array.from({ length: count }, () => {
    const numbers = Float32Array.from({ length: dimensions }, () => next() - 0.5);
    const length = Math.hypot(...numbers);
    return numbers.map((number) => number / length);
  });
  const numbers = new Int8Array(count * dimensions);
  const scales = Float32Array.from(vectors, (vector, i) => quantizeRow(vector, numbers, i * dimensions));
  const hashes = vectors.map((_, i) => {
    const hash = new Uint8Array(16).fill(seed);
    new DataView(hash.buffer).setUint32(0, i * 2654435761 >>> 0);
    return hash;
  });
  return { hashes, numbers, scales, vectors };
}

/** The numbers and scale of each row by its hash. */
function byHash({ hashes, numbers, scales }: VectorRows, dimensions: number): Record<string, string> {
  return Object.fromEntries(
    hashes.map((hash, i) => [
      hash.toHex(),
      `${numbers.subarray(i * dimensions, (i + 1) * dimensions).join()} ${scales[i]}`,
    ]),
  );
}

/** The first `count` rows. */
function firstOf({ hashes, numbers, scales }: VectorRows, count: number, dimensions: number): VectorRows {
  return {
    hashes: hashes.slice(0, count),
    numbers: numbers.subarray(0, count * dimensions),
    scales: scales.subarray(0, count),
  };
}

/** Checks that a {@linkcode VectorProposer}, which has no vectors yet, does what all of them do. */
export async function checkProposer(proposer: VectorProposer): Promise<void> {
  const { dimensions } = proposer.model;
  const rows = someRows(300, dimensions);
  const { hashes, vectors } = rows;
  deepEqual(await proposer.has(hashes.slice(0, 2)), [false, false], "there are none yet");
  await proposer.keepOnly(() => false);
  await proposer.add(firstOf(rows, 200, dimensions));
  await proposer.add(rows);
  deepEqual(await proposer.has([hashes[299]!, new Uint8Array(16), hashes[0]!]), [true, false, true]);

  const unknown = new Uint8Array(16).fill(250);
  const found = await proposer.rowsOf([hashes[7]!, unknown, hashes[250]!]);
  const all = byHash(rows, dimensions);
  const expected = [hashes[7]!, hashes[250]!].map((hash) => [hash.toHex(), all[hash.toHex()]!]);
  deepEqual(byHash(found, dimensions), Object.fromEntries(expected), "numbers and scales as they were added");

  const exact = (query: Float32Array, some: readonly number[], limit: number) =>
    some.map((i) => ({ i, cosine: query.reduce((sum, value, at) => sum + value * vectors[i]![at]!, 0) }))
      .sort((a, b) => b.cosine - a.cosine).slice(0, limit).map(({ i }) => hashes[i]!.toHex());
  const everyone = hashes.map((_, i) => i), some = everyone.filter((i) => i % 3 === 1);
  let near = 0;
  for (let i = 0; i < 20; i++) {
    const query = vectors[i * 11]!.map((value, at) => value + (at % 5 - 2) * 0.02);
    const [first] = (await proposer.nearest(query, { limit: 10 })).hashes;
    equal(first?.toHex(), exact(query, everyone, 1)[0], "the nearest comes first");
    const proposed = new Set(
      (await proposer.nearest(query, { limit: 60 })).hashes.map((hash) => hash.toHex()),
    );
    near += exact(query, everyone, 20).filter((hash) => proposed.has(hash)).length;
    const among = some.map((i) => hashes[i]!);
    const ofSome = (await proposer.nearest(query, { limit: 30, among })).hashes.map((hash) => hash.toHex());
    deepEqual(exact(query, some, 10).filter((hash) => !ofSome.includes(hash)), [], "the nearest among some");
    deepEqual(ofSome.filter((hash) => among.every((each) => each.toHex() !== hash)), [], "no others");
    const amongNumbers = await proposer.numbersOf?.([...among, among[0]!]);
    if (amongNumbers === undefined) continue;
    const byNumber = await proposer.nearest(query, { limit: 30, amongNumbers });
    deepEqual(byNumber.hashes.map((hash) => hash.toHex()), ofSome, "the same by number");
  }
  ok(near >= 20 * 20 * 0.98, `${near} of 400 of the nearest are proposed`);

  const kept = new Set(hashes.slice(100).map((hash) => hash.toHex()));
  await proposer.keepOnly((hash) => kept.has(hash.toHex()));
  deepEqual(await proposer.has([hashes[99]!, hashes[100]!]), [false, true]);
  equal((await proposer.nearest(vectors[99]!, { limit: 1000 })).hashes.length, 200);
}
