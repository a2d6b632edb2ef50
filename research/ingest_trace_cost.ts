// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * The cost of tracing an ingestion: a folder of small files indexed anew, with and without a trace in turn, in one process:
 *
 *     deno run -A --config deno.dev.json research/ingest_trace_cost.ts [FILES or FOLDER] [ROUNDS]
 *
 * Prints the seconds of processor time of each run (those of the clock say little on a busy machine), the median of the ratios of
 * neighbours, the share of the time that stages account for, the size of the trace, and what the trace costs alone.
 */
import { join } from "node:path";
import { cpuUsage } from "node:process";
import { loadConfig } from "#foundation/configuration/mod.ts";
import { NO_LOG } from "#foundation/log.ts";
import { ingest } from "#library/ingest/mod.ts";
import { IngestTrace } from "#library/ingest/ingest_trace.ts";
import { LazyTable } from "#models/embedding/mod.ts";
import { type TraceRecord, Traces } from "#traces/mod.ts";

const [files = "10000", rounds = "5"] = Deno.args;
const parent = await Deno.realPath(await Deno.makeTempDir({ prefix: "muxue_rag-traces-" }));
const isFolder = !/^\d+$/.test(files);
const folder = isFolder ? await Deno.realPath(files) : join(parent, "files");
if (!isFolder) {
  await Deno.mkdir(folder);
  const text = "Descale the machine once a month. 每月给咖啡机除垢一次。\n\n".repeat(10);
  for (let i = 0; i < Number(files); i++) {
    await Deno.writeTextFile(join(folder, `${i}.md`), `# Note ${i}\n\n${text}`);
  }
}
const { config } = await loadConfig({ cwd: parent, env: {} });
const context = {
  ...{ stateDir: join(parent, "state"), log: NO_LOG, version: "0", indexKey: new Uint8Array(32) },
  table: new LazyTable(),
};

let record: TraceRecord | undefined;
const traces = new Traces({
  ...{ dir: join(parent, "logs"), traces: "ids", detail: "standard", maxMb: 50, keep: 3, program: "0" },
  onTrace: (finished) => record = finished,
});

/** Seconds of processor time of a full run, all threads together. */
async function run(isTraced: boolean): Promise<number> {
  const before = cpuUsage();
  const span = isTraced ? traces.begin("ingestion") : undefined;
  await ingest(folder, config, context, { full: true, span });
  span?.end();
  await traces.flush();
  const { user, system } = cpuUsage(before);
  return (user + system) / 1e6;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

await run(false);
/** Seconds of processor time for the trace alone: all that a run does for it, without the run. */
async function traceAlone(count: number): Promise<number> {
  const before = cpuUsage();
  const span = traces.begin("ingestion");
  const trace = new IngestTrace(span);
  trace.beginFiles({ load: {}, transform: {}, split: {}, embed: {} });
  const outcome = { status: "indexed", sha256: "", same: false, bytesRead: 500, chunks: 1 } as const;
  for (let i = 0; i < count; i++) {
    const path = `${i}.md`;
    const file = trace.beginFile(path);
    for (const stage of ["load", "load", "waiting", "split", "transform", "embed"] as const) {
      file.passed(stage);
    }
    const record = { path, size: 500, mtimeMs: 0, sha256: "", status: "indexed" } as const;
    trace.endFile(path, { ...outcome, record }, undefined);
  }
  trace.endFiles();
  span.end();
  await traces.flush();
  const { user, system } = cpuUsage(before);
  return (user + system) / 1e6;
}

const ratios: number[] = [];
const plain: number[] = [];
for (let round = 0; round < Number(rounds); round++) {
  const order = round % 2 === 0 ? [false, true] : [true, false];
  const times = new Map<boolean, number>();
  for (const isTraced of order) times.set(isTraced, await run(isTraced));
  plain.push(times.get(false)!);
  ratios.push(times.get(true)! / times.get(false)!);
  console.log(
    `round ${round + 1}: ${times.get(false)!.toFixed(2)} s, traced ${times.get(true)!.toFixed(2)} s`,
  );
}
const { ms, spans } = record!;
let [covered, until] = [0, 0];
const stages = spans.filter(({ stage }) => stage !== "file").sort((a, b) => a.from - b.from);
for (const { from, ms } of stages) {
  covered += Math.max(0, from + ms - Math.max(from, until));
  until = Math.max(until, from + ms);
}
console.log(
  `median ratio ${median(ratios).toFixed(4)}, stages ${(100 * covered / ms).toFixed(1)} % of the time`,
);
console.log(`${spans.length} spans, ${(JSON.stringify(record).length / 1e6).toFixed(1)} MB`);
const count = spans.filter(({ stage }) => stage === "file").length;
const alone: number[] = [];
for (let i = 0; i < 15; i++) alone.push(await traceAlone(count));
const share = 100 * median(alone) / median(plain);
console.log(
  `the trace alone: ${median(alone).toFixed(3)} s of ${median(plain).toFixed(2)} s, ${share.toFixed(2)} %`,
);
await traces.close();
await Deno.remove(parent, { recursive: true });
