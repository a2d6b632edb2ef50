// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Attacks an index repeatedly and reports how the program behaves. The attacks flip bytes, zero pages, forge contents under
 * correct checksums, change bytes while the index is open, and ship indexes of false texts. Searches must answer as before
 * or refuse; indexing the folder again must repair the index; searches in another folder must still work. Prints a Markdown
 * table. The exit code is 1 if any of this fails. The same seed makes the same series.
 *
 *     deno run --allow-all scripts/damage_series.ts [--seed 1] [--tries 2000] [--only "forged"] [--limit 10]
 *       [--stages "search,index run"] [--detail]
 *
 * `--only`: run only kinds whose name begins with the text. `--limit`: seconds after which a stage counts as a hang.
 * `--detail`: print a row for each kind. Ctrl+C ends the series and prints the table of the tries so far.
 */
import { parseArgs } from "node:util";
import { examples, seriesTable, stagesOf } from "./damage/report.ts";
import { runSeries, type Tried } from "./damage/series.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    tries: { type: "string", default: "2000" },
    only: { type: "string", default: "" },
    limit: { type: "string", default: "10" },
    stages: { type: "string" },
    detail: { type: "boolean", default: false },
  },
});
const began = performance.now();
const results: Tried[] = [];
Deno.addSignalListener("SIGINT", end);
await runSeries({
  seed: Number(values.seed),
  tries: Number(values.tries),
  only: values.only,
  limitMs: Number(values.limit) * 1000,
  stages: stagesOf(values.stages),
  onTry(tried, done, total) {
    results.push(tried);
    if (tried.defects.length > 0) console.error(examples([tried]).trim());
    if (done % 100 === 0) console.error(`${done} of ${total}, ${seconds()} s`);
  },
});
end();

/** Prints the results, also if the series was stopped. */
function end(): never {
  console.log(seriesTable(results, values.detail ? "kind" : "group"));
  console.log(`Seed ${values.seed}, ${results.length} tries, ${seconds()} s.`);
  console.log(examples(results));
  Deno.exit(results.some(({ defects }) => defects.length > 0) ? 1 : 0);
}

function seconds(): string {
  return ((performance.now() - began) / 1000).toFixed(0);
}
