import { deepEqual, equal, rejects } from "node:assert/strict";
import { join } from "node:path";
import { CATALOGUE, hasBundled, installBundled, lockModels, modelStates } from "#models/install/mod.ts";
import { OwnFolder } from "#foundation/boundary/mod.ts";
import { readModelFolder } from "#models/neural/mod.ts";
import { testModel } from "../neural/_models.ts";
import { TempDir } from "../../foundation/boundary/helpers.ts";

/** The files of an executable that contains the Chinese model; `change` alters them. */
async function bundle(
  change: (bytes: Uint8Array) => Uint8Array = (bytes) => bytes,
): Promise<(path: string) => Promise<Uint8Array | undefined>> {
  const { model, tokenizer } = await readModelFolder(await testModel("zh"));
  const gunzip = new DecompressionStream("gzip");
  const unpacked = new Blob([await Deno.readFile(tokenizer)]).stream().pipeThrough(gunzip);
  const files: Record<string, Uint8Array> = {
    "models/zh/model.onnx": change(await Deno.readFile(model)),
    "models/zh/tokenizer.json": await new Response(unpacked).bytes(),
  };
  return (path) => Promise.resolve(files[path]);
}

Deno.test("an executable installs the models that it contains, once", async () => {
  using dir = new TempDir();
  const { signal } = new AbortController();
  deepEqual(await installBundled(dir.path, signal, await bundle()), ["zh"]);
  const [zh] = await modelStates(dir.path, { verify: true });
  deepEqual([zh!.state, zh!.isOfCatalogue], ["installed", true]);
  equal((await Deno.stat(join(dir.path, "zh", "model.onnx"))).size, CATALOGUE.zh.files["model.onnx"]!.bytes);
  deepEqual(await installBundled(dir.path, signal, await bundle()), []);
});

Deno.test("an executable waits three seconds for a process that changes the models, and then goes on without", async () => {
  using dir = new TempDir();
  const { signal } = new AbortController();
  const first = await lockModels(new OwnFolder(dir.path), signal, () => {});
  await rejects(installBundled(dir.path, signal, await bundle()), { key: "model_busy" });
  const second = installBundled(dir.path, signal, await bundle());
  first[Symbol.dispose]();
  deepEqual(await second, ["zh"]);
});

Deno.test("a model that is damaged in the executable is not installed", async () => {
  using dir = new TempDir();
  const damaged = await bundle((bytes) => {
    bytes[1000]! ^= 1;
    return bytes;
  });
  deepEqual(await installBundled(dir.path, new AbortController().signal, damaged), []);
  deepEqual([...Deno.readDirSync(dir.path)], []);
});

Deno.test("a program without models installs none", async () => {
  using dir = new TempDir();
  deepEqual(await installBundled(dir.path, new AbortController().signal), []);
  equal(await hasBundled(), false);
});
