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
export function operatorsOf(model: Uint8Array): Set<string> {
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
