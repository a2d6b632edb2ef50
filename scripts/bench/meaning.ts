// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Makes one measurement of vectors, and prints it as JSON. Each measurement runs in a separate
 * process. The text consists of words from the built-in table, drawn by Zipf's law.
 */
import { join } from "node:path";
import { EmbeddingPool, loadTable } from "#models/embedding/mod.ts";
import { IndexReader, IndexWriter, strideOf } from "#engine/index/mod.ts";
import wabt from "wabt";
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

/** Reads 64 bytes a step and keeps nothing: as fast as a core can read memory in WebAssembly. */
const READ = `(module (memory (export "memory") 1)
  (func (export "read") (param $at i32) (param $end i32) (result i32) (local $a v128) (local $b v128)
    (loop $steps
      (local.set $a (v128.or (local.get $a)
        (v128.or (v128.load (local.get $at)) (v128.load offset=16 (local.get $at)))))
      (local.set $b (v128.or (local.get $b)
        (v128.or (v128.load offset=32 (local.get $at)) (v128.load offset=48 (local.get $at)))))
      (br_if $steps (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 64))) (local.get $end))))
    (v128.any_true (v128.or (local.get $a) (local.get $b)))))`;

/** Returns a function that measures the milliseconds of reading so many bytes of memory. */
async function plainRead(bytes: number): Promise<() => number> {
  const { parseWat } = await wabt();
  const { buffer } = parseWat("read.wat", READ, { simd: true }).toBinary({});
  const { instance } = await WebAssembly.instantiate(buffer as Uint8Array<ArrayBuffer>);
  const { memory, read } = instance.exports as {
    memory: WebAssembly.Memory;
    read: (at: number, end: number) => number;
  };
  memory.grow(Math.ceil(bytes / 65536));
  // Pages that were never written share one page of zeros.
  new Uint8Array(memory.buffer).fill(1);
  return () => {
    const began = performance.now();
    read(0, bytes);
    return performance.now() - began;
  };
}

/**
 * Measures the search for the nearest 50 of `count` vectors by a scan of int8 numbers, in turns with a plain read of as many bytes.
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
  const bytes = count * strideOf(dimensions);
  const read = await plainRead(bytes);
  const times: number[] = [], reads: number[] = [];
  for (let i = 0; i < 60; i++) {
    const question = vector();
    const began = performance.now();
    reader.vectors!.search(question, 50);
    times.push(performance.now() - began);
    reads.push(read());
  }
  await Deno.remove(path);
  for (const list of [times, reads]) {
    list.splice(0, 10);
    list.sort((a, b) => a - b);
  }
  // The least of each, which other work on the machine disturbs least.
  const rate = (list: readonly number[]) => bytes / 1e6 / list[0]!;
  return { p50: times[25]!, p95: times[47]!, gigabytes: rate(times), readGigabytes: rate(reads) };
}

const [step, ...args] = Deno.args as [string, string, string, string];
const steps: Record<string, () => Promise<Record<string, number>>> = {
  embed: () => embed(args[0] as BenchLanguage, Number(args[1])),
  scan: () => scan(Number(args[0]), Number(args[1]), args[2]),
};
console.log(JSON.stringify(await steps[step]!()));
