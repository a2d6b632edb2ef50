/**
 * One model in a thread: the messages that it gets and gives, its graph, which is checked for loops, and running it on a text.
 */
import type { Tokens } from "./tokenizer.ts";
import type { Runtime } from "./runtime.ts";
import type { Pooling } from "./model_folder.ts";

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

type Session = Runtime.InferenceSession;
type Tensor = Runtime.Tensor;

/** Inputs of BERT-like models. The first two are in all of them. */
const INPUTS = ["input_ids", "attention_mask", "token_type_ids"];

/** Outputs that hold the vector of a text, and those that hold one for each token; the first that the model has is used. */
const OF_TEXTS = ["sentence_embedding", "pooled_embeddings"];
const OF_TOKENS = ["last_hidden_state", "token_embeddings"];
const SCORES = ["logits"];

/** Operators that repeat a graph. BERT-like models have none of them. */
const LOOPS: ReadonlySet<string> = new Set(["Loop", "Scan", "SequenceMap"]);

/** A model that reads the tokens of a text. */
export class Network {
  readonly #session: Session;
  readonly #runtime: typeof Runtime;
  readonly #use: Use;
  readonly #output: string;
  /** Numbers in the result of a text: the dimensions of a vector, or 1. */
  #width = 1;

  private constructor(runtime: typeof Runtime, session: Session, use: Use, output: string) {
    this.#runtime = runtime;
    this.#session = session;
    this.#use = use;
    this.#output = output;
  }

  /** Loads a model and runs it once, with these tokens. Throws a {@linkcode NetworkError} if it cannot be used. */
  static async load(runtime: typeof Runtime, model: Uint8Array, use: Use, probe: Tokens): Promise<Network> {
    let session: Session;
    try {
      refuseLoops(model);
      session = await runtime.InferenceSession.create(model, {
        executionProviders: ["wasm"],
        logSeverityLevel: 4,
      });
    } catch (error) {
      throw new NetworkError("model_invalid", { problem: wordsOf(error) });
    }
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
    const network = new Network(runtime, session, use, output);
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
    const isOfTokens = OF_TOKENS.includes(this.#output);
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

  async #run({ ids, types }: Tokens): Promise<Tensor> {
    const feeds: Record<string, Tensor> = {};
    for (const name of this.#session.inputNames) {
      const from = name === "input_ids" ? ids : types;
      const numbers = BigInt64Array.from(from, (each) => name === "attention_mask" ? 1n : BigInt(each));
      feeds[name] = new this.#runtime.Tensor("int64", numbers, [1, ids.length]);
    }
    try {
      return (await this.#session.run(feeds, [this.#output]))[this.#output]!;
    } catch (error) {
      throw new NetworkError("model_invalid", { problem: wordsOf(error) });
    }
  }
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

/** Numbers of the fields in ONNX's messages (onnx.proto). */
const MODEL = { graph: 7, functions: 25 };
const GRAPH = { node: 1 };
const FUNCTION = { node: 7 };
const NODE = { operator: 4, attribute: 5 };
const ATTRIBUTE = { graph: 6, graphs: 11 };

/** Most graphs inside each other. Models have one, or two where they choose between two ways. */
const DEEPEST = 8;

/** Bytes 4 to 7 of the runtime's other format for models, which is not read here. */
const OTHER_FORMAT = "ORTM";

/**
 * Returns the names of the operators in an ONNX model, those in graphs inside others too. Throws an error if the bytes are
 * not in the form of the format. The weights are not looked at.
 */
function operatorsOf(model: Uint8Array): Set<string> {
  if (new TextDecoder().decode(model.subarray(4, 8)) === OTHER_FORMAT) {
    throw new Error("it is not in ONNX format");
  }
  const found = new Set<string>();
  let graphs = 0;
  for (const { field, bytes } of fieldsOf(model)) {
    if (field === MODEL.graph) {
      graphs++;
      addGraph(bytes, found, 1);
    } else if (field === MODEL.functions) {
      for (const inner of fieldsOf(bytes)) if (inner.field === FUNCTION.node) addNode(inner.bytes, found, 1);
    }
  }
  if (graphs === 0) throw new Error("it is not in ONNX format");
  return found;
}

function addGraph(graph: Uint8Array, found: Set<string>, depth: number): void {
  if (depth > DEEPEST) throw new Error(`it has more than ${DEEPEST} graphs inside each other`);
  for (const { field, bytes } of fieldsOf(graph)) if (field === GRAPH.node) addNode(bytes, found, depth);
}

function addNode(node: Uint8Array, found: Set<string>, depth: number): void {
  for (const { field, bytes } of fieldsOf(node)) {
    if (field === NODE.operator) found.add(new TextDecoder().decode(bytes));
    else if (field === NODE.attribute) {
      for (const inner of fieldsOf(bytes)) {
        if (inner.field === ATTRIBUTE.graph || inner.field === ATTRIBUTE.graphs) {
          addGraph(inner.bytes, found, depth + 1);
        }
      }
    }
  }
}

interface Field {
  readonly field: number;
  /** Empty for numbers. */
  readonly bytes: Uint8Array;
}

/** The fields of a message of Protocol Buffers: https://protobuf.dev/programming-guides/encoding/ */
function* fieldsOf(message: Uint8Array): Generator<Field> {
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let factor = 1; at < message.length; factor *= 128) {
      const byte = message[at++]!;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
    throw new Error("it is cut off");
  };
  while (at < message.length) {
    const key = number();
    const kind = key % 8;
    const length = kind === 1 ? 8 : kind === 5 ? 4 : kind === 2 ? number() : 0;
    if (kind === 0) number();
    else if (kind !== 1 && kind !== 2 && kind !== 5) throw new Error("it is not in ONNX format");
    if (length > message.length - at) throw new Error("it is cut off");
    yield { field: Math.floor(key / 8), bytes: message.subarray(at, at + length) };
    at += length;
  }
}
