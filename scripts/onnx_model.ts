/**
 * Small ONNX models for tests and the benchmark, as bytes: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto. Only what they
 * need of the format is here.
 * @module
 */

/** Types of numbers, by their code in the format. */
export const TYPES = { float: 1, uint8: 2, int8: 3, int32: 6, int64: 7, bool: 9 } as const;
/** Arrays for the types of constants besides int64. */
const ARRAYS = { float: Float32Array, int8: Int8Array } as const;
type Type = keyof typeof TYPES;

/** A fixed size, or the name of one that varies. */
type Size = number | string;

/** Name, type and shape of an input or output. */
export type Value = readonly [name: string, type: Type, shape: readonly Size[]];

/** A constant. */
export interface Constant {
  readonly name: string;
  readonly type: keyof typeof ARRAYS | "int64";
  readonly shape: readonly number[];
  readonly values: readonly number[];
}

/** An operator with its inputs and outputs. */
export interface Node {
  readonly operator: string;
  /** Default: ONNX's own. */
  readonly domain?: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** Whole numbers, lists of them, or graphs. */
  readonly attributes?: Readonly<Record<string, number | readonly number[] | Graph>>;
}

/** A graph of operators. */
export interface Graph {
  readonly nodes: readonly Node[];
  readonly constants?: readonly Constant[];
  readonly inputs: readonly Value[];
  readonly outputs: readonly Value[];
}

/** The inputs of a BERT-like model. */
export const INPUTS: readonly Value[] = ["input_ids", "attention_mask", "token_type_ids"].map(
  (name): Value => [name, "int64", ["batch", "length"]],
);

/** Returns the bytes of a model. */
export function onnxModel(graph: Graph): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([
    ...number(1, 8),
    ...message(8, [...text(1, ""), ...number(2, 17)]),
    ...message(7, graphBytes(graph)),
  ]);
}

/** A model whose vector of a token is its row in `rows`; ids beyond the rows take the last one. */
export function tinyEncoder(rows: readonly (readonly number[])[]): Uint8Array<ArrayBuffer> {
  const width = rows[0]!.length;
  return onnxModel({
    inputs: INPUTS,
    constants: [
      { name: "last", type: "int64", shape: [], values: [rows.length - 1] },
      { name: "rows", type: "float", shape: [rows.length, width], values: rows.flat() },
    ],
    nodes: [
      { operator: "Min", inputs: ["input_ids", "last"], outputs: ["row"] },
      { operator: "Gather", inputs: ["rows", "row"], outputs: ["last_hidden_state"] },
    ],
    outputs: [["last_hidden_state", "float", ["batch", "length", width]]],
  });
}

function graphBytes({ nodes, constants = [], inputs, outputs }: Graph): number[] {
  return [
    ...nodes.flatMap((node) => message(1, nodeBytes(node))),
    ...text(2, "graph"),
    ...constants.flatMap((constant) => message(5, constantBytes(constant))),
    ...inputs.flatMap((value) => message(11, valueBytes(value))),
    ...outputs.flatMap((value) => message(12, valueBytes(value))),
  ];
}

/** The bytes of an operator. */
export function nodeBytes({ operator, domain, inputs, outputs, attributes = {} }: Node): number[] {
  return [
    ...inputs.flatMap((name) => text(1, name)),
    ...outputs.flatMap((name) => text(2, name)),
    ...text(4, operator),
    ...Object.entries(attributes).flatMap(([name, value]) => message(5, attributeBytes(name, value))),
    ...(domain === undefined ? [] : text(7, domain)),
  ];
}

function attributeBytes(name: string, value: number | readonly number[] | Graph): number[] {
  if (typeof value === "number") return [...text(1, name), ...number(3, value), ...number(20, 2)];
  return "nodes" in value
    ? [...text(1, name), ...message(6, graphBytes(value)), ...number(20, 5)]
    : [...text(1, name), ...value.flatMap((each) => number(8, each)), ...number(20, 7)];
}

function constantBytes({ name, type, shape, values }: Constant): number[] {
  const array = type === "int64" ? BigInt64Array.from(values, BigInt) : ARRAYS[type].from(values);
  return [
    ...shape.flatMap((size) => number(1, size)),
    ...number(2, TYPES[type]),
    ...text(8, name),
    ...message(9, [...new Uint8Array(array.buffer)]),
  ];
}

function valueBytes([name, type, shape]: Value): number[] {
  const sizes = shape.flatMap((size) =>
    message(1, typeof size === "number" ? number(1, size) : text(2, size))
  );
  return [...text(1, name), ...message(2, message(1, [...number(1, TYPES[type]), ...message(2, sizes)]))];
}

function number(field: number, value: number): number[] {
  return [...varint(field * 8), ...varint(value)];
}

function text(field: number, value: string): number[] {
  return message(field, [...new TextEncoder().encode(value)]);
}

function message(field: number, bytes: readonly number[]): number[] {
  return [...varint(field * 8 + 2), ...varint(bytes.length), ...bytes];
}

/** A whole number as Protocol Buffers write it. */
export function varint(value: number): number[] {
  return value < 128 ? [value] : [value % 128 + 128, ...varint(Math.floor(value / 128))];
}
