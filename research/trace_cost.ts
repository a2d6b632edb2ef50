// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * The cost of tracing a search: two libraries over one index, one of them traced, asked in turn in one process, in another order each time:
 *
 *     deno run -A --config deno.dev.json research/trace_cost.ts [CHUNKS] [DETAIL] [PAUSE_MS]
 *
 * Prints for each language and mode the medians of both, the median of the ratios of neighbours, and the milliseconds that a trace takes
 * after the answer. With a pause, the trace is written between two searches, as where people ask.
 */
import { join } from "node:path";
import type { Detail } from "#foundation/span.ts";
import { loadConfig } from "#foundation/configuration/mod.ts";
import { NO_LOG } from "#foundation/log.ts";
import { ingest } from "#library/ingest/mod.ts";
import { openLibrary, type SearchMode } from "#library/search/mod.ts";
import { LazyTable, loadTable } from "#models/embedding/mod.ts";
import { Traces } from "#traces/mod.ts";
import { wordsOf, writeCorpus } from "../scripts/bench/corpus.ts";

const ROUNDS = 6;

const [chunks = "1000", detail = "standard", pause = "0"] = Deno.args;
const parent = await Deno.realPath(await Deno.makeTempDir({ prefix: "muxue_rag-traces-" }));
const key = new Uint8Array(32);
const table = new LazyTable();

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

for (const language of ["en", "zh"] as const) {
  const folder = join(parent, language);
  const { questions } = await writeCorpus(folder, language, Number(chunks), wordsOf(loadTable(), language));
  const { config } = await loadConfig({ cwd: folder, env: {} });
  await ingest(folder, config, { stateDir: join(parent, "state"), log: NO_LOG, version: "0", indexKey: key });
  for (const mode of ["keyword", "hybrid"] as SearchMode[]) {
    const options = { dir: join(parent, `${language} ${mode}`), traces: "ids", maxMb: 50, keep: 3 } as const;
    const traces = new Traces({ ...options, detail: detail as Detail, program: "0" });
    const libraries = [
      openLibrary([folder], config, { key, table }),
      openLibrary([folder], config, { key, table, traces: () => Promise.resolve(traces) }),
    ];
    const times: [number[], number[]] = [[], []];
    const after: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (const [i, query] of questions.entries()) {
        const took = [0, 0];
        for (const which of (i + round) % 2 === 0 ? [0, 1] : [1, 0]) {
          const began = performance.now();
          await libraries[which]!.search({ query, mode });
          took[which] = performance.now() - began;
          const ended = performance.now();
          if (which === 1) await traces.flush();
          if (which === 1 && round > 0) after.push(performance.now() - ended);
          if (pause !== "0") await new Promise((resolve) => setTimeout(resolve, Number(pause)));
        }
        if (round > 0) { for (const which of [0, 1] as const) times[which].push(took[which]!); }
      }
    }
    for (const library of libraries) library.close();
    await traces.close();
    const ratio = median(times[0].map((time, i) => times[1][i]! / time));
    const bytes = [...Deno.readDirSync(options.dir)].reduce(
      (sum, { name }) => sum + Deno.statSync(join(options.dir, name)).size,
      0,
    );
    console.log(
      `${language} ${mode}: ${median(times[0]).toFixed(3)} → ${
        median(times[1]).toFixed(3)
      } ms, ratio of medians ${(median(times[1]) / median(times[0])).toFixed(3)}, of pairs ${
        ratio.toFixed(3)
      }; after the answer ${median(after).toFixed(3)} ms; ${
        (bytes / (ROUNDS * questions.length)).toFixed(0)
      } bytes a trace`,
    );
  }
}
await Deno.remove(parent, { recursive: true });
