// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Records what the program of a checkout answers to several hundred calls, one text file a call, so that `diff -r` of two records
 * shows every change of behaviour. It takes nothing from the program but the program itself. See README.md.
 *
 * ```sh
 * deno run -A --config ROOT/deno.dev.json research/recorded_calls/record.ts ROOT OUT [--executable FILE] [--models FOLDER]
 * ```
 * @module
 */
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import {
  recordEnd,
  recordEvaluation,
  recordExtract,
  recordHelp,
  recordIndexing,
  recordMistakes,
  recordSearches,
} from "./_command_line.ts";
import { makeFixtures } from "./_fixtures.ts";
import { recordProtocol, recordWritingTools } from "./_protocol.ts";
import { recordCopies, recordModels, recordServers, recordSettings } from "./_upkeep.ts";
import { PLACE, programOf, Recorder } from "./_recorder.ts";

const { values, positionals } = parseArgs({
  args: Deno.args,
  allowPositionals: true,
  options: {
    executable: { type: "string" },
    base: { type: "string" },
    shared: { type: "string" },
    models: { type: "string" },
  },
});
const [root, out] = positionals.map((path) => resolve(path));
if (root === undefined || out === undefined) {
  console.error(
    "usage: record.ts ROOT OUT [--executable FILE] [--base FOLDER] [--shared FOLDER] [--models FOLDER]",
  );
  Deno.exit(2);
}
Deno.mkdirSync(out, { recursive: true });
if ([...Deno.readDirSync(out)].length > 0) {
  console.error(`${out} is not empty`);
  Deno.exit(2);
}

// The fixtures lie in one place, so only one recording runs at a time.
using lock = Deno.openSync(`${PLACE}.lock`, { write: true, create: true });
console.error(`waiting for other recordings (${PLACE}.lock)`);
lock.lockSync(true);

const start = performance.now();
const recorder = new Recorder(programOf(root, values.executable && resolve(values.executable)), out);
const { queries } = makeFixtures({
  root,
  base: values.base,
  shared: values.shared ?? join(root, "../shared"),
  models: values.models,
});
const step = async (name: string, ...works: ((recorder: Recorder) => Promise<void>)[]) => {
  for (const work of works) await work(recorder);
  console.error(`${name}: ${((performance.now() - start) / 1000).toFixed(0)} s`);
};
// Steps that run at the same time do not share an index that one of them writes.
await Promise.all([
  step("help, documents", recordHelp, recordExtract),
  values.models === undefined ? undefined : step("models", recordModels),
  (async () => {
    await step("indexes", recordIndexing);
    await Promise.all([
      step("searches", (recorder) => recordSearches(recorder, queries), recordEvaluation),
      step("server, settings", recordProtocol, recordSettings),
    ]);
    await step("copies, servers of models", recordWritingTools, recordServers, recordCopies);
  })(),
]);
await step("mistakes, end", recordMistakes, recordEnd);
for (const [section, count] of recorder.counts) console.log(`${count}\t${section}`);
