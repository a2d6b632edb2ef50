// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Measures speed and size, and prints each row as soon as it is measured.
 *
 * - `startup`: start and idle memory of the executable, beside an empty one and other servers.
 * - `targets`: `large`, a large file, one search of a program that then ends, and local models; and `folders`, the program on folders of
 *   several sizes, beside SQLite FTS5 and LanceDB on the same texts.
 * - `growth`: the figures of `folders` for more chunks, and a picture of them.
 * - `keyword`: the keyword index beside SQLite FTS5, stock Orama, MiniSearch and LanceDB, the engines in turn.
 * - `meaning`: embedding, and the scan of an outside model's vectors.
 * - `neural`: local models beside both builds of ONNX Runtime, and a product of int8 matrices.
 * - `mcp`: round trips of a search from clients to the server, beside the same searches without a server.
 * - `tokens`: what a model reads of this server and of others.
 *
 *     deno task bench [--only startup,targets,keyword,meaning,neural,mcp,tokens | growth] [--before EXECUTABLE]
 *       [--sizes 1000,10000,100000] [--languages en,zh] [--picture FILE] [--json]
 *
 * The program is the executable that TEST_EXECUTABLE names or that is compiled with DENORT_BIN, and otherwise the sources. `--before` names
 * the executable of another commit: `startup`, `targets`, `growth` and `mcp` measure both in turn. Values are medians, the ratio is the
 * median of pairs, and CPU time is the mean of user and system time. `growth` measures 10,000 to 3,000,000 chunks by default, which takes
 * hours and 30 GB of disk in both languages.
 */
import { parseArgs } from "node:util";
import { join } from "node:path";
import { loadTable } from "#models/embedding/mod.ts";
import { wordsOf, writeCorpus } from "./bench/corpus.ts";
import { MeasuredFolder, MODES, programOf, type Side } from "./bench/folder.ts";
import { type Grown, growthPicture } from "./bench/growth.ts";
import { measureLargeFile, measureOneSearch, measureStarts } from "./bench/once.ts";
import { measureOtherStarts } from "./bench/others.ts";
import { install } from "./bench/packages.ts";
import { Samples } from "./bench/samples.ts";
import { type Measured, type Others, type Row, rowsOf } from "./bench/targets.ts";
import type { BenchLanguage } from "./bench/text.ts";
import { executable, NO_EXECUTABLE } from "./compile/own_executable.ts";
import { startFlags } from "./compile/start_flags.ts";

const { values } = parseArgs({
  options: {
    sizes: { type: "string" },
    languages: { type: "string", default: "en,zh" },
    only: { type: "string", default: "startup,targets,keyword,meaning,neural,mcp,tokens" },
    before: { type: "string" },
    picture: { type: "string" },
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
const MCP_RUNS = 3;
/** Chunks of the folder in which 10,000 searches are made. */
const MANY_SEARCHES_AT = 100_000;
/** Most chunks that other engines are measured with. SQLite's searches take a second each at a million. */
const MOST_BESIDE = 100_000;
const languages = values.languages.split(",") as BenchLanguage[];
const folder = await Deno.makeTempDir({ prefix: "muxue_rag-bench-" });
const only = values.only.split(",").flatMap((name) => name === "targets" ? ["large", "folders"] : [name]);
const sizes =
  (values.sizes ?? (only.includes("growth") ? "10000,100000,1000000,3000000" : "1000,10000,100000"))
    .split(",").map(Number);
const tables: Record<string, Row[]> = {};
const sides = await sidesOf();

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

/** The programs that are measured in turn: the one before, if it is named, and the one of these sources. */
async function sidesOf(): Promise<Side[]> {
  const now = await executable();
  const found = values.before === undefined ? [now] : [await Deno.realPath(values.before), now];
  const states = found.map((_, i) => join(folder, `state-${i}`));
  for (const state of states) await Deno.mkdir(state);
  return found.map((executable, i) => ({ state: states[i]!, executable }));
}

/** Prints the figures from the number `from` on. */
function tellFigures(
  table: string,
  measured: Measured,
  samples: Samples,
  others: Others = new Map(),
  from = 0,
): void {
  for (const row of rowsOf(samples, sides.length, measured, others).slice(from)) tell(table, row);
}

async function folderTable(table: "targets" | "growth"): Promise<void> {
  const grown: Grown[] = [];
  const others = table === "targets" ? await otherEngines() : [];
  for (const language of languages) {
    for (const size of sizes) {
      const withManySearches = table === "targets" && size === MANY_SEARCHES_AT && language === languages[0];
      await using texts = await MeasuredFolder.write({
        parent: folder,
        sides,
        measure,
        language,
        size,
        withManySearches,
      });
      let failure: unknown;
      for (const mode of MODES) {
        const samples = new Samples();
        grown.push({ chunks: size, language, mode, samples });
        const engines = new Map<string, Record<string, number>>();
        for (const [id, name] of others) {
          const isMeasured = mode === "keyword" && size <= MOST_BESIDE;
          engines.set(name, isMeasured ? await measureEngine(id, texts, language) : {});
        }
        let told = 0;
        try {
          for await (const _ of texts.measure(mode, samples)) {
            tellFigures(table, { chunks: size, language, mode }, samples, engines, told);
            told = samples.names.length;
          }
        } catch (error) {
          failure = error;
          console.error(`${size} chunks, ${language}, ${mode}: ${error}`);
          hasFailed = true;
        }
      }
      // A larger folder will not do better.
      if (failure !== undefined) break;
      if (table === "growth") continue;
      const filters = new Samples();
      const { first } = await measure("filters.ts", size, 1);
      filters.add("first filter ms", sides.length - 1, first!);
      const engines = new Map(others.map(([, name]) => [name, {}]));
      tellFigures(table, { chunks: size, language, mode: "keyword" }, filters, engines);
    }
  }
  if (table === "growth" && values.picture !== undefined) {
    await Deno.writeTextFile(values.picture, growthPicture(grown, sides.length - 1));
  }
}

/** Other engines that can be measured on a folder: id and name. */
async function otherEngines(): Promise<(readonly [string, string])[]> {
  const installed = await install(join(folder, "engines"), ["@lancedb/lancedb"]);
  return engines.filter(([id]) => id === "fts5" || id === "lancedb" && installed.length > 0)
    .map(([id, name]) => [id, name]);
}

/** The figures of another engine on the texts of a folder, by the names that ours have. */
async function measureEngine(
  engine: string,
  { folder: texts, asked, bytes }: MeasuredFolder,
  language: BenchLanguage,
): Promise<Record<string, number>> {
  const path = join(folder, engine);
  const built = await measure("worker.ts", "build", engine, language, 0, path, texts, asked);
  const queried = await measure("worker.ts", "query", engine, language, 0, path);
  await Deno.remove(path, { recursive: true });
  return {
    "index s": built["seconds"]!,
    "index MB/s": bytes / 1e6 / built["seconds"]!,
    "peak of indexing MB": built["megabytes"]!,
    "index on disk MB": built["size"]! / 1e6,
    "serving MB": queried["rssMegabytes"]!,
    "search p50 ms": queried["p50"]!,
    "search p95 ms": queried["p95"]!,
    "search without server p50 ms": queried["p50"]!,
    "search without server p95 ms": queried["p95"]!,
  };
}

async function onceTable(): Promise<void> {
  const table = "one large file, one search, local models";
  for (const mode of MODES) {
    tellFigures(table, { language: "en", mode }, await measureLargeFile(folder, sides, mode));
  }
  tellFigures(table, { language: "en", mode: "hybrid" }, await measureOneSearch(folder, sides));
  for (const language of languages) {
    const models = new Samples();
    const { chunksPerSecond } = await measure("neural.ts", "program", language, 2);
    models.add("local models, chunks/s", sides.length - 1, chunksPerSecond!);
    tellFigures(table, { language, mode: "local" }, models);
  }
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
  const names = {
    program: "muxue_rag",
    runtime: "onnxruntime-web",
    ...(hasNative ? { native: "onnxruntime-node" } : {}),
  };
  for (const model of ["en", "zh"]) {
    for (const count of [1, 2]) {
      // In turns, and of each the run that other work on the machine has disturbed least.
      const best: Record<string, Record<string, number>> = {};
      for (let run = 0; run < 3; run++) {
        for (const what of Object.keys(names)) {
          const found = await measure("neural.ts", what, model, count);
          const former = best[what]?.["chunksPerSecond"] ?? 0;
          if (found["chunksPerSecond"]! > former) best[what] = found;
        }
      }
      for (const [what, name] of Object.entries(names)) {
        const found = best[what]!;
        tell("neural models, int8, chunks of 256 tokens", {
          model: model === "en" ? "all-MiniLM-L6-v2" : "bge-small-zh-v1.5",
          by: name,
          threads: count,
          "chunks/s": found["chunksPerSecond"]!.toFixed(1),
          "CPU ms a chunk": found["cpuMs"]!.toFixed(0),
          "question ms": found["questionMs"]!.toFixed(1),
          "first ms": found["firstMs"]?.toFixed(0) ?? "",
          "RSS MB": found["megabytes"]!.toFixed(0),
        });
      }
    }
  }
  const { product, productOfPairs, runtime } = await measure("neural.ts", "product");
  tell("product of int8 matrices, 256 × 384 × 1536, one thread, 10^9 multiplications a second", {
    "muxue_rag, bytes": product!.toFixed(1),
    "muxue_rag, 16 bits": productOfPairs!.toFixed(1),
    "onnxruntime-web": runtime!.toFixed(1),
    times: (product! / runtime!).toFixed(2),
  });
}

async function mcpTable(): Promise<void> {
  // Without executables, both run from source with the same limits of memory, so that the difference is that of the protocol.
  const engine = startFlags().filter((flag) => flag.startsWith("--v8-flags="));
  const asked = join(folder, "mcp.json");
  const places = sides.map((_, side) => join(folder, `mcp-${side}`));
  for (const [side, place] of places.entries()) {
    const { questions } = await writeCorpus(place, "en", MCP_CHUNKS, wordsOf(loadTable(), "en"));
    await Deno.writeTextFile(asked, JSON.stringify(questions));
    await programOf(sides[side]!, "hybrid").index(place);
  }
  const last = sides.length - 1;
  for (const clients of [1, 10]) {
    for (const transport of ["stdio", "http", "session"]) {
      const samples = new Samples();
      for (let run = 0; run < MCP_RUNS; run++) {
        const alone = await measureWith(
          engine,
          "searches.ts",
          places[last]!,
          asked,
          sides[last]!.state,
          "hybrid",
          clients,
        ).catch((): Record<string, number> => ({}));
        for (const [side, { state, executable }] of sides.entries()) {
          const found = await measure(
            "round_trip.ts",
            places[side]!,
            asked,
            state,
            transport,
            clients,
            executable ?? "",
          );
          samples.add("round trip p50 ms", side, found["p50"]!, found["cpuMs"]!);
          samples.add("round trip p95 ms", side, found["p95"]!);
          samples.add("exit under load ms", side, found["exitMs"]!);
          if (side < last) continue;
          samples.add("search p50 ms", side, alone["p50"] ?? NaN);
          samples.add("search p95 ms", side, alone["p95"] ?? NaN);
          samples.add("server adds p50 ms", side, found["p50"]! - (alone["p50"] ?? NaN));
        }
      }
      for (const row of rowsOf(samples, sides.length, {}, new Map())) {
        tell("round trips of a hybrid search to the server, 10,000 chunks", {
          transport: TRANSPORTS[transport]!,
          clients,
          ...row,
        });
      }
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
  if (sides.at(-1)!.executable === undefined) {
    console.error(NO_EXECUTABLE);
    return;
  }
  const packages = join(folder, "others");
  await install(packages, ["@modelcontextprotocol/server-filesystem", "mcp-local-rag", "@tobilu/qmd"]);
  const others = await measureOtherStarts(packages, join(folder, "served"));
  tellFigures("the executable, 10,000 chunks", {}, await measureStarts(folder, sides), others);
}

const TABLES: Readonly<Record<string, () => Promise<void>>> = {
  startup: startupTable,
  large: onceTable,
  folders: () => folderTable("targets"),
  growth: () => folderTable("growth"),
  keyword: keywordTable,
  meaning: async () => {
    await embeddingTable();
    await scanTable();
  },
  neural: neuralTable,
  mcp: mcpTable,
  tokens: tokensTable,
};

/** Whether a table could not be measured. The others are. */
let hasFailed = false;
try {
  for (const [name, measureTable] of Object.entries(TABLES)) {
    if (!only.includes(name)) continue;
    await measureTable().catch((error) => {
      console.error(`${name}:`, error);
      hasFailed = true;
    });
  }
  if (values.json) console.log(JSON.stringify(tables, null, 2));
} finally {
  await Deno.remove(folder, { recursive: true });
}
if (hasFailed) Deno.exit(1);

function print(row: Row, withHead: boolean, table: string): void {
  const keys = Object.keys(row);
  const widths = keys.map((key) => key === "figure" ? 35 : Math.max(9, key.length));
  const line = (cells: (string | number)[]) =>
    `| ${cells.map((cell, i) => String(cell).padStart(widths[i]!)).join(" | ")} |`;
  if (withHead) {
    console.log(`\n${table}\n`);
    console.log(line(keys));
    console.log(`|${widths.map((width) => `${"-".repeat(width + 1)}:|`).join("")}`);
  }
  console.log(line(Object.values(row)));
}
