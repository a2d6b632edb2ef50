import { deepEqual, equal, notEqual, ok, rejects, throws } from "node:assert/strict";
import { join } from "node:path";
import { EncoderPool, hashedFile } from "#models/neural/mod.ts";
import { BertEncoder } from "#models/neural/bert.ts";
import { readBert } from "#models/neural/bert_graph.ts";
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
  equal(readBert(tinyBert(TOKENS, { half: 0.25 })), undefined);
  equal(readBert(tinyCrossEncoder(WORDS).model), undefined);
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

Deno.test("a token that the model does not know, and too little memory, fail the text", async () => {
  await rejects(vectorsOf(tinyBert(TOKENS - 1), ["a", "e"]), { key: "neural_model_invalid" });
  const encoder = await BertEncoder.load(readBert(tinyBert(TOKENS))!, 65_536);
  throws(() => encoder!.run({ ids: new Array(64).fill(1), types: new Array(64).fill(0) }), {
    message: "it needs too much memory",
  });
});
