/**
 * One model in a thread: the messages that it gets and gives, and running it on a text.
 */
import { BertEncoder } from "./bert.ts";
import { readBert } from "./bert_graph.ts";
import type { Pooling } from "./model_folder.ts";
import { operatorsOf } from "./onnx.ts";
import { loadRuntime, type Runtime } from "./runtime.ts";
import type { Tokens } from "./tokenizer.ts";

/** How the output of a model is used: as the vector of a text, or as a score of a pair. */
export type Use =
  /** `dimensions`: those that the model must have; `undefined`: any. */
  | { readonly kind: "vectors"; readonly pooling: Pooling; readonly dimensions: number | undefined }
  | { readonly kind: "scores" };

/** The first message to a thread. */
export interface Load {
  readonly model: Uint8Array<ArrayBuffer>;
  readonly tokenizer: Uint8Array<ArrayBuffer>;
  readonly use: Use;
  readonly maxTokens: number;
  /** Most bytes of memory that the model may use. */
  readonly memory: number;
}

/** A later message to a thread: a text, and for scores the question that it is paired with. */
export interface Task {
  readonly text: string;
  readonly question?: string;
}

/** Reason for which a thread has no result: the `x` of a message `neural_x`. */
export interface Failure {
  readonly kind: "tokenizer_invalid" | "model_invalid" | "wrong_dimensions" | "not_numbers";
  readonly params: Readonly<Record<string, string | number>>;
}

/** A thread's answer to {@linkcode Load} and to each {@linkcode Task}, in their order. */
export type ThreadAnswer =
  | { readonly loaded: true }
  /** The result of the text: a vector of length 1, or one score. */
  | { readonly values: Float32Array<ArrayBuffer> }
  | { readonly failure: Failure };

/** Inputs of BERT-like models. The first two are in all of them. */
const INPUTS = ["input_ids", "attention_mask", "token_type_ids"];

/** Outputs that hold the vector of a text, and those that hold one for each token; the first that the model has is used. */
const OF_TEXTS = ["sentence_embedding", "pooled_embeddings"];
const OF_TOKENS = ["last_hidden_state", "token_embeddings"];
const SCORES = ["logits"];

/** Operators that repeat a graph. BERT-like models have none of them. */
const LOOPS: ReadonlySet<string> = new Set(["Loop", "Scan", "SequenceMap"]);

/** The output of a model for one text. */
interface Output {
  readonly dims: readonly number[];
  readonly data: unknown;
}

/** Something that runs a model. */
interface Runner {
  /** The name of the output. */
  readonly output: string;
  readonly run: (tokens: Tokens) => Output | Promise<Output>;
}

/** A model that reads the tokens of a text. */
export class Network {
  readonly #runner: Runner;
  readonly #use: Use;
  /** Numbers in the result of a text: the dimensions of a vector, or 1. */
  #width = 1;

  private constructor(runner: Runner, use: Use) {
    this.#runner = runner;
    this.#use = use;
  }

  /** Loads a model and runs it once, with these tokens. Throws a {@linkcode NetworkError} if it cannot be used. */
  static async load(
    { model, use, memory }: Pick<Load, "model" | "use" | "memory">,
    probe: Tokens,
  ): Promise<Network> {
    const network = new Network(
      await encoderOf(model, use, memory) ?? await runtimeOf(model, use, memory),
      use,
    );
    if (use.kind === "vectors") {
      const width = network.#width = (await network.#run(probe)).dims.at(-1) ?? 0;
      if (use.dimensions !== undefined && use.dimensions !== width) {
        throw new NetworkError("wrong_dimensions", { expected: use.dimensions, found: width });
      }
    }
    await network.result(probe);
    return network;
  }

  /** Returns the result of a text. Throws a {@linkcode NetworkError} if the model fails. */
  async result(tokens: Tokens): Promise<Float32Array<ArrayBuffer>> {
    const { dims, data } = await this.#run(tokens);
    const width = this.#width;
    const { length } = tokens.ids;
    const isOfTokens = OF_TOKENS.includes(this.#runner.output);
    const expected = isOfTokens ? [1, length, width] : [1, width];
    if (dims.join() !== expected.join() || !(data instanceof Float32Array)) {
      throw new NetworkError("model_invalid", {
        problem: `its output has the shape ${dims.join("×")} instead of ${expected.join("×")}`,
      });
    }
    const result = new Float32Array(width);
    const isMean = isOfTokens && this.#use.kind === "vectors" && this.#use.pooling === "mean";
    for (let token = 0; token < (isMean ? length : 1); token++) {
      for (let i = 0; i < width; i++) result[i] = result[i]! + data[token * width + i]!;
    }
    if (this.#use.kind === "vectors") normalize(result);
    else if (!Number.isFinite(result[0])) throw new NetworkError("not_numbers");
    return result;
  }

  async #run(tokens: Tokens): Promise<Output> {
    try {
      return await this.#runner.run(tokens);
    } catch (error) {
      throw new NetworkError("model_invalid", { problem: wordsOf(error) });
    }
  }
}

/** The program's own arithmetic for the models that it knows: 2.7 times as fast as the runtime, which is not loaded then. */
async function encoderOf(model: Uint8Array, use: Use, memory: number): Promise<Runner | undefined> {
  if (use.kind !== "vectors") return undefined;
  try {
    const bert = readBert(model);
    if (bert === undefined || !OF_TOKENS.includes(bert.output)) return undefined;
    const { output, width } = bert;
    const encoder = await BertEncoder.load(bert, memory);
    return encoder && {
      output,
      run: (tokens) => ({ dims: [1, tokens.ids.length, width], data: encoder.run(tokens) }),
    };
  } catch (error) {
    throw new NetworkError("model_invalid", { problem: wordsOf(error) });
  }
}

/** Any other model, run by ONNX Runtime. */
async function runtimeOf(model: Uint8Array, use: Use, memory: number): Promise<Runner> {
  const runtime = await loadRuntime(memory);
  let session: Runtime.InferenceSession;
  try {
    refuseLoops(model);
    session = await runtime.InferenceSession.create(model, {
      executionProviders: ["wasm"],
      logSeverityLevel: 4,
    });
  } catch (error) {
    throw new NetworkError("model_invalid", { problem: wordsOf(error) });
  }
  // The runtime has a copy.
  (runtime.env.wasm.wasmBinary as ArrayBuffer).transfer(0);
  const { inputNames, outputNames } = session;
  const missing = INPUTS.slice(0, 2).filter((name) => !inputNames.includes(name));
  const unknown = inputNames.filter((name) => !INPUTS.includes(name));
  if (missing.length > 0 || unknown.length > 0) {
    throw new NetworkError("model_invalid", { problem: `its inputs are ${inputNames.join(", ")}` });
  }
  const wanted = use.kind === "scores" ? SCORES : [...OF_TEXTS, ...OF_TOKENS];
  const output = wanted.find((name) => outputNames.includes(name));
  if (output === undefined) {
    throw new NetworkError("model_invalid", {
      problem: `its outputs are ${outputNames.join(", ")}, and none is ${wanted.join(" or ")}`,
    });
  }
  return {
    output,
    run: async ({ ids, types }) => {
      const feeds: Record<string, Runtime.Tensor> = {};
      for (const name of inputNames) {
        const from = name === "input_ids" ? ids : types;
        const numbers = BigInt64Array.from(from, (each) => name === "attention_mask" ? 1n : BigInt(each));
        feeds[name] = new runtime.Tensor("int64", numbers, [1, ids.length]);
      }
      return (await session.run(feeds, [output]))[output]!;
    },
  };
}

/** A thread cannot be ended while it computes. Without loops, a model computes for a time that its size limits. */
function refuseLoops(model: Uint8Array): void {
  const loops = LOOPS.intersection(operatorsOf(model));
  if (loops.size > 0) throw new Error(`it has loops (${[...loops].join(", ")})`);
}

/** Scales a vector to length 1. Throws a {@linkcode NetworkError} if it has none. */
function normalize(vector: Float32Array): void {
  let sum = 0;
  for (const x of vector) sum += x * x;
  const length = Math.sqrt(sum);
  if (!(length > 0 && length < Infinity)) throw new NetworkError("not_numbers");
  for (let i = 0; i < vector.length; i++) vector[i] = vector[i]! / length;
}

/**
 * Returns the message of an error of the runtime without the function that it comes from. Failures in memory can come as a bare number.
 */
function wordsOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const words = text.replace(/^.*(?:ERROR_MESSAGE: |\[ONNXRuntimeError\] : \d+ : )/s, "").split("\n")[0]!;
  return /^\d+$|^std::bad_alloc/.test(words) ? "it needs too much memory" : words.slice(0, 300);
}

/** A model that cannot be used. */
export class NetworkError extends Error {
  readonly failure: Failure;

  constructor(kind: Failure["kind"], params: Failure["params"] = {}) {
    super(kind);
    this.failure = { kind, params };
  }
}
