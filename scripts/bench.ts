// deno-lint-ignore-file no-console -- a script speaks to its terminal
/**
 * Speed and size of the index beside SQLite FTS5 and stock Orama, every measurement in a fresh process, engines in turn.
 *
 * `deno task bench [--sizes 1000,10000,100000] [--json]`
 */
import { parseArgs } from "node:util";
import { join } from "node:path";

const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "1000,10000,100000" },
    json: { type: "boolean", default: false },
  },
});
const engines = [["ours", "muxue_rag", Infinity], ["fts5", "SQLite FTS5", Infinity], [
  "orama",
  "stock Orama",
  10_000,
]] as const;
const folder = await Deno.makeTempDir({ prefix: "muxue_rag-bench-" });
const rows: Record<string, string | number>[] = [];

async function measure(...args: string[]): Promise<Record<string, number>> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", "-A", join(import.meta.dirname!, "bench", "worker.ts"), ...args],
  }).output();
  if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

try {
  for (const size of values.sizes.split(",").map(Number)) {
    for (const language of ["en", "zh"]) {
      for (const [id, name, most] of engines) {
        if (size > most) continue;
        const path = join(folder, `${id}-${language}-${size}`);
        const built = await measure("build", id, language, String(size), path);
        const queried = await measure("query", id, language, String(size), path);
        await Deno.remove(path);
        const row = {
          chunks: size,
          language,
          engine: name,
          "index s": built["seconds"]!.toFixed(2),
          "MB/s": built["megabytesPerSecond"]!.toFixed(1),
          "disk / text": (built["size"]! / built["textBytes"]!).toFixed(2),
          "load ms": queried["loadMs"]!.toFixed(0),
          "p50 ms": queried["p50"]!.toFixed(2),
          "p95 ms": queried["p95"]!.toFixed(2),
          hits: queried["hits"]!,
          "RSS MB": queried["rssMegabytes"]!.toFixed(0),
        };
        rows.push(row);
        if (!values.json) print(row, rows.length === 1);
      }
    }
  }
  if (values.json) console.log(JSON.stringify(rows, null, 2));
} finally {
  await Deno.remove(folder, { recursive: true });
}

function print(row: Record<string, string | number>, withHead: boolean): void {
  const line = (cells: (string | number)[]) =>
    `| ${cells.map((cell) => String(cell).padStart(11)).join(" | ")} |`;
  if (withHead) {
    console.log(line(Object.keys(row)));
    console.log(`|${Object.keys(row).map(() => `${"-".repeat(12)}:|`).join("")}`);
  }
  console.log(line(Object.values(row)));
}
