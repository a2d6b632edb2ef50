import { deepEqual, equal, ok } from "node:assert/strict";
import { join } from "node:path";
import {
  CrossEncoder,
  EncoderPool,
  type EncoderSettings,
  hashedFile,
  type ModelFiles,
} from "#models/neural/mod.ts";
import { type Graph, INPUTS, onnxModel, tinyEncoder } from "../../../scripts/onnx_model.ts";
import { tinyCrossEncoder } from "../../../scripts/tiny_cross_encoder.ts";

/** A `tokenizer.json` that knows [PAD], [UNK], [CLS], [SEP], a and b, and a model that counts the words that texts share. */
const { tokenizer: TOKENIZER, model: CROSS_ENCODER } = tinyCrossEncoder(["a", "b"]);

async function filesOf(model: Uint8Array): Promise<ModelFiles> {
  const folder = await Deno.makeTempDir();
  await Deno.writeFile(join(folder, "model.onnx"), model);
  await Deno.writeTextFile(join(folder, "tokenizer.json"), TOKENIZER);
  return {
    model: await hashedFile(join(folder, "model.onnx")),
    tokenizer: await hashedFile(join(folder, "tokenizer.json")),
  };
}

const SETTINGS: EncoderSettings = { pooling: "mean", dimensions: undefined, maxTokens: 16 };

/** Loads a model and embeds `a`. Returns the key of the error, and the problem that it names. */
async function failureOf(model: Uint8Array, settings = SETTINGS): Promise<[string, string | undefined]> {
  using pool = new EncoderPool(await filesOf(model), settings);
  try {
    await pool.embed(["a"]);
    return ["", undefined];
  } catch (error) {
    const { key, params } = error as { key: string; params: Record<string, string> };
    return [key, params["problem"]];
  }
}

/** A model that makes its output of a constant. */
function constant(graph: Partial<Graph>): Uint8Array {
  return onnxModel({
    inputs: INPUTS,
    nodes: [],
    outputs: [["last_hidden_state", "float", ["batch", "length", 2]]],
    ...graph,
  });
}

Deno.test("the vector of a text is made of those of its tokens, as pooling says", async () => {
  const files = await filesOf(tinyEncoder([[0, 0], [0, 0], [3, 4], [0, 0], [3, 0], [0, 4]]));
  const embed = async (pooling: "cls" | "mean", text: string) => {
    using pool = new EncoderPool(files, { ...SETTINGS, pooling });
    return (await pool.embed([text])).map((vector) => [...vector].map((x) => Number(x.toFixed(4))));
  };
  // [CLS] a b [SEP]: the sum is [6, 8].
  deepEqual(await embed("mean", "a b"), [[0.6, 0.8]]);
  deepEqual(await embed("mean", "a a"), [[0.9138, 0.4061]]);
  deepEqual(await embed("cls", "a a"), [[0.6, 0.8]]);
});

Deno.test("a cross-encoder gives the logit of each pair", async () => {
  using encoder = new CrossEncoder(await filesOf(CROSS_ENCODER), { maxTokens: 8 });
  // Of the last one, the model reads [CLS] b [SEP] b b b b [SEP].
  deepEqual(await encoder.score("b", ["", "b", "b a b", "b ".repeat(100)]), [-2, -1, 0, 2]);
});

Deno.test("outputs that are no numbers are refused", async () => {
  equal((await failureOf(tinyEncoder([[NaN, 1]])))[0], "neural_not_numbers");
  equal((await failureOf(tinyEncoder([[Infinity, 1]])))[0], "neural_not_numbers");
  equal((await failureOf(tinyEncoder([[0, 0]])))[0], "neural_not_numbers");
});

Deno.test("a model with other inputs or outputs than BERT is refused by their names", async () => {
  const nodes = [{ operator: "Identity", inputs: ["pixels"], outputs: ["last_hidden_state"] }];
  deepEqual(await failureOf(constant({ inputs: [["pixels", "float", ["batch", "length", 2]]], nodes })), [
    "neural_model_invalid",
    "its inputs are pixels",
  ]);
  deepEqual(await failureOf(CROSS_ENCODER), [
    "neural_model_invalid",
    "its outputs are logits, and none is sentence_embedding or pooled_embeddings or last_hidden_state or token_embeddings",
  ]);
});

Deno.test("an output of another shape is refused", async () => {
  const model = constant({
    constants: [{ name: "c", type: "float", shape: [1, 3, 7, 2], values: new Array(42).fill(1) }],
    nodes: [{ operator: "Identity", inputs: ["c"], outputs: ["last_hidden_state"] }],
    outputs: [["last_hidden_state", "float", [1, 3, 7, 2]]],
  });
  deepEqual(await failureOf(model), [
    "neural_model_invalid",
    "its output has the shape 1×3×7×2 instead of 1×3×2",
  ]);
});

Deno.test("a model that asks for more memory than it may have is refused, and the process goes on", async () => {
  // Other tests run in this process too, so its growth counts.
  const before = Deno.memoryUsage().rss;
  // 64 GB, and 1 GB, which WebAssembly itself allows.
  for (
    const [size, problem] of [
      [2 ** 17, "INVALID_ARGUMENT : Tensor shape is too large"],
      [2 ** 14, "it needs too much memory"],
    ] as const
  ) {
    const model = constant({
      constants: [{ name: "shape", type: "int64", shape: [2], values: [size, size] }],
      nodes: [{ operator: "ConstantOfShape", inputs: ["shape"], outputs: ["last_hidden_state"] }],
      outputs: [["last_hidden_state", "float", ["batch", "length"]]],
    });
    deepEqual(await failureOf(model), ["neural_model_invalid", problem]);
  }
  ok(Deno.memoryUsage().rss - before < 1e9);
});

Deno.test("a model with a loop is refused before it runs", async () => {
  const body: Graph = {
    inputs: [["i", "int64", []], ["goes_on", "bool", []]],
    nodes: [{ operator: "Identity", inputs: ["goes_on"], outputs: ["still"] }],
    outputs: [["still", "bool", []]],
  };
  const loop = { operator: "Loop", inputs: ["", "yes"], outputs: [], attributes: { body } };
  const nodes = [
    { operator: "Cast", inputs: ["one"], outputs: ["yes"], attributes: { to: 9 } },
    loop,
    { operator: "Cast", inputs: ["input_ids"], outputs: ["last_hidden_state"], attributes: { to: 1 } },
  ];
  const constants = [{ name: "one", type: "int64", shape: [], values: [1] } as const];
  deepEqual(await failureOf(constant({ nodes, constants })), ["neural_model_invalid", "it has loops (Loop)"]);
  const inside = {
    operator: "If",
    inputs: ["yes"],
    outputs: [],
    attributes: { "then_branch": { ...body, nodes: [loop] }, "else_branch": body },
  };
  deepEqual(await failureOf(constant({ nodes: [nodes[0]!, inside, nodes[2]!], constants })), [
    "neural_model_invalid",
    "it has loops (Loop)",
  ]);
});

Deno.test("bytes that are no ONNX model are refused with the reason", async () => {
  const model = tinyEncoder([[1, 2]]);
  const problem = async (bytes: Uint8Array) => (await failureOf(bytes))[1];
  deepEqual(
    [
      await problem(new Uint8Array()),
      await problem(model.subarray(0, model.length - 1)),
      await problem(new TextEncoder().encode("version https://git-lfs.github.com/spec/v1")),
      await problem(Uint8Array.of(8, 0, 0, 0, ...new TextEncoder().encode("ORTM"))),
    ],
    ["it is not in ONNX format", "it is cut off", "it is not in ONNX format", "it is not in ONNX format"],
  );
});
