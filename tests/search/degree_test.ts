import { deepEqual } from "node:assert/strict";
import { degreeOf } from "../../lib/search/degree.ts";

Deno.test("degreeOf() returns low below a coverage of 0.4 and high from 0.6 on", () => {
  deepEqual([0, 0.39, 0.4, 0.59, 0.6, 1].map(degreeOf), ["low", "low", "medium", "medium", "high", "high"]);
});
