// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Lets index, updates, full run, backup, restore and clean meet faults at their file operations: no space left (ENOSPC), an
 * unreadable disk (EIO), no permission (EACCES), the end of the process (kill), and its end in the middle of a write (torn).
 * After each, the index must hold the texts of the state before or after, a backup must be whole or absent, and the next run must
 * bring the index up to date. Prints a Markdown table. The exit code is 1 if any of this fails.
 *
 *     deno run --allow-all scripts/fault_series.ts [--tries 500] [--seed 1] [--processes 0] [--conditions 0]
 *
 * Without `--tries`, every fault is tried at every operation. `--processes N`: also starts the program N times under strace
 * (Linux), which kills it with signal 9, or lets a system call fail, at system calls on the files of the index.
 * `--conditions N`: runs the program N times under each of the conditions in `fault/conditions.ts`, such as a full disk;
 * some need root, `prlimit` and `faketime`. Both run the executable that TEST_EXECUTABLE or DENORT_BIN gives, otherwise the
 * sources.
 */
import { parseArgs } from "node:util";
import { executable } from "./compile/own_executable.ts";
import { conditionTable, seriesTable } from "./fault/report.ts";
import { runConditions } from "./fault/run_conditions.ts";
import { runProcesses } from "./fault/processes.ts";
import { runSeries, type Tried } from "./fault/series.ts";

const { values } = parseArgs({
  options: {
    tries: { type: "string" },
    seed: { type: "string", default: "1" },
    processes: { type: "string", default: "0" },
    conditions: { type: "string", default: "0" },
  },
});
const began = performance.now();
const results: Tried[] = [];
const seed = Number(values.seed);

function onTry(tried: Tried, done: number, total: number): void {
  results.push(tried);
  const { command, fault, operation, defects } = tried;
  if (defects.length > 0) console.error(`${command}, ${fault} at ${operation}: ${defects.join("; ")}`);
  if (done % 100 === 0) console.error(`${done} of ${total}, ${seconds()} s`);
}

function seconds(): string {
  return ((performance.now() - began) / 1000).toFixed(0);
}

const all: Tried[] = [];
/** Text from which on the program writes small updates beside the index. */
const LARGE_BYTES = 9_000_000;

function tell(where: string): void {
  console.log(`${seriesTable(results)}\n${where}: ${results.length} tries, ${seconds()} s.\n`);
  all.push(...results.splice(0));
}

for (const delta of [false, true]) {
  const tries = values.tries === undefined ? {} : { tries: Number(values.tries) };
  await runSeries({ ...tries, seed, arena: { delta }, onTry });
  tell(`In one process, an index in ${delta ? "two files" : "one file"}`);
}
if (Number(values.processes) > 0) {
  for (const bulk of [0, LARGE_BYTES]) {
    const program = { executable: await executable() };
    await runProcesses({ tries: Number(values.processes), seed, arena: { bulk }, ...program, onTry });
    tell(`In processes under strace, an index in ${bulk > 0 ? "two files" : "one file"}`);
  }
}
let isRight = all.every(({ defects }) => defects.length === 0);
if (Number(values.conditions) > 0) {
  for (const delta of [false, true]) {
    const conditions = await runConditions({
      tries: Number(values.conditions),
      seed,
      arena: { delta },
      executable: await executable(),
      onTry(name, { defects }) {
        if (defects.length > 0) console.error(`${name}: ${defects.join("; ")}`);
      },
    });
    isRight &&= conditions.every(({ outcomes }) => outcomes.every(({ defects }) => defects.length === 0));
    console.log(
      `${conditionTable(conditions)}\nAn index in ${delta ? "two files" : "one file"}, ${seconds()} s.\n`,
    );
  }
}
Deno.exit(isRight ? 0 : 1);
