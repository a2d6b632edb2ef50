// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Makes one measurement of vectors or of the hybrid search, and prints it as JSON. Each measurement runs in a separate
 * process. The text consists of words from the built-in table, drawn by Zipf's law.
 */
import { join } from "node:path";
import { loadConfig } from "../../lib/config/mod.ts";
import { EmbeddingPool, loadTable, type Table } from "../../lib/embedding/mod.ts";
import { IndexReader, IndexWriter } from "../../lib/index/mod.ts";
import { BuiltinEmbedder, builtinMeta } from "../../lib/ingest/builtin_embedder.ts";
import { openLibrary, type SearchMode } from "../../lib/search/mod.ts";
import { indexPath } from "../../lib/store/data_folder.ts";
import { type BenchLanguage, chunks, queryFrom, random } from "./text.ts";

const QUERIES = 200;
const WARM_UP = 50;
/** Chunks per file. Users' folders hold many small files. */
const CHUNKS_A_FILE = 20;
const RECORD = { mtimeMs: 0, sha256: "", status: "indexed" } as const;
const KEY = new Uint8Array(32);
const META = { settings: "", program: "bench", indexedAt: new Date(0).toISOString() };
const BATCH = 200;

const seconds = (began: number) => (performance.now() - began) / 1000;
const encoder = new TextEncoder();
const bytesOf = (texts: readonly string[]) =>
  texts.reduce((sum, text) => sum + encoder.encode(text).length, 0);

function textsOf(table: Table, language: BenchLanguage, count: number): string[] {
  const [from, to] = language === "en" ? [0, table.englishCount] : [table.englishCount, table.wordCount];
  const words = Array.from({ length: Math.min(60_000, to - from) }, (_, i) => table.words.word(from + i));
  return [...chunks(language, count, words)];
}

/** Measures megabytes embedded per second with `workers` threads; 0 means the calling thread. */
async function embed(language: BenchLanguage, workers: number): Promise<Record<string, number>> {
  const table = loadTable();
  const texts = textsOf(table, language, 20_000);
  using pool = new EmbeddingPool(table, workers);
  const batches = Array.from(
    { length: texts.length / BATCH },
    (_, i) => texts.slice(i * BATCH, (i + 1) * BATCH),
  );
  const run = async () => {
    const underWay = new Set<Promise<void>>();
    for (const batch of batches) {
      while (underWay.size >= pool.capacity) await Promise.race(underWay);
      const work: Promise<void> = pool.embed(batch).then(() => void underWay.delete(work));
      underWay.add(work);
    }
    await Promise.all(underWay);
  };
  await run();
  const began = performance.now();
  await run();
  return { megabytesPerSecond: bytesOf(texts) / 1e6 / seconds(began) };
}

/** Builds an index of generated text. `workers`: threads that compute vectors of the built-in table; -1 for no vectors. */
async function build(
  language: BenchLanguage,
  count: number,
  workers: number,
  folder: string,
): Promise<Record<string, number>> {
  const table = loadTable();
  const texts = textsOf(table, language, count);
  await Deno.mkdir(join(folder, ".muxue_rag"), { recursive: true });
  const files = Array.from(
    { length: Math.ceil(texts.length / CHUNKS_A_FILE) },
    (_, i) => ({ path: `${i}.txt`, texts: texts.slice(i * CHUNKS_A_FILE, (i + 1) * CHUNKS_A_FILE) }),
  );
  for (const { path, texts } of files) await Deno.writeTextFile(join(folder, path), texts.join("\n"));
  const next = random(7);
  const queries = Array.from(
    { length: QUERIES },
    () => queryFrom(language, texts[Math.floor(next() * texts.length)]!, next),
  );
  await Deno.writeTextFile(join(folder, "queries.json"), JSON.stringify(queries));
  const began = performance.now();
  using file = await Deno.open(indexPath(folder), { create: true, truncate: true, read: true, write: true });
  const writer: IndexWriter = new IndexWriter(
    file,
    KEY,
    [],
    workers < 0 ? undefined : builtinMeta(table.dimensions),
  );
  await using embedder = workers < 0 ? undefined : new BuiltinEmbedder(table, workers);
  embedder?.begin(writer);
  for (const { path, texts } of files) {
    writer.beginFile();
    let start = 0;
    for (const [i, text] of texts.entries()) {
      const end = start + text.length;
      writer.addChunk({ text, context: "", start, end, startLine: i + 1, endLine: i + 1, section: [] });
      await embedder?.add(writer.chunkCount - 1, text);
      start = end + 1;
    }
    writer.endFile({ ...RECORD, path, size: start });
  }
  const pause = () => new Promise<void>((resolve) => setTimeout(resolve));
  const { size } = await writer.finish(
    { ...META, root: folder },
    pause,
    () => embedder?.finish() ?? Promise.resolve(),
  );
  const bytes = bytesOf(texts);
  return {
    seconds: seconds(began),
    megabytesPerSecond: bytes / 1e6 / seconds(began),
    size,
    textBytes: bytes,
  };
}

/** Measures whole searches, including reading the texts: times in milliseconds, and the memory of the process. */
async function query(folder: string, mode: SearchMode): Promise<Record<string, number>> {
  const { config } = await loadConfig({ cwd: folder, env: {} });
  const library = openLibrary([folder], config, { key: KEY });
  const queries: string[] = JSON.parse(await Deno.readTextFile(join(folder, "queries.json")));
  let began = performance.now();
  await library.search({ query: queries[0]!, mode });
  const firstMs = performance.now() - began;
  for (const text of queries.slice(0, WARM_UP)) await library.search({ query: text, mode });
  const times: number[] = [];
  for (const text of queries) {
    began = performance.now();
    await library.search({ query: text, mode });
    times.push(performance.now() - began);
  }
  library.close();
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)]!;
  return { firstMs, p50: at(0.5), p95: at(0.95), rssMegabytes: Deno.memoryUsage().rss / 1e6 };
}

/**
 * Measures the search for the nearest 50 of `count` vectors of an outside model: an int8 scan, then float32 scores for the
 * best.
 */
async function scan(dimensions: number, count: number, folder: string): Promise<Record<string, number>> {
  const next = random(3);
  const vector = () => {
    const numbers = Float32Array.from({ length: dimensions }, () => next() - 0.5);
    const length = Math.sqrt(numbers.reduce((sum, number) => sum + number * number, 0));
    return numbers.map((number) => number / length);
  };
  const path = join(folder, "vectors.bin");
  {
    using file = await Deno.open(path, { create: true, truncate: true, read: true, write: true });
    const writer = new IndexWriter(file, KEY, [], { model: "bench", dimensions, exact: true });
    writer.beginFile();
    for (let i = 0; i < count; i++) {
      writer.addChunk({
        text: `${i}`,
        context: "",
        start: i,
        end: i + 1,
        startLine: 1,
        endLine: 1,
        section: [],
      });
    }
    writer.endFile({ ...RECORD, path: "vectors.txt", size: count });
    await writer.finish({ ...META, root: folder }, () => Promise.resolve(), () => Promise.resolve(vector));
  }
  using reader = IndexReader.open(Deno.openSync(path), { key: KEY });
  const times: number[] = [];
  for (let i = 0; i < 60; i++) {
    const question = vector();
    const began = performance.now();
    reader.vectors!.search(question, 50);
    times.push(performance.now() - began);
  }
  await Deno.remove(path);
  times.splice(0, 10);
  times.sort((a, b) => a - b);
  return { p50: times[25]!, p95: times[47]! };
}

const [step, ...args] = Deno.args as [string, string, string, string, string];
const steps: Record<string, () => Promise<Record<string, number>>> = {
  embed: () => embed(args[0] as BenchLanguage, Number(args[1])),
  build: () => build(args[0] as BenchLanguage, Number(args[1]), Number(args[2]), args[3]),
  query: () => query(args[0], args[1] as SearchMode),
  scan: () => scan(Number(args[0]), Number(args[1]), args[2]),
};
console.log(JSON.stringify(await steps[step]!()));
