import { type Constant, INPUTS, type Node, onnxModel } from "../../../scripts/onnx_model.ts";

const WIDTH = 32, HEADS = 2, INNER = 48, LAYERS = 2, POSITIONS = 64;

/** An empty part of a graph. A model with it is the same, but the program leaves it to ONNX Runtime. */
export const EMPTY_PART = [0x3a, 0];

/**
 * A BERT-like encoder of int8 with random weights for `words` tokens, in the operators that `optimum` and ONNX Runtime's dynamic
 * quantization write. `isFloat`: with weights of floats, as before the quantization. `change`: what differs in an operator.
 */
export function tinyBert(
  words: number,
  { isFloat = false, change = () => ({}) }: {
    readonly isFloat?: boolean;
    readonly change?: (node: Node) => Partial<Node>;
  } = {},
): Uint8Array<ArrayBuffer> {
  const constants: Constant[] = [], nodes: Node[] = [];
  let seed = 1;
  const random = () => (seed = seed * 48271 % 2147483647) / 2147483647 - 0.5;

  function constant(name: string, type: Constant["type"], shape: number[], value: (at: number) => number) {
    const count = shape.reduce((product, size) => product * size, 1);
    constants.push({ name, type, shape, values: Array.from({ length: count }, (_, at) => value(at)) });
    return name;
  }
  const scalar = (name: string, value: number) => constant(name, "float", [], () => value);
  const list = (name: string, ...values: number[]) =>
    constant(name, "int64", [values.length], (at) => values[at]!);
  function op(operator: string, inputs: string[], output: string, attributes: Node["attributes"] = {}) {
    nodes.push({ operator, inputs, outputs: [output], attributes });
    return output;
  }

  function embedding(name: string, rows: number, ids: string) {
    if (isFloat) return op("Gather", [constant(`${name}.table`, "float", [rows, WIDTH], random), ids], name);
    constant(`${name}.table`, "int8", [rows, WIDTH], () => Math.round(random() * 254));
    op("Gather", [`${name}.table`, ids], `${name}.row`);
    return op("DequantizeLinear", [`${name}.row`, scalar(`${name}.scale`, 0.01), "noZero"], name);
  }
  function norm(name: string, left: string, right: string, output = name) {
    const sum = op("Add", [left, right], `${name}.sum`);
    op("ReduceMean", [sum], `${name}.mean`, { axes: [2] });
    op("Sub", [sum, `${name}.mean`], `${name}.centred`);
    op("Pow", [`${name}.centred`, "two"], `${name}.squares`);
    op("ReduceMean", [`${name}.squares`], `${name}.variance`, { axes: [2] });
    op("Add", [`${name}.variance`, "epsilon"], `${name}.above`);
    op("Sqrt", [`${name}.above`], `${name}.root`);
    op("Div", [`${name}.centred`, `${name}.root`], `${name}.quotient`);
    constant(`${name}.gamma`, "float", [WIDTH], () => 1 + random());
    constant(`${name}.beta`, "float", [WIDTH], random);
    op("Mul", [`${name}.quotient`, `${name}.gamma`], `${name}.scaled`);
    return op("Add", [`${name}.scaled`, `${name}.beta`], output);
  }
  function quantized(input: string) {
    if (isFloat) return input;
    nodes.push({
      operator: "DynamicQuantizeLinear",
      inputs: [input],
      outputs: [`${input}.bytes`, `${input}.scale`, `${input}.zero`],
    });
    return input;
  }
  /** `input`: activations that are {@linkcode quantized}. */
  function linear(name: string, input: string, inner: number, columns: number) {
    constant(`${name}.bias`, "float", [columns], random);
    if (isFloat) {
      constant(`${name}.matrix`, "float", [inner, columns], () => random() * 4 / Math.sqrt(inner));
      return op("Add", [`${name}.bias`, op("MatMul", [input, `${name}.matrix`], `${name}.product`)], name);
    }
    constant(`${name}.matrix`, "int8", [inner, columns], () => Math.round(random() * 254));
    constant(`${name}.zeros`, "int8", [columns], () => 0);
    constant(`${name}.scales`, "float", [columns], () => (1 + random()) / 30 / Math.sqrt(inner));
    op(
      "MatMulInteger",
      [`${input}.bytes`, `${name}.matrix`, `${input}.zero`, `${name}.zeros`],
      `${name}.sums`,
    );
    op("Cast", [`${name}.sums`], `${name}.floats`, { to: 1 });
    op("Mul", [`${input}.scale`, `${name}.scales`], `${name}.scale`);
    op("Mul", [`${name}.floats`, `${name}.scale`], `${name}.product`);
    return op("Add", [`${name}.bias`, `${name}.product`], name);
  }
  function heads(name: string, input: string, perm: number[]) {
    const whole = linear(name, input, WIDTH, WIDTH);
    op("Concat", ["same", "same", "heads", "headWidth"], `${name}.shape`, { axis: 0 });
    op("Reshape", [whole, `${name}.shape`], `${name}.parts`);
    return op("Transpose", [`${name}.parts`], `${name}.heads`, { perm });
  }
  function layer(name: string, x: string, output: string) {
    quantized(x);
    const query = heads(`${name}.query`, x, [0, 2, 1, 3]);
    const key = heads(`${name}.key`, x, [0, 2, 3, 1]);
    const value = heads(`${name}.value`, x, [0, 2, 1, 3]);
    op("Div", [op("MatMul", [query, key], `${name}.scores`), "root"], `${name}.scaledScores`);
    op("Add", [`${name}.scaledScores`, "mask"], `${name}.masked`);
    op("Softmax", [`${name}.masked`], `${name}.shares`, { axis: 3 });
    op("MatMul", [`${name}.shares`, value], `${name}.mixed`);
    op("Transpose", [`${name}.mixed`], `${name}.turned`, { perm: [0, 2, 1, 3] });
    const context = quantized(op("Reshape", [`${name}.turned`, "joined"], `${name}.context`));
    const attended = quantized(
      norm(`${name}.attended`, linear(`${name}.out`, context, WIDTH, WIDTH), x),
    );
    const up = linear(`${name}.up`, attended, WIDTH, INNER);
    op("Erf", [op("Div", [up, "√2"], `${name}.below`)], `${name}.erf`);
    op("Add", [`${name}.erf`, "one"], `${name}.more`);
    op("Mul", [op("Mul", [up, `${name}.more`], `${name}.twice`), "half"], `${name}.active`);
    const down = linear(`${name}.down`, quantized(`${name}.active`), INNER, WIDTH);
    return norm(`${name}.norm`, down, attended, output);
  }

  for (
    const [name, value] of Object.entries({ one: 1, two: 2, "√2": Math.SQRT2, half: 0.5, epsilon: 1e-12 })
  ) {
    scalar(name, value);
  }
  scalar("root", Math.sqrt(WIDTH / HEADS));
  constant("noZero", "int8", [], () => 0);
  list("same", 0), list("heads", HEADS), list("headWidth", WIDTH / HEADS), list("joined", 0, 0, WIDTH);
  constant("numbers", "int64", [1, POSITIONS], (at) => at);
  list("start", 0), list("second", 1), list("third", 2);
  op("Shape", ["input_ids"], "shape");
  op("Gather", ["shape", "second"], "length");
  op("Slice", ["numbers", "start", "length", "second"], "positions");
  op("Unsqueeze", [op("Unsqueeze", ["attention_mask", "second"], "mask1"), "third"], "mask2");
  op("Sub", ["one", op("Cast", ["mask2"], "mask3", { to: 1 })], "mask4");
  op("Mul", ["mask4", scalar("far", -1e9)], "mask");
  const tokens = op("Add", [
    embedding("words", words, "input_ids"),
    embedding("types", 2, "token_type_ids"),
  ], "tokens");
  let x = norm("start.norm", tokens, embedding("places", POSITIONS, "positions"));
  for (let at = 1; at <= LAYERS; at++) {
    x = layer(`layer${at}`, x, at === LAYERS ? "last_hidden_state" : `x${at}`);
  }
  return onnxModel({
    inputs: INPUTS,
    nodes: nodes.map((node) => ({ ...node, ...change(node) })),
    constants,
    outputs: [["last_hidden_state", "float", ["batch", "length", WIDTH]]],
  });
}
