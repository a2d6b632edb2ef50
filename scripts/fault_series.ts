// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Lets index, update, full run, backup, restore and clean meet faults at their file operations: no space left (ENOSPC), an
 * unreadable disk (EIO), no permission (EACCES), the end of the process (kill), and its end in the middle of a write (torn).
 * After each, the index must hold the texts of the state before or after, a backup must be whole or absent, and the next run must
 * bring the index up to date. Prints a Markdown table. The exit code is 1 if any of this fails.
 *
 *     deno run --allow-all scripts/fault_series.ts [--tries 500] [--seed 1] [--processes 0]
 *
 * Without `--tries`, every fault is tried at every operation. `--processes N`: also starts the program N times under strace (Linux),
 * which kills it with signal 9, or lets a system call fail, at system calls on the files of the index.
 */
import { parseArgs } from "node:util";
import { seriesTable } from "./fault/report.ts";
import { runProcesses } from "./fault/processes.ts";
import { runSeries, type Tried } from "./fault/series.ts";

const { values } = parseArgs({
  options: {
    tries: { type: "string" },
    seed: { type: "string", default: "1" },
    processes: { type: "string", default: "0" },
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

await runSeries({ ...(values.tries === undefined ? {} : { tries: Number(values.tries) }), seed, onTry });
const inProcess = results.splice(0);
console.log(`${seriesTable(inProcess)}\nIn one process: ${inProcess.length} tries, ${seconds()} s.\n`);
if (Number(values.processes) > 0) {
  await runProcesses({ tries: Number(values.processes), seed, onTry });
  console.log(`${seriesTable(results)}\nIn processes under strace: ${results.length} tries, ${seconds()} s.`);
}
Deno.exit([...inProcess, ...results].some(({ defects }) => defects.length > 0) ? 1 : 0);
