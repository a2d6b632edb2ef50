// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Runs a long series of attacks on an index, and prints a Markdown table. The exit code is 1 if an answer or an index was wrong. The
 * same seed makes the same series.
 *
 *     deno task series damage [--seed 1] [--tries 2000] [--only "forged"] [--limit 10] [--stages "search,index run"] [--detail]
 *     deno task series fault [--seed 1] [--tries 500] [--processes 0] [--conditions 0]
 *
 * `damage` flips bytes, zeroes pages, forges contents under correct checksums, changes bytes while the index is open, and ships indexes
 * of false texts. Searches must answer as before or refuse; indexing the folder again must repair the index; searches in another folder
 * must still work. `--only`: kinds whose name begins with the text. `--limit`: seconds after which a stage counts as a hang. `--detail`: a row
 * for each kind. Ctrl+C ends the series and prints the table of the tries so far.
 *
 * `fault` lets index, updates, full run, backup, restore and clean meet faults at their file operations: no space left (ENOSPC), an
 * unreadable disk (EIO), no permission (EACCES), the end of the process (kill), and its end in the middle of a write (torn). After each, the
 * index must hold the texts of the state before or after, a backup must be whole or absent, and the next run must bring the index up to
 * date. Without `--tries`, every fault is tried at every operation. `--processes N`: also starts the program N times under strace (Linux),
 * which kills it with signal 9, or lets a system call fail, at system calls on the files of the index. `--conditions N`: runs the program N
 * times under each of the conditions in `fault/conditions.ts`, such as a full disk; some need root, `prlimit` and `faketime`. Both run the
 * executable that TEST_EXECUTABLE or DENORT_BIN gives, otherwise the sources.
 */
import { parseArgs } from "node:util";
import * as damage from "./damage/series.ts";
import { conditionTable, runConditions } from "./fault/conditions.ts";
import { runProcesses } from "./fault/processes.ts";
import * as fault from "./fault/series.ts";

/** Text from which on the program writes small updates beside the index. */
const LARGE_BYTES = 9_000_000;

const [name, ...args] = Deno.args;
const began = performance.now();
const seconds = () => ((performance.now() - began) / 1000).toFixed(0);
const tellProgress = (done: number, total: number) => {
  if (done % 100 === 0) console.error(`${done} of ${total}, ${seconds()} s`);
};
if (name === "damage") await runDamage();
else if (name === "fault") Deno.exit(await runFaults() ? 0 : 1);
else {
  console.error("usage: deno task series damage|fault [OPTIONS]");
  Deno.exit(2);
}

async function runDamage(): Promise<never> {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: "string", default: "1" },
      tries: { type: "string", default: "2000" },
      only: { type: "string", default: "" },
      limit: { type: "string", default: "10" },
      stages: { type: "string" },
      detail: { type: "boolean", default: false },
    },
  });
  const results: damage.Tried[] = [];
  /** Prints the results, also if the series was stopped. */
  const end = (): never => {
    console.log(damage.seriesTable(results, values.detail ? "kind" : "group"));
    console.log(`Seed ${values.seed}, ${results.length} tries, ${seconds()} s.`);
    console.log(damage.examples(results));
    Deno.exit(results.some(({ defects }) => defects.length > 0) ? 1 : 0);
  };
  Deno.addSignalListener("SIGINT", end);
  await damage.runSeries({
    seed: Number(values.seed),
    tries: Number(values.tries),
    only: values.only,
    limitMs: Number(values.limit) * 1000,
    stages: damage.stagesOf(values.stages),
    onTry(tried, done, total) {
      results.push(tried);
      if (tried.defects.length > 0) console.error(damage.examples([tried]).trim());
      tellProgress(done, total);
    },
  });
  return end();
}

/** Returns whether everything was right. */
async function runFaults(): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: {
      tries: { type: "string" },
      seed: { type: "string", default: "1" },
      processes: { type: "string", default: "0" },
      conditions: { type: "string", default: "0" },
    },
  });
  const seed = Number(values.seed);
  const onTry = (tried: fault.Tried, done: number, total: number) => {
    const { command, fault, operation, defects } = tried;
    if (defects.length > 0) console.error(`${command}, ${fault} at ${operation}: ${defects.join("; ")}`);
    tellProgress(done, total);
  };
  let isRight = true;
  const tell = (results: readonly fault.Tried[], where: string) => {
    console.log(`${fault.seriesTable(results)}\n${where}: ${results.length} tries, ${seconds()} s.\n`);
    isRight &&= results.every(({ defects }) => defects.length === 0);
  };
  const filesOf = (isTwo: boolean) => `an index in ${isTwo ? "two files" : "one file"}`;

  for (const delta of [false, true]) {
    const tries = values.tries === undefined ? {} : { tries: Number(values.tries) };
    tell(
      await fault.runSeries({ ...tries, seed, arena: { delta }, onTry }),
      `In one process, ${filesOf(delta)}`,
    );
  }
  const processes = Number(values.processes);
  for (const bulk of processes > 0 ? [0, LARGE_BYTES] : []) {
    const results = await runProcesses({ tries: processes, seed, arena: { bulk }, onTry });
    tell(results, `In processes under strace, ${filesOf(bulk > 0)}`);
  }
  const tries = Number(values.conditions);
  for (const delta of tries > 0 ? [false, true] : []) {
    const conditions = await runConditions({
      ...{ tries, seed, arena: { delta } },
      onTry(name, { defects }) {
        if (defects.length > 0) console.error(`${name}: ${defects.join("; ")}`);
      },
    });
    isRight &&= conditions.every(({ outcomes }) => outcomes.every(({ defects }) => defects.length === 0));
    console.log(`${conditionTable(conditions)}\nConditions, ${filesOf(delta)}: ${seconds()} s.\n`);
  }
  return isRight;
}
