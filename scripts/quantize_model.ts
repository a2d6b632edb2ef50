// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Makes an ONNX model of floats a fourth as large, as ONNX Runtime's dynamic quantization does: matrices become int8 with a scale for each
 * column, tables of embeddings int8 with one scale, and activations are quantized before each product. `embedding.local` runs such a
 * BERT-like model by the program's own arithmetic.
 *
 *     deno run -A --config deno.dev.json scripts/quantize_model.ts FROM.onnx TO.onnx
 */
import { joinedBytes } from "#documents/bytes.ts";
import { constantOf, fieldsOf, nodeOf } from "#models/neural/onnx.ts";
import { type Node, nodeBytes, TYPES, varint } from "./onnx_model.ts";

/** Numbers of fields in ONNX's messages. */
const GRAPH = 7, NODE = 1, CONSTANT = 5;
const TENSOR = { dims: 1, type: 2, name: 8, bytes: 9 };

/** A table or matrix of floats. */
interface Floats {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float32Array;
}

/** Returns the quantized model. */
export function quantized(model: Uint8Array): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  for (const { field, bytes, whole } of fieldsOf(model)) {
    parts.push(field === GRAPH ? framed(GRAPH, joinedBytes(graphParts(bytes))) : whole);
  }
  return joinedBytes(parts);
}

function graphParts(graph: Uint8Array): Uint8Array[] {
  const fields = [...fieldsOf(graph)];
  const floats = new Map<string, Floats>();
  for (const { field, bytes } of fields) {
    const found = field === CONSTANT ? floatsOf(bytes) : undefined;
    if (found !== undefined) floats.set(...found);
  }
  const parts: Uint8Array[] = [];
  const activations = new Set<string>(), replaced = new Set<string>();
  const constant = (made: Made) => parts.push(framed(CONSTANT, tensorBytes(made)));
  const node = (operator: string, inputs: string[], outputs: string[], attributes: Node["attributes"] = {}) =>
    parts.push(framed(NODE, Uint8Array.from(nodeBytes({ operator, inputs, outputs, attributes }))));

  for (const { field, bytes, whole } of fields) {
    const { operator, inputs, outputs } = field === NODE
      ? nodeOf(bytes)
      : { operator: "", inputs: [], outputs: [] };
    const [output] = outputs as [string];
    const product = operator === "MatMul" ? floats.get(inputs[1]!) : undefined;
    const table = operator === "Gather" ? floats.get(inputs[0]!) : undefined;
    if (product !== undefined) {
      const [input, matrix] = inputs as [string, string];
      if (!activations.has(input)) {
        activations.add(input);
        node("DynamicQuantizeLinear", [input], [
          `${input}_quantized`,
          `${input}_scale`,
          `${input}_zero_point`,
        ]);
      }
      if (!replaced.has(matrix)) columnsOf(matrix, product).forEach(constant);
      replaced.add(matrix);
      node("MatMulInteger", [
        `${input}_quantized`,
        `${matrix}_quantized`,
        `${input}_zero_point`,
        `${matrix}_zero_point`,
      ], [
        `${output}_quantized`,
      ]);
      node("Cast", [`${output}_quantized`], [`${output}_cast`], { to: TYPES.float });
      node("Mul", [`${input}_scale`, `${matrix}_scale`], [`${output}_scales`]);
      node("Mul", [`${output}_cast`, `${output}_scales`], [output]);
    } else if (table !== undefined) {
      const [name, ids] = inputs as [string, string];
      if (!replaced.has(name)) tableOf(name, table).forEach(constant);
      replaced.add(name);
      node("Gather", [`${name}_quantized`, ids], [`${output}_quantized`]);
      node("DequantizeLinear", [`${output}_quantized`, `${name}_scale`, `${name}_zero_point`], [output]);
    } else if (field !== CONSTANT) parts.push(whole);
  }
  for (const { field, bytes, whole } of fields) {
    if (field === CONSTANT && !replaced.has(floatsOf(bytes)?.[0] ?? "")) parts.push(whole);
  }
  return parts;
}

function floatsOf(bytes: Uint8Array): [name: string, floats: Floats] | undefined {
  const [name, constant] = constantOf(bytes);
  const [rows, columns] = constant?.shape ?? [];
  if (rows === undefined || columns === undefined || constant!.shape.length !== 2) return undefined;
  const { values } = constant!;
  return values instanceof Float32Array ? [name, { rows, columns, values }] : undefined;
}

/** A constant of the new graph. */
interface Made {
  readonly name: string;
  readonly type: "float" | "int8";
  readonly shape: readonly number[];
  readonly values: Float32Array | Int8Array;
}

/** int8 from −127 to 127 with a scale for each column. */
function columnsOf(name: string, { rows, columns, values }: Floats): Made[] {
  const scales = new Float32Array(columns);
  values.forEach((value, at) => scales[at % columns] = Math.max(scales[at % columns]!, Math.abs(value)));
  scales.forEach((most, column) => scales[column] = most === 0 ? 1 : most / 127);
  const numbers = Int8Array.from(values, (value, at) => Math.round(value / scales[at % columns]!));
  return [
    { name: `${name}_quantized`, type: "int8", shape: [rows, columns], values: numbers },
    { name: `${name}_scale`, type: "float", shape: [columns], values: scales },
    { name: `${name}_zero_point`, type: "int8", shape: [columns], values: new Int8Array(columns) },
  ];
}

/** int8 with one scale. */
function tableOf(name: string, { rows, columns, values }: Floats): Made[] {
  const most = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const scale = most === 0 ? 1 : Math.fround(most / 127);
  return [
    {
      name: `${name}_quantized`,
      type: "int8",
      shape: [rows, columns],
      values: Int8Array.from(values, (x) => Math.round(x / scale)),
    },
    { name: `${name}_scale`, type: "float", shape: [], values: Float32Array.of(scale) },
    { name: `${name}_zero_point`, type: "int8", shape: [], values: new Int8Array(1) },
  ];
}

function tensorBytes({ name, type, shape, values }: Made): Uint8Array {
  return joinedBytes([
    ...shape.map((size) => Uint8Array.of(...varint(TENSOR.dims * 8), ...varint(size))),
    Uint8Array.of(...varint(TENSOR.type * 8), ...varint(TYPES[type])),
    framed(TENSOR.name, new TextEncoder().encode(name)),
    framed(TENSOR.bytes, new Uint8Array(values.buffer, values.byteOffset, values.byteLength)),
  ]);
}

/** A field of Protocol Buffers with a length. */
function framed(field: number, bytes: Uint8Array): Uint8Array {
  return joinedBytes([Uint8Array.of(...varint(field * 8 + 2), ...varint(bytes.length)), bytes]);
}

if (import.meta.main) {
  const [from, to] = Deno.args as [string, string];
  const made = quantized(await Deno.readFile(from));
  await Deno.writeFile(to, made);
  console.log(`${to}: ${made.length} bytes`);
}
