import { deepEqual } from "node:assert/strict";
import { EXECUTABLE } from "../e2e/_program.ts";
import { CONDITIONS, runConditions } from "../series/fault/conditions.ts";
import { ON_LINUX } from "./_attack.ts";

// `deno task series fault --conditions` tries each condition as often as asked for.
Deno.test({
  name:
    "the program survives other writers, old locks, wrong clocks, full disks, read-only folders and damage",
  // other systems have neither `mount` nor `prlimit` as the conditions use them
  ignore: !ON_LINUX,
  fn: async () => {
    const results = await runConditions({
      tries: 1,
      seed: 1,
      arena: { delta: true },
      executable: EXECUTABLE,
    });
    deepEqual(results.map(({ name }) => name), Object.keys(CONDITIONS));
    deepEqual(results.filter(({ outcomes }) => outcomes.some(({ defects }) => defects.length > 0)), []);
  },
});
