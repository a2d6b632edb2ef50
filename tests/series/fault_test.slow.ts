import { deepEqual, equal, ok } from "node:assert/strict";
import { ON_LINUX } from "../attacks/_arena.ts";
import { hasStrace } from "../attacks/_strace.ts";
import { COMMANDS } from "./fault/arena.ts";
import { CONDITIONS, runConditions } from "./fault/conditions.ts";
import { FAULTS } from "./fault/inject.ts";
import { runProcesses } from "./fault/processes.ts";
import { runSeries, type Tried } from "./fault/series.ts";

const wrong = (results: readonly Tried[]) => results.filter(({ defects }) => defects.length > 0);

// `deno task series fault` tries every fault at every operation, and as many processes as asked for.
for (const delta of [false, true]) {
  const kind = delta ? "two files" : "one file";
  Deno.test(`after a fault at a file operation an index in ${kind} is old or new, and the next run completes it`, async () => {
    const results = await runSeries({ tries: 80, seed: 1, arena: { delta } });
    deepEqual(wrong(results), []);
    const combinations = new Set(results.map(({ command, fault }) => `${command} ${fault}`));
    equal(combinations.size, Object.keys(COMMANDS).length * FAULTS.length);
    for (const end of ["succeeded", "refused", "killed"]) ok(results.some((tried) => tried.end === end), end);
  });
}

Deno.test({
  name:
    "after a process was killed or failed at a system call the index is old or new, and the next run completes it",
  ignore: !await hasStrace(),
  fn: async () => {
    const results = await runProcesses({ tries: 7, seed: 1 });
    deepEqual(wrong(results), []);
    ok(results.some(({ end }) => end === "killed"));
  },
});

// `deno task series fault --conditions` tries each condition as often as asked for.
Deno.test({
  name:
    "the program survives other writers, old locks, wrong clocks, full disks, read-only folders and damage",
  // other systems have neither `mount` nor `prlimit` as the conditions use them
  ignore: !ON_LINUX,
  fn: async () => {
    const results = await runConditions({ tries: 1, seed: 1, arena: { delta: true } });
    deepEqual(results.map(({ name }) => name), Object.keys(CONDITIONS));
    deepEqual(results.filter(({ outcomes }) => outcomes.some(({ defects }) => defects.length > 0)), []);
  },
});
