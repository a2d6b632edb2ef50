// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Measures speed and size, each in a fresh process. `targets`: the program on folders of several sizes, and what was reached of
 * the targets. `keyword`: the keyword index beside SQLite FTS5, stock Orama, MiniSearch and LanceDB, the engines in turn.
 * `meaning`: embedding, and the scan of an outside model's vectors. `neural`: local models beside onnxruntime-node, and a
 * product of int8 matrices. `mcp`: round trips of a search from clients to the server, beside the same searches without a
 * server. `tokens`: what a model reads of this server and of others. `startup`: the executable of these sources; it needs TEST_EXECUTABLE or DENORT_BIN, and `targets`
 * measures it too if it is there.
 *
 * `deno task bench [--sizes 1000,10000,100000] [--million] [--languages en,zh] [--only targets,keyword,meaning,neural,mcp,tokens,startup] [--json]`
 *
 * `--million` adds 1,000,000 chunks to the targets: half an hour and 3 GB of disk.
 */
import { parseArgs } from "node:util";
import { join } from "node:path";
import { loadTable } from "#models/embedding/mod.ts";
import { wordsOf, writeCorpus } from "./bench/corpus.ts";
import { install } from "./bench/packages.ts";
import { Program } from "./bench/program.ts";
import { type Figures, measureFolder, measureOnce, type Target, TARGETS } from "./bench/targets.ts";
import type { BenchLanguage } from "./bench/text.ts";
import { executable, NO_EXECUTABLE } from "./compile/own_executable.ts";
import { startFlags } from "./compile/start_flags.ts";

const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "1000,10000,100000" },
    million: { type: "boolean", default: false },
    languages: { type: "string", default: "en,zh" },
    only: { type: "string", default: "targets,keyword,meaning,neural,mcp,tokens,startup" },
    json: { type: "boolean", default: false },
  },
});
/** Id, name, and the most chunks that it indexes in reasonable time and memory. */
const engines = [
  ["ours", "muxue_rag", Infinity],
  ["fts5", "SQLite FTS5", Infinity],
  ["lancedb", "LanceDB", Infinity],
  ["orama", "stock Orama", 10_000],
  ["minisearch", "MiniSearch", 10_000],
] as const;
/** Transports of `round_trip.ts`. */
const TRANSPORTS: Readonly<Record<string, string>> = {
  stdio: "stdio",
  http: "HTTP, 2026-07-28",
  session: "HTTP, 2025-11-25",
};
const MCP_CHUNKS = 10_000;
const languages = values.languages.split(",") as BenchLanguage[];
const folder = await Deno.makeTempDir({ prefix: "muxue_rag-bench-" });
const sizes = values.sizes.split(",").map(Number);
const tables: Record<string, Row[]> = {};

async function measure(script: string, ...args: (string | number)[]): Promise<Record<string, number>> {
  return await measureWith([], script, ...args);
}

/** As {@linkcode measure}, with flags of the runtime. */
async function measureWith(
  flags: readonly string[],
  script: string,
  ...args: (string | number)[]
): Promise<Record<string, number>> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-prompt",
      "-A",
      ...flags,
      `--config=${join(import.meta.dirname!, "..", "deno.dev.json")}`,
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
  const packages = join(folder, "packages");
  await Deno.mkdir(packages);
  const installed = (await install(packages, ["minisearch", "@lancedb/lancedb"])).map((name) =>
    name.replace(/.*\//, "")
  );
  for (const size of sizes) {
    for (const language of languages) {
      let ours = NaN;
      for (const [id, name, most] of engines) {
        if (size > most || ["minisearch", "lancedb"].includes(id) && !installed.includes(id)) continue;
        const path = join(folder, `${id}-${language}-${size}`);
        const built = await measure("worker.ts", "build", id, language, size, path);
        const queried = await measure("worker.ts", "query", id, language, size, path);
        await Deno.remove(path, { recursive: true });
        if (id === "ours") ours = queried["p50"]!;
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
          "p50 / ours": (queried["p50"]! / ours).toFixed(1),
          hits: queried["hits"]!,
          "RSS MB": queried["rssMegabytes"]!.toFixed(0),
        });
      }
    }
  }
}

async function targetsTable(): Promise<void> {
  const state = join(folder, "state");
  await Deno.mkdir(state);
  const program = new Program(state, await executable());
  const rows: { size: number; language?: BenchLanguage; figures: Figures }[] = [
    { size: 0, figures: await measureOnce(folder, program) },
  ];
  for (const size of [...sizes, ...(values.million ? [1_000_000] : [])]) {
    for (const language of languages) {
      const figures = await measureFolder(folder, program, measure, language, size);
      rows.push({ size, language, figures });
      const shown = Object.entries(figures).map((
        [name, figure],
      ) => [name, figure.toFixed(figure < 10 ? 1 : 0)]);
      tell("the program on a folder, with the built-in vectors", {
        chunks: size,
        language,
        ...Object.fromEntries(shown),
      });
    }
  }
  for (const target of TARGETS) {
    for (const { size, language, figures } of rows) {
      const isMeant = size === target.size && (target.language ?? language) === language;
      if (isMeant) tell("targets", judged(target, language, figures[target.figure]!));
    }
  }
}

function judged(
  { figure, size, most, least }: Target,
  language: BenchLanguage | undefined,
  found: number,
): Row {
  const isMet = most === undefined ? found >= least! : found <= most;
  return {
    figure,
    chunks: size || "",
    language: language ?? "",
    target: most === undefined ? `>= ${least}` : `< ${most}`,
    found: found.toFixed(found < 10 ? 1 : 0),
    verdict: isMet ? "met" : "missed",
  };
}

async function embeddingTable(): Promise<void> {
  for (const language of languages) {
    const rates: Row = {};
    for (const threads of [1, 2]) {
      const { megabytesPerSecond } = await measure("meaning.ts", "embed", language, threads);
      rates[`${threads} thread(s) MB/s`] = megabytesPerSecond!.toFixed(1);
    }
    tell("embedding with the built-in table", { language, ...rates });
  }
}

async function scanTable(): Promise<void> {
  for (const dimensions of [96, 384, 1024]) {
    const found = await measure("meaning.ts", "scan", dimensions, Math.max(...sizes), folder);
    const { p50, p95, gigabytes, readGigabytes } = found;
    tell("nearest 50 by an outside model's vectors", {
      vectors: Math.max(...sizes),
      dimensions,
      "p50 ms": p50!.toFixed(2),
      "p95 ms": p95!.toFixed(2),
      "GB/s": gigabytes!.toFixed(1),
      "plain read GB/s": readGigabytes!.toFixed(1),
    });
  }
}

async function neuralTable(): Promise<void> {
  const packages = join(folder, "native");
  await Deno.mkdir(packages);
  const hasNative = (await install(packages, ["onnxruntime-node"])).length > 0;
  for (const model of ["en", "zh"]) {
    for (const [what, count] of [["program", 1], ["program", 2], ["native", 1], ["native", 2]] as const) {
      if (what === "native" && !hasNative) continue;
      const found = await measure("neural.ts", what, model, count);
      tell("neural models, int8", {
        model: model === "en" ? "all-MiniLM-L6-v2" : "bge-small-zh-v1.5",
        by: what === "program" ? "muxue_rag" : "onnxruntime-node",
        threads: count,
        "chunks/s": found["chunksPerSecond"]!.toFixed(1),
        "question ms": found["questionMs"]!.toFixed(1),
        "first ms": found["firstMs"]?.toFixed(0) ?? "",
        "RSS MB": found["megabytes"]!.toFixed(0),
      });
    }
  }
  const { runtime, kernel } = await measure("neural.ts", "product");
  tell("product of int8 matrices, 256 × 384 × 1536, one thread", {
    "onnxruntime-web 10^9/s": runtime!.toFixed(1),
    "relaxed SIMD 10^9/s": kernel!.toFixed(1),
    times: (kernel! / runtime!).toFixed(2),
  });
}

async function mcpTable(): Promise<void> {
  const place = join(folder, "mcp"), asked = join(folder, "mcp.json"), state = join(folder, "mcp-state");
  // Both run from source with the same limits of memory, so that the difference is that of the protocol.
  const engine = startFlags().filter((flag) => flag.startsWith("--v8-flags="));
  await Deno.mkdir(state);
  const { questions } = await writeCorpus(place, "en", MCP_CHUNKS, wordsOf(loadTable(), "en"));
  await Deno.writeTextFile(asked, JSON.stringify(questions));
  await new Program(state).index(place);
  for (const clients of [1, 10]) {
    for (const transport of ["stdio", "http", "session"]) {
      // In turns, and of each the run that other work on the machine has disturbed least.
      const runs: Record<string, number>[][] = [[], []];
      for (let run = 0; run < 3; run++) {
        runs[0]!.push(await measureWith(engine, "searches.ts", place, asked, state, "hybrid", clients));
        runs[1]!.push(await measure("round_trip.ts", place, asked, state, transport, clients));
      }
      const [alone, found] = runs.map((runs) => runs.sort((a, b) => a["p50"]! - b["p50"]!)[0]!) as [
        Record<string, number>,
        Record<string, number>,
      ];
      tell("round trips of a hybrid search to the server, 10,000 chunks", {
        transport: TRANSPORTS[transport]!,
        clients,
        "search p50 ms": alone["p50"]!.toFixed(2),
        "round trip p50 ms": found["p50"]!.toFixed(2),
        "overhead p50 ms": (found["p50"]! - alone["p50"]!).toFixed(2),
        "search p95 ms": alone["p95"]!.toFixed(2),
        "round trip p95 ms": found["p95"]!.toFixed(2),
        "exit under load ms": found["exitMs"]!.toFixed(0),
      });
    }
  }
}

async function tokensTable(): Promise<void> {
  const place = join(folder, "tokens"), packages = join(folder, "servers");
  await Deno.mkdir(place);
  await Deno.mkdir(packages);
  await install(packages, ["@modelcontextprotocol/server-filesystem", "mcp-local-rag", "@tobilu/qmd"]);
  const found = await measure("tokens.ts", place, packages);
  for (const server of new Set(Object.keys(found).map((key) => key.replace(/\/.*/, "")))) {
    const figure = (name: string) => found[`${server}/${name}`] ?? "";
    tell("tokens (o200k) that a model reads", {
      server,
      "list of tools": figure("list"),
      "with output schemas": figure("whole list"),
      "ten hits": figure("ten hits"),
      "read of a 64 kB file": figure("read"),
      "all of it": figure("whole read"),
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
  await writeCorpus(place, "en", 10_000, wordsOf(loadTable(), "en"));
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
  if (values.only.includes("targets")) await targetsTable();
  if (values.only.includes("startup")) await startupTable();
  if (values.only.includes("keyword")) await keywordTable();
  if (values.only.includes("meaning")) {
    await embeddingTable();
    await scanTable();
  }
  if (values.only.includes("neural")) await neuralTable();
  if (values.only.includes("mcp")) await mcpTable();
  if (values.only.includes("tokens")) await tokensTable();
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
