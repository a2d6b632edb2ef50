// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Makes one measurement of vectors, and prints it as JSON. Each measurement runs in a separate
 * process. The text consists of words from the built-in table, drawn by Zipf's law.
 */
import { join } from "node:path";
import { EmbeddingPool, loadTable } from "#models/embedding/mod.ts";
import { IndexReader, IndexWriter } from "#engine/index/mod.ts";
import { wordsOf } from "./corpus.ts";
import { type BenchLanguage, chunks, random } from "./text.ts";

const RECORD = { mtimeMs: 0, sha256: "", status: "indexed" } as const;
const KEY = new Uint8Array(32);
const META = { settings: "", program: "bench", indexedAt: new Date(0).toISOString() };
const BATCH = 200;

const seconds = (began: number) => (performance.now() - began) / 1000;
const encoder = new TextEncoder();
const bytesOf = (texts: readonly string[]) =>
  texts.reduce((sum, text) => sum + encoder.encode(text).length, 0);

/** Measures megabytes embedded per second with `workers` threads; 0 means the calling thread. */
async function embed(language: BenchLanguage, workers: number): Promise<Record<string, number>> {
  const table = loadTable();
  const texts = [...chunks(language, 20_000, wordsOf(table, language))];
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

/**
 * Measures the search for the nearest 50 of `count` vectors by a scan of int8 numbers.
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
    const writer = new IndexWriter(file, KEY, [], { model: "bench", dimensions });
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
      writer.setVector(i, vector());
    }
    writer.endFile({ ...RECORD, path: "vectors.txt", size: count });
    await writer.finish({ ...META, root: folder });
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

const [step, ...args] = Deno.args as [string, string, string, string];
const steps: Record<string, () => Promise<Record<string, number>>> = {
  embed: () => embed(args[0] as BenchLanguage, Number(args[1])),
  scan: () => scan(Number(args[0]), Number(args[1]), args[2]),
};
console.log(JSON.stringify(await steps[step]!()));
