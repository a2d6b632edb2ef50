import "#foundation/messages/mod.ts";
import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import { createReranker, rerankModelPaths } from "#models/rerank/mod.ts";
import { tinyModel } from "./_tiny_model.ts";
import { rerankConfig } from "./_rerank_server.ts";

const WORDS = ["red", "blue", "apple", "pear", "狗"];
const OPEN = new AbortController().signal;
const local = (path: string) => rerankConfig({ provider: "local", "base_url": null, path });

/** The probability that the tiny model gives to a text with this many shared words. */
const shareOf = (shared: number) => 1 / (1 + Math.exp(2 - shared));
const rounded = (scores: ArrayLike<number>) => Array.from(scores, (score) => Math.round(score * 1e5) / 1e5);

Deno.test("a cross-encoder in ONNX format reads question and passage together, in a thread of the program", async () => {
  await using model = await tinyModel(WORDS);
  for (const path of [model.folder, model.file]) {
    const reranker = (await createReranker(local(path)))!;
    const passages = [
      "a red apple and a blue pear",
      "a pear",
      "狗",
      "an unknown thing",
      "apple apple apple red red",
    ];
    const scores = await reranker.score("Red apple 狗?", passages, OPEN);
    deepEqual(rounded(scores), rounded([2, 0, 1, 0, 5].map(shareOf)));
    reranker.close?.();
  }
});

Deno.test("passages that are too long are cut, and an empty one has the lowest score", async () => {
  await using model = await tinyModel(WORDS);
  const reranker = (await createReranker(local(model.file)))!;
  const [long, empty] = await reranker.score("apple", ["pear ".repeat(5000) + "apple", ""], OPEN);
  deepEqual(rounded([long!, empty!]), rounded([shareOf(0), shareOf(0)]));
  reranker.close?.();
});

Deno.test("a missing, damaged or wrong model is a failure that names its file", async () => {
  await using model = await tinyModel(WORDS);
  const ask = async (path: string) => {
    const reranker = (await createReranker(local(path)))!;
    try {
      return await reranker.score("apple", ["a", "b"], OPEN);
    } finally {
      reranker.close?.();
    }
  };
  const nowhere = join(model.folder, "none.onnx");
  await rejects(ask(nowhere), { key: "rerank_no_model", params: { path: nowhere, missing: "model.onnx" } });
  const bytes = await Deno.readFile(model.file);
  for (
    const damaged of [
      new Uint8Array(),
      bytes.slice(0, 100),
      bytes.map((byte, i) => i % 7 === 0 ? 255 : byte),
    ]
  ) {
    await Deno.writeFile(model.file, damaged);
    await rejects(ask(model.file), (error: { key?: string; message: string }) => {
      equal(error.key, "neural_model_invalid");
      return error.message.includes(model.file);
    });
  }
  await Deno.writeFile(model.file, bytes);
  await Deno.writeTextFile(join(model.folder, "tokenizer.json"), "{}");
  await rejects(ask(model.file), { key: "neural_tokenizer_invalid" });
  await Deno.remove(join(model.folder, "tokenizer.json"));
  await rejects(ask(model.file), { key: "rerank_no_model" });
});

Deno.test("after a failure the user may put a model there, and the next question finds it", async () => {
  await using model = await tinyModel(WORDS);
  const reranker = (await createReranker(local(model.file)))!;
  await Deno.rename(model.file, `${model.file}.away`);
  await rejects(reranker.score("apple", ["apple"], OPEN), { key: "rerank_no_model" });
  await Deno.rename(`${model.file}.away`, model.file);
  deepEqual(rounded(await reranker.score("apple", ["apple"], OPEN)), rounded([shareOf(1)]));
  reranker.close?.();
  deepEqual(
    rounded(await reranker.score("apple", ["apple"], OPEN)),
    rounded([shareOf(1)]),
    "it is opened again",
  );
  reranker.close?.();
});

Deno.test("after a description of the model that is wrong is mended, the next question uses it", async () => {
  await using model = await tinyModel(WORDS);
  const reranker = (await createReranker(local(model.folder)))!;
  const description = join(model.folder, "model.json");
  await Deno.writeTextFile(description, "{");
  await rejects(reranker.score("apple", ["apple"], OPEN), { key: "neural_description_wrong" });
  await Deno.remove(description);
  deepEqual(rounded(await reranker.score("apple", ["apple"], OPEN)), rounded([shareOf(1)]));
  reranker.close?.();
});

Deno.test("score() throws the reason of its signal while the model is loaded", async () => {
  await using model = await tinyModel(WORDS);
  const reranker = (await createReranker(local(model.file)))!;
  const reason = new Error("enough");
  const controller = new AbortController();
  const scores = reranker.score("apple", ["a", "b"], controller.signal);
  controller.abort(reason);
  await rejects(scores, reason);
  await rejects(reranker.score("apple", ["a"], AbortSignal.abort(reason)), reason);
  equal((await reranker.score("apple", ["a"], OPEN)).length, 1);
  reranker.close?.();
});

Deno.test("only a local reranker reads files: its model, its tokenizer and their description", () => {
  deepEqual(rerankModelPaths(rerankConfig({ path: "/models/x.onnx" })), []);
  const paths = rerankModelPaths(local("/models/x.onnx"));
  ok(paths.includes("/models/x.onnx") && paths.every((path) => path.startsWith("/models/")), String(paths));
});

Deno.test("the tiny model is the same in each run, and smaller than 20 kB", async () => {
  const read = async () => {
    await using model = await tinyModel(WORDS);
    return await Deno.readFile(model.file);
  };
  const [one, two] = [await read(), await read()];
  deepEqual(one, two);
  ok(one.length < 20_000, String(one.length));
});
