import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { bootstrapMeans, percentile } from "#library/evaluate/evaluate.ts";

const halves = Array.from({ length: 400 }, (_, at) => at % 2);

Deno.test("bootstrapMeans() returns the same intervals for the same values", () => {
  deepEqual(bootstrapMeans([halves]), bootstrapMeans([halves]));
});

Deno.test("bootstrapMeans() is close to the normal interval, mean ± 1.96 s/√n, for normal values", () => {
  const [estimate] = bootstrapMeans([halves]);
  equal(estimate!.mean, 0.5);
  const half = 1.96 * 0.5 / Math.sqrt(400);
  ok(Math.abs(estimate!.low - (0.5 - half)) < 0.006, `${estimate!.low}`);
  ok(Math.abs(estimate!.high - (0.5 + half)) < 0.006, `${estimate!.high}`);
});

Deno.test("equal values have an interval of width 0", () => {
  const better = halves.map((value) => value + 0.25);
  const [, , difference] = bootstrapMeans([halves, better, better.map((value, at) => value - halves[at]!)]);
  deepEqual(difference, { mean: 0.25, low: 0.25, high: 0.25 });
});

Deno.test("an interval contains its mean and is between the least and the greatest value", () => {
  const values = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 30 });
  fc.assert(
    fc.property(values, (column) => {
      const { mean, low, high } = bootstrapMeans([column])[0]!;
      const slack = 1e-9;
      ok(low <= mean + slack && mean <= high + slack);
      ok(low >= Math.min(...column) - slack && high <= Math.max(...column) + slack);
    }),
    { numRuns: 30 },
  );
});

Deno.test("percentile() takes the nearest rank", () => {
  const values = [10, 20, 30, 40];
  deepEqual([0, 0.25, 0.5, 0.51, 0.95, 1].map((share) => percentile(values, share)), [
    10,
    10,
    20,
    30,
    40,
    40,
  ]);
  equal(percentile([], 0.5), 0);
});
