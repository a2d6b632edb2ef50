import { deepEqual } from "node:assert/strict";
import { NeuralFusion } from "#engine/rank/fusion.ts";
import type { PreparedQuery } from "#engine/rank/prepared_query.ts";

/** Returns the shares of the neural leg with weight .6 for candidates that have the same sum of the other legs. */
function neuralShares(scaled: readonly number[]): number[] {
  const query = { weights: { neural: 0.6 }, request: { neural: [] } } as unknown as PreparedQuery;
  const none = new Float64Array(scaled.length);
  const values = {
    cosines: none,
    outliers: none,
    ranks: new Int32Array(scaled.length),
    scaled: Float64Array.from(scaled),
  };
  const rest = new Map([["keyword" as const, new Float64Array(scaled.length).fill(1)]]);
  return [...new NeuralFusion(query).shares(rest, values).get("neural")!];
}

Deno.test("vectors have their whole weight if half of the candidates have one", () => {
  deepEqual(neuralShares([1, 0.5, 0, NaN, NaN, NaN]), [0.6, 0.3, 0, 0, 0, 0]);
});

Deno.test("vectors weigh less if fewer candidates have one, as in a collection in the other language", () => {
  const others = Array(9).fill(NaN);
  deepEqual(neuralShares([1, 0.5, 0, ...others]), [0.3, 0.15, 0, ...Array(9).fill(0)]);
});
