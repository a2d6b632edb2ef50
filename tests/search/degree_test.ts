import { deepEqual } from "node:assert/strict";
import { degreeOf } from "../../lib/search/degree.ts";

Deno.test("a hit is a low match until it covers two fifths of the question, a high one from three fifths on", () => {
  deepEqual([0, 0.39, 0.4, 0.59, 0.6, 1].map(degreeOf), ["low", "low", "medium", "medium", "high", "high"]);
});
