import { encoded, type Message } from "./protobuf.ts";

/** Types of numbers in ONNX. */
export const FLOAT = 1;
export const INT64 = 7;

/** A step of a model: an operator with the names of its inputs and outputs. Attributes are whole numbers. */
export interface Step {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly output: string;
  readonly attributes?: Readonly<Record<string, number>>;
}

/** A constant of a model. */
export interface Constant {
  readonly name: string;
  readonly dims: readonly number[];
  readonly values: Float32Array | BigInt64Array;
}

/** An input or output. A dimension that is a text may have any length. */
export interface Value {
  readonly name: string;
  readonly type: number;
  readonly dims: readonly (number | string)[];
}

/** Returns the bytes of an ONNX model; the numbers of the fields are those of `onnx.proto`, version 1.8. */
export function onnxModel(
  { steps, constants, inputs, outputs }: {
    readonly steps: readonly Step[];
    readonly constants: readonly Constant[];
    readonly inputs: readonly Value[];
    readonly outputs: readonly Value[];
  },
): Uint8Array<ArrayBuffer> {
  const graph: Message = [
    ...steps.map((step) => [1, nodeOf(step)] as const),
    [2, "graph"],
    ...constants.map((constant) => [5, tensorOf(constant)] as const),
    ...inputs.map((value) => [11, valueOf(value)] as const),
    ...outputs.map((value) => [12, valueOf(value)] as const),
  ];
  const operators: Message = [[1, ""], [2, 13]];
  return encoded([[1, 7], [7, graph], [8, operators]]);
}

function nodeOf({ op, inputs, output, attributes = {} }: Step): Message {
  const INT = 2;
  return [
    ...inputs.map((name) => [1, name] as const),
    [2, output],
    [4, op],
    ...Object.entries(attributes).map(([name, value]) => [5, [[1, name], [3, value], [20, INT]]] as const),
  ];
}

function tensorOf({ name, dims, values }: Constant): Message {
  const type = values instanceof Float32Array ? FLOAT : INT64;
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return [...dims.map((length) => [1, length] as const), [2, type], [8, name], [9, bytes]];
}

function valueOf({ name, type, dims }: Value): Message {
  const shape: Message = dims.map((length) =>
    [1, [typeof length === "number" ? [1, length] : [2, length]]] as const
  );
  return [[1, name], [2, [[1, [[1, type], [2, shape]]]]]];
}
