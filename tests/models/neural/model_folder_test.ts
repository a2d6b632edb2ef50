import "#foundation/messages/mod.ts";
import { deepEqual, equal, rejects } from "node:assert/strict";
import { dirname, join } from "node:path";
import { modelFilePaths, parseDescription, readModelFolder } from "#models/neural/mod.ts";

const DESCRIPTION = {
  name: "BAAI/bge-small-zh-v1.5",
  revision: "7999e1d",
  pooling: "cls",
  dimensions: 512,
  maxTokens: 512,
  queryPrefix: "",
  documentPrefix: "",
  licence: "MIT",
  files: {
    "model.onnx": { sha256: "a".repeat(64), bytes: 3 },
    "tokenizer.json": { sha256: "b".repeat(64), bytes: 2 },
  },
};

/** Writes files into a new folder and returns its path. */
async function folderWith(files: Record<string, string>): Promise<string> {
  const folder = await Deno.makeTempDir();
  for (const [name, content] of Object.entries(files)) {
    await Deno.mkdir(join(folder, dirname(name)), { recursive: true });
    await Deno.writeTextFile(join(folder, name), content);
  }
  return folder;
}

Deno.test("readModelFolder() finds the files of an installed model and reads its description", async () => {
  const folder = await folderWith({
    "model.onnx": "abc",
    "tokenizer.json": "{}",
    "model.json": JSON.stringify(DESCRIPTION),
  });
  deepEqual(await readModelFolder(folder), {
    model: join(folder, "model.onnx"),
    tokenizer: join(folder, "tokenizer.json"),
    description: DESCRIPTION,
  });
});

Deno.test("readModelFolder() finds the files of a downloaded repository, quantized first", async () => {
  const folder = await folderWith({
    "onnx/model.onnx": "abc",
    "onnx/model_quantized.onnx": "abc",
    "tokenizer.json.gz": "gz",
  });
  const tokenizer = join(folder, "tokenizer.json.gz");
  deepEqual(await readModelFolder(folder), {
    model: join(folder, "onnx/model_quantized.onnx"),
    tokenizer,
    description: undefined,
  });
  const named = join(folder, "onnx/model.onnx");
  deepEqual(await readModelFolder(named), { model: named, tokenizer, description: undefined });
});

Deno.test("readModelFolder() names the missing file, and the command that installs a model", async () => {
  const folder = await folderWith({ "model.onnx": "abc" });
  const missing = (path: string, name: string) => ({
    name: "UserError",
    message: `There is no model at ${path} (${name} is missing). Run: muxue_rag model install. ` +
      "Or set embedding.local to your own model",
  });
  await rejects(readModelFolder(folder), missing(folder, "tokenizer.json"));
  const file = join(folder, "model.onnx");
  await rejects(readModelFolder(file), missing(file, "tokenizer.json"));
  await rejects(readModelFolder(join(folder, "none")), missing(join(folder, "none"), "model.onnx"));
});

Deno.test("modelFilePaths() names the files of a folder or of an ONNX file, and no folder", () => {
  const at = (...names: string[]) => names.map((name) => join("/m", name));
  const described = ["tokenizer.json", "tokenizer.json.gz", "model.json"];
  deepEqual(
    modelFilePaths("/m"),
    at("model.onnx", "onnx/model_quantized.onnx", "onnx/model.onnx", ...described),
  );
  deepEqual(modelFilePaths(join("/m", "a.onnx")), at("a.onnx", ...described));
  deepEqual(
    modelFilePaths(join("/m", "onnx", "a.onnx")),
    at("onnx/a.onnx", "onnx/tokenizer.json", "onnx/tokenizer.json.gz", ...described),
  );
});

Deno.test("readModelFolder() notices a truncated file by the size in model.json", async () => {
  const folder = await folderWith({
    "model.onnx": "ab",
    "tokenizer.json": "{}",
    "model.json": JSON.stringify(DESCRIPTION),
  });
  await rejects(readModelFolder(folder), {
    key: "neural_damaged_file",
    params: { path: join(folder, "model.onnx") },
  });
});

Deno.test("parseDescription() names what is wrong", () => {
  deepEqual(parseDescription(JSON.stringify(DESCRIPTION)), DESCRIPTION);
  const problem = (change: object) => {
    try {
      parseDescription(JSON.stringify({ ...DESCRIPTION, ...change }));
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  };
  const file = { sha256: "a".repeat(64), bytes: 3 };
  deepEqual([
    ...[problem({ pooling: "max" }), problem({ dimensions: 0 }), problem({ maxTokens: "512" })],
    ...[problem({ name: undefined }), problem({ files: [] })],
    ...[problem({ files: { "model.onnx": { ...file, sha256: "A" } } })],
    ...[problem({ files: { "../model.onnx": file } }), problem({ files: { "/model.onnx": file } })],
    ...[problem({ files: { "C:\\model.onnx": file } })],
  ], [
    ...["pooling must be cls or mean", "dimensions must be a whole number from 1 to 16384"],
    ...["maxTokens must be a whole number from 1 to 8192", "name must be a text"],
    ...["files must be an object", "sha256 of model.onnx must be 64 hexadecimal digits"],
    ...["../model.onnx is not inside the folder", "/model.onnx is not inside the folder"],
    ...["C:\\model.onnx is not inside the folder"],
  ]);
  equal(problem({ licence: "Apache-2.0" }), undefined);
});
