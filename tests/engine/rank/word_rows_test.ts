import { deepEqual, equal, ok } from "node:assert/strict";
import * as fc from "fast-check";
import { WordRows } from "#engine/rank/word_rows.ts";
import { loadTable } from "#models/embedding/mod.ts";

const table = loadTable();
const { vectors, scales, dimensions, wordCount } = table;
const rows = new WordRows(table);

/** More words than are computed with in one call, the last of the table among them. */
const ids = Int32Array.from({ length: 5000 }, (_, i) => i === 0 ? wordCount - 1 : i * 7919 % wordCount);
const rowOf = (id: number) => vectors.subarray(id * dimensions, (id + 1) * dimensions);

Deno.test("sum() adds rows times their weights like a plain loop, to the bit", () => {
  const weights = Float32Array.from(ids, (_, i) => i % 97 / 89);
  for (const count of [0, 1, 3, 4096, 4097, 5000]) {
    const expected = new Float64Array(dimensions);
    for (let i = 0; i < count; i++) {
      for (const [k, value] of rowOf(ids[i]!).entries()) expected[k]! += weights[i]! * value;
    }
    deepEqual(rows.sum(ids, weights, 0, count).slice(0, dimensions), expected, `${count} rows`);
  }
});

Deno.test("cosines() multiplies rows like a plain loop, to the bit; those of a word without a row are 0", () => {
  const others = Array.from({ length: 32 }, (_, i) => i === 5 ? -3 : ids[i * 100]!);
  for (const width of [1, 6, 32]) {
    const some = others.slice(0, width), found = new Float32Array(ids.length * width);
    rows.cosines(ids, some, 0.999, found);
    const expected = Float32Array.from(found, (_, at) => {
      const id = ids[Math.floor(at / width)]!, other = some[at % width]!;
      if (other < 0) return 0;
      const factors = rowOf(other);
      const product = rowOf(id).reduce((sum, value, k) => sum + value * factors[k]!, 0);
      return Math.min(Math.fround(0.999), product * scales[id]! * scales[other]!);
    });
    deepEqual(found, expected, `${width} words`);
  }
});

Deno.test("near() gives the product and the length of a sum of rows, within its error", () => {
  const question = Float32Array.from(rowOf(4711), (value) => value * scales[4711]!);
  const near = new Float64Array(3);
  rows.ask(question);
  const weightOf = fc.constantFrom<(id: number, i: number) => number>(
    (id, i) => i % 97 / 89 * scales[id]!,
    // One word outweighs all others, which are rounded away.
    (_, i) => i % 11 === 3 ? 1 : 1e-5,
    () => 1,
    () => 0,
  );
  const span = fc.tuple(fc.nat(ids.length), fc.oneof(fc.nat(40), fc.nat(4095)));
  fc.assert(fc.property(span, weightOf, ([from, count], of) => {
    const to = Math.min(ids.length, from + count);
    const weights = Float32Array.from(ids, of);
    const sum = rows.sum(ids, weights, from, to).slice(0, dimensions);
    const product = sum.reduce((all, value, k) => all + value * question[k]!, 0);
    const length = Math.hypot(...sum);
    equal(rows.near(ids, weights, from, to, near), true);
    const [ofQuestion, squares, error] = near;
    const most = error! + 1e-5 * length;
    ok(Math.abs(ofQuestion! - product) <= most, `${ofQuestion} for ${product}`);
    ok(Math.abs(Math.sqrt(squares!) - length) <= most, `${Math.sqrt(squares!)} for ${length}`);
  }));
  const weights = Float32Array.from(ids, (id) => scales[id]!);
  rows.near(ids, weights, 0, 30, near);
  ok(near[2]! <= 0.01 * Math.sqrt(near[1]!), "the error of a sentence is small");
  equal(rows.near(ids, weights, 0, 4096, near), false);
});
