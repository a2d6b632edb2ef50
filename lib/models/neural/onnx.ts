/** Models in ONNX format: their operators, and the graph with its constants, without running it. */

/** Numbers of the fields in ONNX's messages (onnx.proto). */
const MODEL = { graph: 7, functions: 25 };
const GRAPH = { node: 1, constant: 5, output: 12 };
const FUNCTION = { node: 7 };
const NODE = { input: 1, output: 2, operator: 4, attribute: 5, domain: 7 };
const ATTRIBUTE = { name: 1, number: 3, tensor: 5, graph: 6, numbers: 8, graphs: 11 };
const TENSOR = { dims: 1, type: 2, floats: 4, small: 5, numbers: 7, name: 8, bytes: 9 };
const VALUE = { name: 1 };

/** Domains of ONNX's own operators. */
const OWN_DOMAINS = ["", "ai.onnx"];

/** Most graphs inside each other. Models have one, or two where they choose between two ways. */
const DEEPEST = 8;

/** Bytes 4 to 7 of the runtime's other format for models, which is not read here. */
const OTHER_FORMAT = "ORTM";

/**
 * Returns the names of the operators in an ONNX model, those in graphs inside others too. Throws an error if the bytes are
 * not in the form of the format. The weights are not looked at.
 */
export function operatorsOf(model: Uint8Array): Set<string> {
  const found = new Set<string>();
  for (const graph of graphsOf(model)) addGraph(graph, found, 1);
  for (const { field, bytes } of fieldsOf(model)) {
    if (field !== MODEL.functions) continue;
    for (const inner of fieldsOf(bytes)) if (inner.field === FUNCTION.node) addNode(inner.bytes, found, 1);
  }
  return found;
}

function graphsOf(model: Uint8Array): Uint8Array[] {
  if (text(model.subarray(4, 8)) === OTHER_FORMAT) throw new Error("it is not in ONNX format");
  const graphs = [...fieldsOf(model)].filter(({ field }) => field === MODEL.graph).map(({ bytes }) => bytes);
  if (graphs.length === 0) throw new Error("it is not in ONNX format");
  return graphs;
}

function addGraph(graph: Uint8Array, found: Set<string>, depth: number): void {
  if (depth > DEEPEST) throw new Error(`it has more than ${DEEPEST} graphs inside each other`);
  for (const { field, bytes } of fieldsOf(graph)) if (field === GRAPH.node) addNode(bytes, found, depth);
}

function addNode(node: Uint8Array, found: Set<string>, depth: number): void {
  for (const { field, bytes } of fieldsOf(node)) {
    if (field === NODE.operator) found.add(text(bytes));
    else if (field === NODE.attribute) {
      for (const inner of fieldsOf(bytes)) {
        if (inner.field === ATTRIBUTE.graph || inner.field === ATTRIBUTE.graphs) {
          addGraph(inner.bytes, found, depth + 1);
        }
      }
    }
  }
}

/** An operator, or a constant of the graph under the name of its output. */
export interface OnnxNode {
  /** The name. Operators that are not ONNX's own have their domain before it. */
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** Whole numbers by the names of attributes: one, or the numbers of a list. */
  readonly numbers: ReadonlyMap<string, readonly number[]>;
}

/** Types of numbers in constants that are read, by their code in the format. */
const TYPES: Readonly<Record<number, "float" | "uint8" | "int8" | "int64">> = {
  1: "float",
  2: "uint8",
  3: "int8",
  7: "int64",
};

/** A constant with its numbers in the order of rows. Those of `int64` are read as numbers. */
export interface OnnxConstant {
  readonly type: "float" | "uint8" | "int8" | "int64";
  readonly shape: readonly number[];
  readonly values: Float32Array | Uint8Array | Int8Array | Float64Array;
}

/** The outermost graph of a model. */
export interface OnnxGraph {
  readonly outputs: readonly string[];
  /** By the name of each output. */
  readonly nodes: ReadonlyMap<string, OnnxNode>;
  readonly constants: ReadonlyMap<string, OnnxConstant>;
}

/**
 * Returns the graph of a model, or `undefined` if it is in several parts. Constants of other types than those of
 * {@linkcode OnnxConstant} are left out.
 */
export function readGraph(model: Uint8Array): OnnxGraph | undefined {
  const [graph, ...others] = graphsOf(model);
  if (others.length > 0) return undefined;
  const nodes = new Map<string, OnnxNode>(), constants = new Map<string, OnnxConstant>();
  const outputs: string[] = [];
  const addConstant = (bytes: Uint8Array, name?: string) => {
    const [own, constant] = constantOf(bytes);
    if (constant !== undefined) constants.set(name ?? own, constant);
  };
  for (const { field, bytes } of fieldsOf(graph!)) {
    if (field === GRAPH.constant) addConstant(bytes);
    else if (field === GRAPH.output) {
      for (const each of fieldsOf(bytes)) if (each.field === VALUE.name) outputs.push(text(each.bytes));
    } else if (field === GRAPH.node) {
      const { tensor, ...node } = nodeOf(bytes);
      for (const output of node.outputs) nodes.set(output, node);
      if (node.operator === "Constant" && tensor !== undefined) addConstant(tensor, node.outputs[0]);
    }
  }
  return { outputs, nodes, constants };
}

/** Reads a node. `tensor`: the bytes of its constant, if it has one. */
export function nodeOf(bytes: Uint8Array): OnnxNode & { tensor: Uint8Array | undefined } {
  const inputs: string[] = [], outputs: string[] = [], numbers = new Map<string, number[]>();
  let operator = "", domain = "", tensor: Uint8Array | undefined;
  for (const { field, bytes: part } of fieldsOf(bytes)) {
    if (field === NODE.input) inputs.push(text(part));
    else if (field === NODE.output) outputs.push(text(part));
    else if (field === NODE.operator) operator = text(part);
    else if (field === NODE.domain) domain = text(part);
    else if (field === NODE.attribute) {
      let name = "";
      const values: number[] = [];
      for (const each of fieldsOf(part)) {
        if (each.field === ATTRIBUTE.name) name = text(each.bytes);
        else if (each.field === ATTRIBUTE.tensor) tensor = each.bytes;
        else if (each.field === ATTRIBUTE.number || each.field === ATTRIBUTE.numbers) {
          values.push(...numbersOf(each));
        }
      }
      numbers.set(name, values);
    }
  }
  if (!OWN_DOMAINS.includes(domain)) operator = `${domain}.${operator}`;
  return { operator, inputs, outputs, numbers, tensor };
}

/** Reads a constant; `undefined` for one of another type, or with its numbers elsewhere. */
export function constantOf(bytes: Uint8Array): [name: string, constant: OnnxConstant | undefined] {
  const shape: number[] = [], loose: number[] = [];
  let name = "", code = 0, raw: Uint8Array | undefined;
  for (const each of fieldsOf(bytes)) {
    if (each.field === TENSOR.dims) shape.push(...numbersOf(each));
    else if (each.field === TENSOR.type) code = each.value;
    else if (each.field === TENSOR.name) name = text(each.bytes);
    else if (each.field === TENSOR.small || each.field === TENSOR.numbers) {
      for (const number of numbersOf(each)) loose.push(number);
    } else if (each.field === TENSOR.bytes || each.field === TENSOR.floats) raw = each.bytes;
  }
  const type = TYPES[code];
  const count = shape.reduce((product, size) => product * size, 1);
  const bytesEach = type === "float" ? 4 : type === "int64" ? 8 : 1;
  if (type === undefined || (raw === undefined ? loose.length !== count : raw.length !== count * bytesEach)) {
    return [name, undefined];
  }
  return [name, { type, shape, values: raw === undefined ? valuesOf[type](loose) : numbersIn(type, raw) }];
}

const valuesOf = {
  float: (numbers: number[]) => Float32Array.from(numbers),
  uint8: (numbers: number[]) => Uint8Array.from(numbers),
  int8: (numbers: number[]) => Int8Array.from(numbers),
  int64: (numbers: number[]) => Float64Array.from(numbers),
};

function numbersIn(type: OnnxConstant["type"], bytes: Uint8Array): OnnxConstant["values"] {
  if (type === "uint8") return bytes;
  if (type === "int8") return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  // Copies, because the numbers of the format are not aligned.
  const { buffer } = bytes.slice();
  return type === "float"
    ? new Float32Array(buffer)
    : Float64Array.from(new BigInt64Array(buffer as ArrayBuffer), Number);
}

/** A field of a message. */
export interface Field {
  readonly field: number;
  /** Empty for numbers. */
  readonly bytes: Uint8Array;
  /** The field with its number. */
  readonly whole: Uint8Array;
  /** 0 for what is not a whole number. */
  readonly value: number;
}

/** The whole numbers of a field, one or a packed list. */
function numbersOf({ bytes, whole }: Field): number[] {
  const isList = whole[0]! % 8 === 2, from = isList ? bytes : whole;
  const numbers = [];
  for (let at = isList ? 0 : varint(whole, 0).at; at < from.length;) {
    const read = varint(from, at);
    numbers.push(read.value < 2 ** 53 ? read.value : negativeAt(from, at));
    at = read.at;
  }
  return numbers;
}

/** A negative number: it is written as 2⁶⁴ more than it is, with more digits than a `number` has. */
function negativeAt(bytes: Uint8Array, start: number): number {
  let value = 0n;
  for (let at = start, shift = 0n; at < bytes.length; at++, shift += 7n) {
    value |= BigInt(bytes[at]! & 127) << shift;
    if (bytes[at]! < 128) break;
  }
  return Number(BigInt.asIntN(64, value));
}

/** The fields of a message of Protocol Buffers: https://protobuf.dev/programming-guides/encoding/ */
export function* fieldsOf(message: Uint8Array): Generator<Field> {
  let at = 0;
  const number = (): number => {
    const read = varint(message, at);
    at = read.at;
    return read.value;
  };
  while (at < message.length) {
    const start = at;
    const key = number();
    const kind = key % 8;
    const length = kind === 1 ? 8 : kind === 5 ? 4 : kind === 2 ? number() : 0;
    const value = kind === 0 ? number() : 0;
    if (kind > 2 && kind !== 5) throw new Error("it is not in ONNX format");
    if (length > message.length - at) throw new Error("it is cut off");
    const bytes = message.subarray(at, at + length);
    at += length;
    yield { field: Math.floor(key / 8), bytes, whole: message.subarray(start, at), value };
  }
}

function varint(bytes: Uint8Array, at: number): { value: number; at: number } {
  let value = 0;
  for (let factor = 1; at < bytes.length; factor *= 128) {
    const byte = bytes[at++]!;
    value += (byte & 127) * factor;
    if (byte < 128) return { value, at };
  }
  throw new Error("it is cut off");
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
