/**
 * Finds a BERT-like encoder with weights of int8 in the graph of an ONNX model: embeddings, then layers of attention and two products,
 * each with a residual and a normalization, as `optimum` exports them and ONNX Runtime's dynamic quantization changes them. Every operator
 * between the tokens and the output is compared, with its constants, so a model of any other kind is not found. Of the operators that only
 * change shapes (Reshape, Concat, Unsqueeze), the number and the width of heads are compared and nothing else.
 */
import { type OnnxConstant, type OnnxGraph, type OnnxNode, readGraph } from "./onnx.ts";

/** A matrix of int8 with a scale for each column, and what is added to the product. */
export interface Linear {
  readonly inner: number;
  readonly columns: number;
  /** In the order of rows. */
  readonly weights: Int8Array;
  readonly scales: Float32Array;
  readonly bias: Float32Array;
}

/** (x − mean) / √(variance + epsilon) · gamma + beta. */
export interface Normalization {
  readonly gamma: Float32Array;
  readonly beta: Float32Array;
  readonly epsilon: number;
}

/** A table of vectors: (number − zero) · scale. */
export interface Embedding {
  readonly rows: number;
  readonly values: Uint8Array | Int8Array;
  readonly scale: number;
  readonly zero: number;
}

/** One layer of an encoder. */
export interface Layer {
  readonly query: Linear;
  readonly key: Linear;
  readonly value: Linear;
  readonly attended: Linear;
  readonly attendedNorm: Normalization;
  readonly up: Linear;
  readonly down: Linear;
  readonly norm: Normalization;
}

/** A BERT-like encoder. */
export interface Bert {
  /** Name of the output with a vector for each token. */
  readonly output: string;
  /** Dimensions of a token's vector. */
  readonly width: number;
  /** Dimensions of one head of attention. */
  readonly headWidth: number;
  readonly words: Embedding;
  readonly types: Embedding;
  readonly positions: Embedding;
  readonly norm: Normalization;
  readonly layers: readonly Layer[];
}

/** Returns the encoder of a model, or `undefined` if the model is not exactly one, or if its sizes are not multiples of 16. */
export function readBert(model: Uint8Array): Bert | undefined {
  try {
    const graph = readGraph(model);
    return graph && new Reader(graph).bert();
  } catch {
    // ONNX Runtime says what is wrong with a broken file.
    return undefined;
  }
}

/** Code of floats in the format. */
const FLOAT = 1;

function demand(condition: boolean): asserts condition {
  if (!condition) throw new Error("the graph differs from that of an encoder");
}

/** Follows a graph from its output to its inputs. */
class Reader {
  readonly #graph: OnnxGraph;

  constructor(graph: OnnxGraph) {
    this.#graph = graph;
  }

  bert(): Bert {
    const { outputs } = this.#graph;
    demand(outputs.length === 1);
    const output = outputs[0]!;
    const layers: Layer[] = [];
    let headWidth = 0;
    let at = output;
    let [sum, norm] = this.#norm(at);
    while (this.#node(sum[1]!)?.operator !== "DequantizeLinear") {
      const [down, activated] = this.#linear(sum[0]!);
      const [up, attended] = this.#linear(this.#gelu(activated));
      demand(attended === sum[1]);
      const [attendedSum, attendedNorm] = this.#norm(attended);
      const [out, context] = this.#linear(attendedSum[0]!);
      const heads = this.#attention(context);
      at = attendedSum[1]!;
      demand(heads.input === at && (headWidth === 0 || heads.width === headWidth));
      headWidth = heads.width;
      // A graph may lead back to itself.
      demand(layers.length < this.#graph.nodes.size);
      const { query, key, value } = heads;
      layers.unshift({ query, key, value, attended: out, attendedNorm, up, down, norm });
      [sum, norm] = this.#norm(at);
    }
    const width = norm.gamma.length;
    const [word, type] = this.#inputs(sum[0]!, "Add");
    const isMultiple = (size: number) => size > 0 && size % 16 === 0;
    demand(layers.length > 0 && isMultiple(width) && isMultiple(headWidth) && width % headWidth === 0);
    for (const { query, key, value, attended, up, down, ...norms } of layers) {
      const squares = [query, key, value, attended];
      demand(squares.every(({ inner, columns }) => inner === width && columns === width));
      demand(up.inner === width && isMultiple(up.columns));
      demand(down.inner === up.columns && down.columns === width);
      demand(norms.norm.gamma.length === width && norms.attendedNorm.gamma.length === width);
    }
    const words = this.#embedding(word!, width, (ids) => ids === "input_ids");
    const types = this.#embedding(type!, width, (ids) => ids === "token_type_ids");
    const positions = this.#embedding(sum[1]!, width, (ids) => this.#arePositions(ids));
    return { output, width, headWidth, words, types, positions, norm, layers };
  }

  #node(name: string): OnnxNode | undefined {
    return this.#graph.nodes.get(name);
  }

  /** The inputs of an operator, which must be this one. */
  #inputs(name: string, operator: string): readonly string[] {
    const node = this.#node(name);
    demand(node?.operator === operator);
    return node.inputs;
  }

  /** The one input of an operator, after which only constants follow. */
  #through(name: string, ...operators: string[]): string {
    return operators.reduce((at, operator) => this.#inputs(at, operator)[0]!, name);
  }

  #constant(name: string | undefined): OnnxConstant {
    const found = this.#graph.constants.get(name ?? "");
    demand(found !== undefined);
    return found;
  }

  /** Floats along the last axis. */
  #floats(name: string | undefined, count?: number): Float32Array {
    const { shape, values } = this.#constant(name);
    demand(values instanceof Float32Array && values.length === (shape.at(-1) ?? 1));
    demand(count === undefined || values.length === count);
    return values;
  }

  /** A constant of one number. */
  #scalar(name: string | undefined): number {
    const { values } = this.#constant(name);
    demand(values.length === 1);
    return values[0]!;
  }

  /** The names of what is normalized, which is a sum of two, and the normalization. */
  #norm(name: string): [sum: readonly string[], norm: Normalization] {
    const [scaled, beta] = this.#inputs(name, "Add");
    const [quotient, gamma] = this.#inputs(scaled!, "Mul");
    const [centred, root] = this.#inputs(quotient!, "Div");
    const [input, mean] = this.#inputs(centred!, "Sub");
    demand(this.#through(mean!, "ReduceMean") === input && this.#isLastAxis(mean!));
    const [variance, epsilon] = this.#inputs(this.#through(root!, "Sqrt"), "Add");
    const [base, exponent] = this.#inputs(this.#through(variance!, "ReduceMean"), "Pow");
    demand(this.#isLastAxis(variance!) && base === centred && this.#scalar(exponent) === 2);
    const norm = {
      gamma: this.#floats(gamma),
      beta: this.#floats(beta),
      epsilon: this.#scalar(epsilon),
    };
    demand(norm.gamma.length === norm.beta.length);
    return [this.#inputs(input!, "Add"), norm];
  }

  /** Whether an operator works along the last axis, 2 or −1, and keeps it. */
  #isLastAxis(name: string): boolean {
    const numbers = this.#node(name)!.numbers;
    return ["2", "-1"].includes(numbers.get("axes")?.join() ?? "") &&
      (numbers.get("keepdims")?.[0] ?? 1) === 1;
  }

  /** A product of activations that are quantized for it, and the name of the activations. */
  #linear(name: string): [linear: Linear, input: string] {
    const [biasName, product] = this.#inputs(name, "Add");
    const [cast, scale] = this.#inputs(product!, "Mul");
    const [quantized, matrix, zero, matrixZero] = this.#inputs(this.#through(cast!, "Cast"), "MatMulInteger");
    const [inputScale, matrixScale] = this.#inputs(scale!, "Mul");
    const input = this.#through(quantized!, "DynamicQuantizeLinear");
    demand(this.#node(quantized!)!.outputs.join("\n") === [quantized, inputScale, zero].join("\n"));
    demand(this.#node(cast!)!.numbers.get("to")?.[0] === FLOAT);
    const { shape, values, type } = this.#constant(matrix);
    const [inner = 0, columns = 0] = shape;
    const zeros = matrixZero === undefined ? [0] : this.#constant(matrixZero).values;
    const scales = this.#floats(matrixScale);
    demand(shape.length === 2 && (type === "int8" || type === "uint8"));
    demand([1, columns].includes(zeros.length) && [1, columns].includes(scales.length));
    const weights = new Int8Array(values.length);
    for (let i = 0; i < values.length; i++) {
      const value = values[i]! - zeros[zeros.length === 1 ? 0 : i % columns]!;
      weights[i] = value;
      demand(weights[i] === value);
    }
    return [{
      inner,
      columns,
      weights,
      scales: scales.length === 1 ? new Float32Array(columns).fill(scales[0]!) : scales,
      bias: this.#floats(biasName, columns),
    }, input];
  }

  /** The name of x in x · (1 + erf(x / √2)) · 0.5. */
  #gelu(name: string): string {
    const [twice, half] = this.#inputs(name, "Mul");
    const [x, sum] = this.#inputs(twice!, "Mul");
    const [erf, one] = this.#inputs(sum!, "Add");
    const [same, root] = this.#inputs(this.#through(erf!, "Erf"), "Div");
    demand(same === x && this.#scalar(half) === 0.5 && this.#scalar(one) === 1);
    demand(this.#scalar(root) === Math.fround(Math.SQRT2));
    return x!;
  }

  /** Attention of all tokens to all: the dimensions of a head, its three products and the name of their input. */
  #attention(name: string) {
    const joined = this.#turned(this.#through(name, "Reshape"), "0,2,1,3");
    const [probabilities, values] = this.#inputs(joined, "MatMul");
    demand(["3", "-1"].includes(this.#node(probabilities!)?.numbers.get("axis")?.join() ?? ""));
    const [scaled, mask] = this.#inputs(this.#through(probabilities!, "Softmax"), "Add");
    this.#demandMask(mask!);
    const [scores, root] = this.#inputs(scaled!, "Div");
    const width = Math.round(this.#scalar(root) ** 2);
    demand(this.#scalar(root) === Math.fround(Math.sqrt(width)));
    const [queries, keys] = this.#inputs(scores!, "MatMul");
    const part = (from: string, order: string) => {
      const reshaped = this.#turned(from, order);
      const [whole, shape] = this.#inputs(reshaped, "Reshape");
      const [linear, input] = this.#linear(whole!);
      const [heads, last] = this.#inputs(shape!, "Concat").slice(-2).map((size) =>
        this.#scalar(this.#size(size))
      );
      demand(last === width && heads! * width === linear.columns);
      return [linear, input] as const;
    };
    const [query, input] = part(queries!, "0,2,1,3");
    const [key, second] = part(keys!, "0,2,3,1");
    const [value, third] = part(values!, "0,2,1,3");
    demand(second === input && third === input);
    return { width, query, key, value, input };
  }

  #turned(name: string, order: string): string {
    demand(this.#node(name)?.numbers.get("perm")?.join() === order);
    return this.#through(name, "Transpose");
  }

  /** The name of a size, which may be made a list of one. */
  #size(name: string): string {
    return this.#node(name)?.operator === "Unsqueeze" ? this.#through(name, "Unsqueeze") : name;
  }

  /** (1 − attention_mask) · a large number, which is 0 for a text without padding. */
  #demandMask(name: string): void {
    const [inverse] = this.#inputs(name, "Mul");
    const [one, cast] = this.#inputs(inverse!, "Sub");
    demand(this.#scalar(one) === 1);
    demand(this.#through(cast!, "Cast", "Unsqueeze", "Unsqueeze") === "attention_mask");
  }

  #embedding(name: string, width: number, isRight: (ids: string) => boolean): Embedding {
    const [gathered, scale, zero] = this.#inputs(name, "DequantizeLinear");
    const [table, ids] = this.#inputs(gathered!, "Gather");
    demand((this.#node(gathered!)!.numbers.get("axis")?.[0] ?? 0) === 0 && isRight(ids!));
    const { shape, values } = this.#constant(table);
    const [rows = 0, columns] = shape;
    demand(shape.length === 2 && columns === width);
    demand(values instanceof Uint8Array || values instanceof Int8Array);
    return { rows, values, scale: this.#scalar(scale), zero: zero === undefined ? 0 : this.#scalar(zero) };
  }

  /** The numbers from 0, cut off at the length of the text. */
  #arePositions(name: string): boolean {
    const [numbers, start, end, axis, step] = this.#inputs(name, "Slice");
    const { shape, values } = this.#constant(numbers);
    const [sizes, second] = this.#inputs(this.#size(end!), "Gather");
    demand(this.#through(sizes!, "Shape") === "input_ids" && this.#node(sizes!)!.numbers.size === 0);
    demand(this.#scalar(second) === 1 && this.#scalar(start) === 0 && this.#scalar(axis) === 1);
    demand(step === undefined || this.#scalar(step) === 1);
    return shape.length === 2 && shape[0] === 1 && values.every((number, at) => number === at);
  }
}
