// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Lets clients search and read two folders of changing notes for a set time, each through a server process of its own on the
 * same folders. Every second server is restarted or killed now and then. Each note names its version: an old text without
 * the mark `outdated` is a wrong answer. Writes memory, open handles and latency over time as `soak.svg` and `soak.json`.
 * The exit code is 1 after a wrong answer, a note that was not found, an error, or if `verify --deep` complains. Only on
 * Linux.
 *
 *     deno task soak [--seconds 600] [--clients 10] [--notes 200] [--bulk-mb 10] [--change-ms 500] [--pause-ms 0] [--out dist/soak]
 *
 * Runs the executable that TEST_EXECUTABLE or DENORT_BIN gives, otherwise the sources.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { executable } from "./compile/own_executable.ts";
import { reportOf } from "./soak/report.ts";
import { soak } from "./soak/run.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "600" },
    clients: { type: "string", default: "10" },
    notes: { type: "string", default: "200" },
    "bulk-mb": { type: "string", default: "10" },
    "change-ms": { type: "string", default: "500" },
    "pause-ms": { type: "string", default: "0" },
    "restart-seconds": { type: "string", default: "60" },
    "sample-seconds": { type: "string", default: "2" },
    seed: { type: "string", default: "1" },
    out: { type: "string", default: "dist/soak" },
  },
});
const options = {
  seconds: Number(values.seconds),
  clients: Number(values.clients),
  notes: Number(values.notes),
  bulkMb: Number(values["bulk-mb"]),
  changeMs: Number(values["change-ms"]),
  pauseMs: Number(values["pause-ms"]),
  restartSeconds: Number(values["restart-seconds"]),
  sampleSeconds: Number(values["sample-seconds"]),
  seed: Number(values.seed),
};
let told = 0;
const soaked = await soak({
  ...options,
  executable: await executable(),
  onSample({ at, memory, handles, p50, p95 }, tally) {
    if (at < told) return;
    told = at + 30;
    const most = (values: readonly number[]) => Math.max(...values).toFixed(0);
    const { wrong, lost, errors } = tally;
    console.error(
      `${at.toFixed(0)} s: ${most(memory)} MB, ${most(handles)} handles, ${p50?.toFixed(0)}/${
        p95?.toFixed(0)
      } ms, ` +
        `${wrong.length} wrong, ${lost.length} lost, ${errors.length} errors`,
    );
  },
});
const { svg, json, text, isSound } = reportOf(soaked, options);
Deno.mkdirSync(values.out, { recursive: true });
Deno.writeTextFileSync(join(values.out, "soak.svg"), svg);
Deno.writeTextFileSync(join(values.out, "soak.json"), json);
console.log(text);
Deno.exit(isSound ? 0 : 1);
