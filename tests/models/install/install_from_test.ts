import { deepEqual } from "node:assert/strict";
import { zipSync } from "fflate";
import { installFrom } from "#models/install/install_from.ts";
import type { CatalogueModel } from "#models/install/catalogue.ts";
import { tinyEncoder } from "../../../scripts/onnx_model.ts";
import { tinyCrossEncoder } from "../../../scripts/tiny_cross_encoder.ts";
import { assertUserError, TempDir } from "../../foundation/boundary/helpers.ts";
import { smallModel } from "./_small_model.ts";
import { gzip, tarOf } from "./_tar.ts";

/** Installs from a path and returns the names and sizes of the installed files, and whether they are those of the catalogue. */
async function install(dir: TempDir, model: CatalogueModel, path: string, acceptsOwn = false) {
  const { description, isOfCatalogue } = await installFrom(model, path, {
    ...{ dir: dir.path, acceptsOwn },
    signal: new AbortController().signal,
  });
  const files = [...Deno.readDirSync(dir.at(model.id))].map(({ name }) => name).sort();
  return { isOfCatalogue, files, description };
}

/** Writes a model with vectors of two dimensions, as an ONNX file and its tokenizer. */
function writeOwnModel(folder: TempDir, onnx = "model.onnx", model = tinyEncoder([[1, 0], [0, 1]])): void {
  folder.write(onnx, model);
  folder.write("tokenizer.json", tinyCrossEncoder(["check"]).tokenizer);
}

const FILES = ["model.json", "model.onnx", "tokenizer.json"];

Deno.test("installFrom() recognises the files of the catalogue by their bytes, in folders, archives and compressed", async () => {
  const { model, onnx, tokenizer, packed, tarball } = await smallModel();
  using from = new TempDir();
  from.write("plain/whatever.bin", onnx);
  from.write("plain/deep/er/tokens", tokenizer);
  from.write("plain/unrelated.txt", "x".repeat(onnx.length));
  from.write("beside/onnx/model_quantized.onnx", onnx);
  from.write("beside/tokenizer.json.gz", packed);
  from.write("downloads/small-1.2.3.tgz", tarball);
  from.write("downloads/damaged.tgz", tarball.subarray(0, 50));
  from.write("downloads/not.zip", "PK, but nothing more");
  from.write(
    "archive",
    await gzip(tarOf([{ path: "a", content: tokenizer }, { path: "../b", content: onnx }])),
  );
  from.write("archive.zip", zipSync({ "x/model": onnx, "y": tokenizer, "z": new Uint8Array(5) }));
  for (
    const path of ["plain", "beside", "downloads", "downloads/small-1.2.3.tgz", "archive", "archive.zip"]
  ) {
    using dir = new TempDir();
    dir.write("zh.part/model.onnx.partial", "the start of a download");
    const { isOfCatalogue, files } = await install(dir, model, from.at(path));
    deepEqual({ isOfCatalogue, files }, { isOfCatalogue: true, files: FILES }, path);
    deepEqual([...Deno.readDirSync(dir.path)].map(({ name }) => name), [model.id]);
  }
});

Deno.test("installFrom() names the files that are missing, and changes nothing", async () => {
  const { model, onnx } = await smallModel();
  using from = new TempDir();
  using dir = new TempDir();
  dir.write("zh/model.onnx", "the model before");
  dir.write("zh.part/model.onnx.partial", "the start of a download");
  from.write("model.onnx", onnx);
  const error = await assertUserError(() => install(dir, model, from.path), "model_not_in");
  deepEqual(error.params, {
    path: from.path,
    name: "zh",
    missing: "tokenizer.json",
    packages: "@scope/small@1.2.3",
  });
  await assertUserError(() => install(dir, model, from.at("nowhere")), "file_not_found");
  await assertUserError(() => install(dir, model, from.path, true), "model_not_in");
  deepEqual([...Deno.readDirSync(dir.path)].map(({ name }) => name).sort(), ["zh", "zh.part"]);
  deepEqual(Deno.readTextFileSync(dir.at("zh.part/model.onnx.partial")), "the start of a download");
  deepEqual(Deno.readTextFileSync(dir.at("zh/model.onnx")), "the model before");
});

Deno.test("installFrom() takes another embedding model where that is accepted, with what its files tell", async () => {
  const { model } = await smallModel();
  using from = new TempDir();
  using dir = new TempDir();
  writeOwnModel(from, "onnx/model_quantized.onnx");
  await assertUserError(() => install(dir, model, from.path), "model_not_in");
  await assertUserError(() => install(dir, model, from.path, true), "model_own_unknown");
  from.write("config.json", '{"_name_or_path":"me/mine","hidden_size":2,"max_position_embeddings":1024}');
  from.write("1_Pooling/config.json", '{"pooling_mode_cls_token":true}');
  const { description: { files, ...about }, ...rest } = await install(
    dir,
    model,
    from.at("onnx/model_quantized.onnx"),
    true,
  );
  deepEqual(rest, { isOfCatalogue: false, files: FILES });
  deepEqual(Object.keys(files), ["model.onnx", "tokenizer.json"]);
  deepEqual(about, {
    name: "me/mine",
    revision: "",
    licence: "",
    pooling: "cls",
    dimensions: 2,
    maxTokens: 512,
    queryPrefix: "",
    documentPrefix: "",
  });
});

Deno.test("installFrom() keeps the languages that the user added to the data for text recognition", async () => {
  const { model, onnx, tokenizer } = await smallModel();
  using from = new TempDir();
  using dir = new TempDir();
  dir.write("zh/jpn.traineddata", "Japanese");
  dir.write("zh/unrelated.txt", "x");
  from.write("model.onnx", onnx);
  from.write("tokenizer.json", tokenizer);
  const { files } = await install(dir, model, from.path);
  deepEqual(files, ["jpn.traineddata", ...FILES]);
});

Deno.test("installFrom() keeps the model before if another one does not work", async () => {
  const { model } = await smallModel();
  const sound = tinyEncoder([[1, 0], [0, 1]]);
  for (
    const [onnx, dimensions, error] of [
      [sound.subarray(0, sound.length / 2), 2, "neural_model_invalid"],
      [sound, 32, "neural_wrong_dimensions"],
    ] as const
  ) {
    using from = new TempDir();
    using dir = new TempDir();
    dir.write("zh/model.onnx", "the model before");
    writeOwnModel(from, "model.onnx", onnx);
    from.write("config.json", JSON.stringify({ "hidden_size": dimensions }));
    const { params } = await assertUserError(() => install(dir, model, from.path, true), error);
    deepEqual(params["path"], from.at("model.onnx"));
    deepEqual(Deno.readTextFileSync(dir.at("zh/model.onnx")), "the model before");
  }
});

Deno.test("installFrom() takes the description of a model that another machine has installed", async () => {
  const { model } = await smallModel();
  using from = new TempDir();
  using there = new TempDir();
  using dir = new TempDir();
  writeOwnModel(from);
  from.write("config.json", '{"hidden_size":2}');
  const first = await install(there, model, from.path, true);
  deepEqual((await install(dir, model, there.at("zh"), true)).description, first.description);
});
