// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Measures speed and size, each in a fresh process. First it compares the keyword index with SQLite FTS5 and stock Orama,
 * the engines in turn; then it measures embedding, indexing with vectors, hybrid search, and the scan of an outside model's
 * vectors.
 *
 * `deno task bench [--sizes 1000,10000,100000] [--only keyword,meaning,startup] [--json]`
 *
 * `startup` measures the executable of these sources; it needs TEST_EXECUTABLE or DENORT_BIN.
 */
import { parseArgs } from "node:util";
import { join } from "node:path";
import { executable, NO_EXECUTABLE } from "./compile/own_executable.ts";

const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "1000,10000,100000" },
    only: { type: "string", default: "keyword,meaning,startup" },
    json: { type: "boolean", default: false },
  },
});
const engines = [["ours", "muxue_rag", Infinity], ["fts5", "SQLite FTS5", Infinity], [
  "orama",
  "stock Orama",
  10_000,
]] as const;
const folder = await Deno.makeTempDir({ prefix: "muxue_rag-bench-" });
const sizes = values.sizes.split(",").map(Number);
const tables: Record<string, Row[]> = {};

async function measure(script: string, ...args: (string | number)[]): Promise<Record<string, number>> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-prompt",
      "-A",
      join(import.meta.dirname!, "bench", script),
      ...args.map(String),
    ],
  }).output();
  if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

type Row = Record<string, string | number>;

/** Prints a row as soon as it is measured. */
function tell(table: string, row: Row): void {
  const rows = tables[table] ??= [];
  rows.push(row);
  if (!values.json) print(row, rows.length === 1, table);
}

async function keywordTable(): Promise<void> {
  for (const size of sizes) {
    for (const language of ["en", "zh"]) {
      for (const [id, name, most] of engines) {
        if (size > most) continue;
        const path = join(folder, `${id}-${language}-${size}`);
        const built = await measure("worker.ts", "build", id, language, size, path);
        const queried = await measure("worker.ts", "query", id, language, size, path);
        await Deno.remove(path);
        tell("keyword index", {
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
        });
      }
    }
  }
}

async function embeddingTable(): Promise<void> {
  for (const language of ["en", "zh"]) {
    const rates: Row = {};
    for (const threads of [1, 2]) {
      const { megabytesPerSecond } = await measure("meaning.ts", "embed", language, threads);
      rates[`${threads} thread(s) MB/s`] = megabytesPerSecond!.toFixed(1);
    }
    tell("embedding with the built-in table", { language, ...rates });
  }
}

async function hybridTable(): Promise<void> {
  for (const size of sizes) {
    for (const language of ["en", "zh"]) {
      const place = join(folder, `hybrid-${language}-${size}`);
      const row: Row = { chunks: size, language };
      for (
        const [name, threads] of [["no vectors", -1], ["0 threads", 0], ["1 thread", 1], [
          "2 threads",
          2,
        ]] as const
      ) {
        const built = await measure("meaning.ts", "build", language, size, threads, place);
        row[`MB/s, ${name}`] = built["megabytesPerSecond"]!.toFixed(1);
      }
      for (const mode of ["keyword", "hybrid"]) {
        const queried = await measure("meaning.ts", "query", place, mode);
        row[`${mode} p50 ms`] = queried["p50"]!.toFixed(2);
        row[`${mode} p95 ms`] = queried["p95"]!.toFixed(2);
        row[`${mode} RSS MB`] = queried["rssMegabytes"]!.toFixed(0);
      }
      await Deno.remove(place, { recursive: true });
      tell("indexing with vectors, whole searches", row);
    }
  }
}

async function scanTable(): Promise<void> {
  for (const dimensions of [96, 384, 1024]) {
    const { p50, p95 } = await measure("meaning.ts", "scan", dimensions, Math.max(...sizes), folder);
    tell("nearest 50 by an outside model's vectors", {
      vectors: Math.max(...sizes),
      dimensions,
      "p50 ms": p50!.toFixed(2),
      "p95 ms": p95!.toFixed(2),
    });
  }
}

async function startupTable(): Promise<void> {
  const path = await executable();
  if (path === undefined) {
    console.error(NO_EXECUTABLE);
    return;
  }
  const place = join(folder, "startup");
  await measure("meaning.ts", "build", "en", 10_000, 0, place);
  await Deno.remove(join(place, ".muxue_rag"), { recursive: true });
  await Deno.remove(join(place, "queries.json"));
  const found = await measure("startup.ts", path, place);
  const figure = (name: string, digits = 0) => found[name]?.toFixed(digits) ?? "";
  const row = (program: string, prefix: string) =>
    tell("the executable, 10,000 chunks", {
      "": program,
      "MB": figure(`${prefix}Megabytes`, 1),
      "start and end ms": figure(`${prefix}Ms`),
      "initialize ms": figure(`${prefix}InitializeMs`),
      "first search ms": figure(`${prefix}FirstSearchMs`),
      "idle RSS MB": figure(`${prefix}IdleMegabytes`),
      "RSS after a search MB": figure(`${prefix}SearchedMegabytes`),
    });
  row("empty program", "empty");
  row("the launcher alone", "launcher");
  row("launcher and worker", "server");
}

try {
  if (values.only.includes("startup")) await startupTable();
  if (values.only.includes("keyword")) await keywordTable();
  if (values.only.includes("meaning")) {
    await embeddingTable();
    await hybridTable();
    await scanTable();
  }
  if (values.json) console.log(JSON.stringify(tables, null, 2));
} finally {
  await Deno.remove(folder, { recursive: true });
}

function print(row: Row, withHead: boolean, table: string): void {
  const keys = Object.keys(row);
  const line = (cells: (string | number)[]) =>
    `| ${cells.map((cell, i) => String(cell).padStart(Math.max(11, keys[i]!.length))).join(" | ")} |`;
  if (withHead) {
    console.log(`\n${table}\n`);
    console.log(line(keys));
    console.log(`|${keys.map((key) => `${"-".repeat(Math.max(11, key.length) + 1)}:|`).join("")}`);
  }
  console.log(line(Object.values(row)));
}
