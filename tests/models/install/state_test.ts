import { deepEqual } from "node:assert/strict";
import { CATALOGUE } from "#models/install/catalogue.ts";
import { descriptionOf, modelState, modelStates } from "#models/install/state.ts";
import { TempDir } from "../../foundation/boundary/helpers.ts";
import { smallModel } from "./_small_model.ts";

Deno.test("modelStates() gives the models of the catalogue as missing before anything is installed", async () => {
  using dir = new TempDir();
  const states = await modelStates(dir.at("none"));
  deepEqual(states.map(({ id, state, bytes }) => [id, state, bytes]), [
    ["zh", "missing", 24_449_967],
    ["en", "missing", 23_684_031],
    ["ocr", "missing", 7_670_131],
  ]);
});

Deno.test("modelState() finds every kind of damage; wrong bytes of the right size only if it reads them", async () => {
  const { model, onnx, tokenizer } = await smallModel();
  const description = JSON.stringify(descriptionOf(model));
  const cases: [Record<string, string | Uint8Array>, string, unknown][] = [
    [{ "model.json": description, "model.onnx": onnx, "tokenizer.json": tokenizer }, "installed", undefined],
    [{ "model.json": description, "model.onnx": onnx }, "damaged", {
      file: "tokenizer.json",
      reason: "missing",
    }],
    [{ "model.json": description, "model.onnx": "" }, "damaged", { file: "model.onnx", reason: "size" }],
    [
      { "model.json": description, "model.onnx": onnx, "tokenizer.json": tokenizer.toReversed() },
      "damaged",
      { file: "tokenizer.json", reason: "sha256" },
    ],
    [{ "model.json": '{"name":1}', "model.onnx": onnx }, "damaged", {
      file: "model.json",
      reason: "pooling must be cls or mean",
    }],
  ];
  for (const [files, state, damage] of cases) {
    using dir = new TempDir();
    for (const [name, content] of Object.entries(files)) dir.write(`zh/${name}`, content);
    const found = await modelState(dir.path, model, { verify: true });
    deepEqual([found.state, found.damage], [state, damage]);
    const isOnlySeenByReading = (damage as { reason?: string } | undefined)?.reason === "sha256";
    deepEqual((await modelState(dir.path, model)).state, isOnlySeenByReading ? "installed" : state);
  }
});

Deno.test("modelState() reads the description of a model that makes no vectors", async () => {
  using dir = new TempDir();
  const description = descriptionOf(CATALOGUE.ocr);
  dir.write("ocr/model.json", JSON.stringify(description));
  for (const [name, { bytes }] of Object.entries(description.files)) {
    dir.write(`ocr/${name}`, new Uint8Array(bytes));
  }
  const { state, description: read } = await modelState(dir.path, CATALOGUE.ocr);
  deepEqual([state, read], ["installed", description]);
});

Deno.test("a path out of the folder in model.json is damage", async () => {
  using dir = new TempDir();
  const { model } = await smallModel();
  const files = { "../../secret": { bytes: 5, sha256: "0".repeat(64) } };
  dir.write("zh/model.json", JSON.stringify({ ...descriptionOf(model), files }));
  deepEqual((await modelState(dir.path, model)).damage, {
    file: "model.json",
    reason: "../../secret is not inside the folder",
  });
});
