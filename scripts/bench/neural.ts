// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Makes one measurement of neural models, and prints it as JSON. Each measurement runs in a separate process. `program MODEL
 * WORKERS`: the program's threads. `runtime MODEL WORKERS`: the same threads with ONNX Runtime for WebAssembly. `native MODEL THREADS`:
 * onnxruntime-node. `product`: products of int8 matrices by the program's arithmetic and by ONNX Runtime for WebAssembly.
 */
import process from "node:process";
import { bertKernels } from "#models/neural/bert.ts";
import { EncoderPool, hashedFile, readModelFolder } from "#models/neural/mod.ts";
import { loadRuntime } from "#models/neural/runtime.ts";
import { testModel } from "../../tests/models/neural/_models.ts";
import { EMPTY_PART } from "../../tests/models/neural/_tiny_bert.ts";
import { onnxModel } from "../onnx_model.ts";
import { packaged } from "./packages.ts";

type Model = "zh" | "en";

const POOLING = { zh: "cls", en: "mean" } as const;
/** Each of these is a token in the model's vocabulary. */
const TOKEN = { zh: "天", en: "word " };
const TOKENS = 256;
const QUESTIONS = { zh: "怎样恢复被删除的文件", en: "how do I restore a deleted file" };

/** Sizes of the largest product in a layer of all-MiniLM-L6-v2, for a chunk of 256 tokens. */
const SIZES = { rows: TOKENS, inner: 384, columns: 1536 };
const GIGA = SIZES.rows * SIZES.inner * SIZES.columns / 1e9;

const CHUNKS = 60;

async function program(model: Model, workers: number, byRuntime: boolean): Promise<Record<string, number>> {
  const folder = await readModelFolder(await testModel(model));
  let path = folder.model;
  if (byRuntime) {
    path = await Deno.makeTempFile();
    await Deno.copyFile(folder.model, path);
    await Deno.writeFile(path, Uint8Array.from(EMPTY_PART), { append: true });
  }
  const files = { model: await hashedFile(path), tokenizer: await hashedFile(folder.tokenizer) };
  using pool = new EncoderPool(files, { pooling: POOLING[model], dimensions: undefined, maxTokens: 512 }, {
    workers,
  });
  const chunk = TOKEN[model].repeat(TOKENS - 2);
  let began = performance.now();
  await pool.embed([QUESTIONS[model]], { priority: "question" });
  const firstMs = performance.now() - began;
  await pool.embed(new Array(4 * workers).fill(chunk));
  began = performance.now();
  const before = process.cpuUsage().user;
  await pool.embed(new Array(CHUNKS).fill(chunk));
  const chunksPerSecond = CHUNKS / (performance.now() - began) * 1000;
  const cpuMs = (process.cpuUsage().user - before) / 1000 / CHUNKS;
  const questionMs = await median(20, () => pool.embed([QUESTIONS[model]], { priority: "question" }));
  if (byRuntime) await Deno.remove(path);
  return { chunksPerSecond, cpuMs, questionMs, firstMs, megabytes: Deno.memoryUsage().rss / 1e6 };
}

interface Native {
  readonly InferenceSession: {
    create(
      path: string,
      options: object,
    ): Promise<{ run(feeds: object): Promise<unknown>; inputNames: string[] }>;
  };
  readonly Tensor: new (type: string, data: BigInt64Array, dims: number[]) => unknown;
}

async function native(model: Model, threads: number): Promise<Record<string, number>> {
  const { InferenceSession, Tensor } = packaged<Native>("onnxruntime-node");
  const { model: path } = await readModelFolder(await testModel(model));
  const session = await InferenceSession.create(path, { intraOpNumThreads: threads, interOpNumThreads: 1 });
  const run = (tokens: number) => {
    const of = (value: bigint) => new Tensor("int64", new BigInt64Array(tokens).fill(value), [1, tokens]);
    const feeds = session.inputNames.map((
      name,
    ) => [name, of(name === "input_ids" ? 1000n : name === "attention_mask" ? 1n : 0n)]);
    return session.run(Object.fromEntries(feeds));
  };
  for (let i = 0; i < 4; i++) await run(TOKENS);
  const began = performance.now();
  const before = process.cpuUsage().user;
  for (let i = 0; i < CHUNKS; i++) await run(TOKENS);
  const chunksPerSecond = CHUNKS / (performance.now() - began) * 1000;
  const cpuMs = (process.cpuUsage().user - before) / 1000 / CHUNKS;
  const questionMs = await median(20, () => run(12));
  return { chunksPerSecond, cpuMs, questionMs, megabytes: Deno.memoryUsage().rss / 1e6 };
}

async function product(): Promise<Record<string, number>> {
  const { rows, inner, columns } = SIZES;
  const memory = new WebAssembly.Memory({ initial: 64, maximum: 64 });
  const kernels = (await bertKernels(memory))!;
  // Zeros take as long as other numbers. The right matrix and the result come after a left one of 16 bits.
  const [right, result] = [2 * rows * inner, 2 * rows * inner + inner * columns + 12 * columns];
  const best = { product: Infinity, productOfPairs: Infinity, runtime: Infinity };
  const runtime = await loadRuntime(2 ** 30);
  const session = await runtime.InferenceSession.create(onnxModel({
    inputs: [["a", "uint8", [rows, inner]]],
    constants: [{
      name: "b",
      type: "int8",
      shape: [inner, columns],
      values: Array.from({ length: inner * columns }, () => Math.floor(Math.random() * 256 - 128)),
    }],
    nodes: [{ operator: "MatMulInteger", inputs: ["a", "b"], outputs: ["c"] }],
    outputs: [["c", "int32", [rows, columns]]],
  }));
  const a = new runtime.Tensor("uint8", new Uint8Array(rows * inner).map(() => Math.random() * 256), [
    rows,
    inner,
  ]);
  const time = async (name: keyof typeof best, run: () => unknown) => {
    const began = performance.now();
    await run();
    best[name] = Math.min(best[name], performance.now() - began);
  };
  // In turns, so that all meet the same other load of the machine.
  for (let round = 0; round < 500; round++) {
    for (const name of ["product", "productOfPairs"] as const) {
      await time(name, () => {
        const columnData = right + inner * columns;
        kernels[name](0, right, columnData, rows, inner, columns, result, 0, 1, 0);
      });
    }
    await time("runtime", () => session.run({ a }));
  }
  return Object.fromEntries(Object.entries(best).map(([name, ms]) => [name, GIGA / ms * 1000]));
}

async function median(count: number, run: () => Promise<unknown>): Promise<number> {
  const times = [];
  for (let i = 0; i < count; i++) {
    const began = performance.now();
    await run();
    times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b)[count >> 1]!;
}

const [what, model, count] = Deno.args as [string, Model, string];
const found = what === "program" || what === "runtime"
  ? await program(model, Number(count), what === "runtime")
  : what === "native"
  ? await native(model, Number(count))
  : await product();
console.log(JSON.stringify(found));
// A native library may keep threads.
Deno.exit();
