import { deepEqual, equal, notEqual, ok, rejects, throws } from "node:assert/strict";
import { join } from "node:path";
import { EncoderPool, hashedFile } from "#models/neural/mod.ts";
import { BertEncoder } from "#models/neural/bert.ts";
import { readBert } from "#models/neural/bert_graph.ts";
import type { Node } from "../../../scripts/onnx_model.ts";
import { quantized } from "../../../scripts/quantize_model.ts";
import { tinyCrossEncoder } from "../../../scripts/tiny_cross_encoder.ts";
import { EMPTY_PART, tinyBert } from "./_tiny_bert.ts";

const WORDS = ["a", "b", "c", "d", "e"];
/** Tokens of the tokenizer: [PAD], [UNK], [CLS] and [SEP] come first. */
const TOKENS = WORDS.length + 4;

const withEmptyPart = (model: Uint8Array) => Uint8Array.from([...model, ...EMPTY_PART]);

async function vectorsOf(model: Uint8Array, texts: readonly string[]): Promise<Float32Array[]> {
  const folder = await Deno.makeTempDir();
  await Deno.writeFile(join(folder, "model.onnx"), model);
  await Deno.writeTextFile(join(folder, "tokenizer.json"), tinyCrossEncoder(WORDS).tokenizer);
  const files = {
    model: await hashedFile(join(folder, "model.onnx")),
    tokenizer: await hashedFile(join(folder, "tokenizer.json")),
  };
  using pool = new EncoderPool(files, { pooling: "mean", dimensions: 32, maxTokens: 50 });
  return await pool.embed(texts);
}

const cosinesOf = (some: readonly Float32Array[], others: readonly Float32Array[]) =>
  some.map((vector, at) => vector.reduce((sum, x, i) => sum + x * others[at]![i]!, 0));

Deno.test("a BERT-like encoder of int8 gives the vectors that ONNX Runtime gives", async () => {
  const model = tinyBert(TOKENS);
  const texts = ["", "a", "b c", "e d c b a", "a b c d e ".repeat(20)];
  const own = await vectorsOf(model, texts);
  const runtime = await vectorsOf(withEmptyPart(model), texts);
  const cosines = cosinesOf(own, runtime);
  ok(cosines.every((cosine) => cosine > 0.999), cosines.join());
});

Deno.test("a model of floats that is quantized becomes such an encoder, with vectors near its own", async () => {
  const model = tinyBert(TOKENS, { isFloat: true });
  const small = quantized(model);
  notEqual(readBert(small), undefined);
  const texts = ["a", "b c", "e d c b a"];
  const cosines = cosinesOf(await vectorsOf(model, texts), await vectorsOf(small, texts));
  ok(cosines.every((cosine) => cosine > 0.999), cosines.join());
});

Deno.test("a vector does not depend on the texts before it", async () => {
  const model = tinyBert(TOKENS);
  const [, , last] = await vectorsOf(model, ["a b c d e ".repeat(20), "", "a b"]);
  deepEqual(await vectorsOf(model, ["a b"]), [last]);
});

Deno.test("an encoder is found only if its graph is exactly one, in one part", () => {
  const model = tinyBert(TOKENS);
  notEqual(readBert(model), undefined);
  equal(readBert(withEmptyPart(model)), undefined);
  equal(readBert(tinyCrossEncoder(WORDS).model), undefined);
});

Deno.test("a graph with one operator that differs is not that of an encoder", () => {
  const positions = ["numbers", "start", "length", "second"];
  const changes: Record<string, (node: Node) => Partial<Node> | false> = {
    "factor of the activation function": ({ inputs: [first, second] }) =>
      second === "half" && { inputs: [first!, "one"] },
    "domain": ({ operator }) => operator === "Erf" && { domain: "com.example" },
    "numbers of a cast": ({ outputs: [name] }) => name === "layer1.up.floats" && { attributes: { to: 6 } },
    "axis of positions": ({ operator }) => operator === "Slice" && { inputs: positions.with(3, "start") },
    "step of positions": ({ operator }) => operator === "Slice" && { inputs: [...positions, "third"] },
    "end of positions": ({ operator }) => operator === "Slice" && { inputs: positions.with(2, "third") },
  };
  for (const [name, changed] of Object.entries(changes)) {
    let count = 0;
    const model = tinyBert(TOKENS, {
      change(node) {
        const part = changed(node);
        if (part) count++;
        return part || {};
      },
    });
    ok(count > 0, name);
    equal(readBert(model), undefined, name);
  }
});

Deno.test("both ways to multiply bytes give the same numbers", async () => {
  const bert = readBert(tinyBert(TOKENS))!;
  const memory = 2 ** 24;
  const one = await BertEncoder.load(bert, memory);
  const two = await BertEncoder.load(bert, memory, { kind: "pairs" });
  for (const length of [1, 4, 7, 40]) {
    const tokens = {
      ids: Array.from({ length }, (_, at) => at % TOKENS),
      types: new Array(length).fill(0),
    };
    deepEqual(two!.run(tokens), one!.run(tokens));
  }
});

Deno.test("a token that the model does not know fails the text", async () => {
  await rejects(vectorsOf(tinyBert(TOKENS - 1), ["a", "e"]), { key: "neural_model_invalid" });
});

Deno.test("an encoder refuses tokens and positions that its tables lack, and too little memory", async () => {
  const bert = readBert(tinyBert(TOKENS))!;
  const encoder = await BertEncoder.load(bert, 2 ** 24), small = await BertEncoder.load(bert, 65_536);
  const tokens = (...ids: number[]) => ({ ids, types: ids.map(() => 0) });
  throws(() => encoder!.run(tokens(1, -1)), { message: `token -1 is not one of the model's ${TOKENS}` });
  const long = tokens(...new Array(65).fill(1));
  throws(() => encoder!.run(long), { message: "position 64 is not one of the model's 64" });
  throws(() => small!.run(long), { message: "it needs too much memory" });
});
