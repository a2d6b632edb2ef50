/**
 * The modules of WebAssembly compute the same bits on every machine: digests of their results, which were written on an x64 machine, for
 * numbers from a seeded generator. `deno task test:arm64` compares them under an emulator, and the workflows do on Macs.
 */
import { deepEqual, equal } from "node:assert/strict";
import { createHash } from "node:crypto";
import { strideOf, VectorScanner } from "#engine/index/vectors/vector_index.ts";
import { WordRows } from "#engine/rank/word_rows.ts";
import { RowSums } from "#models/embedding/builtin/row_sums.ts";
import { loadTable } from "#models/embedding/mod.ts";
import { BertEncoder, bertKernels } from "#models/neural/bert.ts";
import { readBert } from "#models/neural/bert_graph.ts";
import { tinyBert } from "./_tiny_bert.ts";

/** Returns numbers from 0 to 1, the same in every run (xorshift32). */
function randomNumbers(): () => number {
  let state = 20261127;
  return () => {
    state ^= state << 13, state ^= state >>> 17, state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

function digestOf(...results: readonly ArrayBufferView[]): string {
  const hash = createHash("sha256");
  for (const { buffer, byteOffset, byteLength } of results) {
    hash.update(new Uint8Array(buffer, byteOffset, byteLength));
  }
  return hash.digest("hex").slice(0, 16);
}

const SCANS = {
  16: "073a072bccc980cd",
  96: "74230ff423f885eb",
  128: "fc882b93d4ab2cb9",
  144: "93d540dc14c32e72",
  384: "61978d12fbde6810",
  4096: "744c8d3f3dc67352",
};
for (const [dimensions, digest] of Object.entries(SCANS)) {
  Deno.test(`a scan of rows of ${dimensions} numbers gives the bits that it gives on x64`, () => {
    const random = randomNumbers();
    const scanner = new VectorScanner(301, Number(dimensions));
    scanner.rows.forEach((_, at) => scanner.rows[at] = random() * 255 - 127);
    scanner.scales.forEach((_, at) => scanner.scales[at] = random());
    const query = Float32Array.from({ length: strideOf(Number(dimensions)) }, () => random() - 0.5);
    const { products, scale } = scanner.products(query);
    const all = products.slice();
    const { places, count } = scanner.above(0, 1000);
    equal(digestOf(all, Float64Array.of(scale), places.subarray(0, count)), digest);
  });
}

Deno.test("sums and cosines of words have the bits that they have on x64", () => {
  const table = loadTable(), random = randomNumbers();
  const ids = Int32Array.from({ length: 5000 }, () => random() * table.wordCount);
  const weights = Float32Array.from(ids, () => random() * 3 - 1);
  const rows = new WordRows(table), sums = new RowSums(table);
  const sum = rows.sum(ids, weights, 0, ids.length).slice(0, table.dimensions);
  const cosines = new Float32Array(ids.length * 32);
  rows.cosines(ids, ids.subarray(0, 32), 0.999, cosines);
  ids.forEach((id, at) => sums.add(id, weights[at]!));
  sums.flush();
  const digests = [sum, cosines, sums.sum.subarray(0, table.dimensions)].map((each) => digestOf(each));
  deepEqual(digests, ["ea215e97f2bd5e19", "6e9c15bca8c179a8", "093cea64f619792a"]);
});

/** Whether the machine rounds a product and a sum together, as all ARM64 and all x64 machines since 2013 (FMA) do. */
async function isFused(): Promise<boolean> {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1 });
  const kernels = await bertKernels(memory);
  if (kernels === undefined) return false;
  const floats = new Float32Array(memory.buffer);
  // Row (1, 1 + 2⁻¹²) times column (-1 - 2⁻¹¹, 1 + 2⁻¹²) is 2⁻²⁴, and 0 if the second product is rounded.
  floats.set([1, 1 + 2 ** -12]);
  floats.set([-1 - 2 ** -11, ...Array(7).fill(0), 1 + 2 ** -12], 64);
  kernels.productOfFloats(0, 8, 256, 4, 2, 8, 1024, 32, 1);
  return floats[256] === 2 ** -24;
}

Deno.test("an encoder gives the bits that it gives on x64, by either arithmetic", async (t) => {
  const bert = readBert(tinyBert(50))!;
  const random = randomNumbers();
  const ids = Array.from({ length: 60 }, () => Math.floor(random() * 50));
  const types = ids.map((_, at) => at < 30 ? 0 : 1);
  const fused = await isFused();
  for (const arithmetic of [undefined, { kind: "pairs" }] as const) {
    const encoder = await BertEncoder.load(bert, 64 * 2 ** 20, arithmetic);
    await t.step({
      name: arithmetic?.kind ?? "the fastest",
      ignore: encoder === undefined || !fused,
      fn: () => equal(digestOf(encoder!.run({ ids, types })), "c8ee741c4faad962"),
    });
  }
});
