import "#foundation/messages/mod.ts";
import { deepEqual, equal, notEqual, ok, rejects } from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { UserError } from "#foundation/errors.ts";
import { LocalModels, type LocalSettings, routesOf } from "#models/embedding/mod.ts";
import { readModelFolder } from "#models/neural/mod.ts";
import { testModel } from "../../neural/_models.ts";

const DEFAULT = {
  path: null,
  pooling: null,
  prefix: null,
  "document_prefix": null,
  dimensions: null,
  "max_tokens": null,
};
const NOTHING: LocalSettings = { zh: DEFAULT, en: DEFAULT };

/** Installs the English test model as `en` in a new folder of models, and returns the folder. */
async function installedEnglish(): Promise<string> {
  const folder = await Deno.makeTempDir();
  const { model, tokenizer } = await readModelFolder(await testModel("en"));
  await Deno.mkdir(join(folder, "en"));
  const files: Record<string, { sha256: string; bytes: number }> = {};
  for (const [name, path] of [["model.onnx", model], ["tokenizer.json", tokenizer]] as const) {
    const bytes = await Deno.readFile(path);
    await Deno.writeFile(join(folder, "en", name), bytes);
    files[name] = { sha256: createHash("sha256").update(bytes).digest("hex"), bytes: bytes.length };
  }
  await Deno.writeTextFile(
    join(folder, "en", "model.json"),
    JSON.stringify({
      name: "sentence-transformers/all-MiniLM-L6-v2",
      revision: "c9745ed",
      pooling: "mean",
      dimensions: 384,
      maxTokens: 256,
      queryPrefix: "",
      documentPrefix: "",
      licence: "Apache-2.0",
      files,
    }),
  );
  return folder;
}

Deno.test("routesOf() sends a text to the models of its scripts", () => {
  const texts = {
    "今天天气很好": ["zh"],
    "How is the weather?": ["en"],
    "Docker 部署": ["zh", "en"],
    "如何在 Kubernetes 中部署一个有状态的 PostgreSQL 数据库": ["zh"],
    "The word 天 means sky, and this sentence is otherwise in English": ["en"],
    "Привет, мир": ["en"],
    "안녕하세요 세계": ["en"],
    "404 --": ["en"],
    "": ["en"],
  };
  deepEqual(Object.fromEntries(Object.keys(texts).map((text) => [text, routesOf(text)])), texts);
});

Deno.test("the installed models are used without settings, and a language without one is left out", async () => {
  const modelsDir = await installedEnglish();
  using models = await LocalModels.open(NOTHING, { modelsDir });
  deepEqual([...models.providers.keys()], ["en"]);
  const { routesOf } = models;
  deepEqual(routesOf("Docker 部署"), ["en"]);
  const provider = models.providers.get("en")!;
  equal(provider.name, "sentence-transformers/all-MiniLM-L6-v2");
  equal(provider.dimensions, 384);
  const [vector] = await provider.embed(["weather"], "query");
  equal(vector!.length, 384);
});

Deno.test("an id changes with the file and with every setting that changes vectors, and with nothing else", async () => {
  const modelsDir = await installedEnglish();
  const idOf = async (settings: Partial<LocalSettings["en"]>) => {
    using models = await LocalModels.open(
      { zh: DEFAULT, en: { ...DEFAULT, ...settings } },
      { modelsDir, workers: 2 },
    );
    return models.providers.get("en")!.id;
  };
  const id = await idOf({});
  ok(/^local\/1\/[0-9a-f]{24}$/.test(id), id);
  equal(await idOf({ path: join(modelsDir, "en", "model.onnx"), dimensions: 384 }), id);
  const others = [{ pooling: "cls" }, { prefix: "query: " }, { "document_prefix": "text: " }, {
    "max_tokens": 128,
  }, {
    path: await testModel("zh"),
  }] as const;
  for (const settings of others) notEqual(await idOf(settings), id);
});

Deno.test("prefixes are put before questions and documents", async () => {
  const modelsDir = await installedEnglish();
  const embed = async (settings: Partial<LocalSettings["en"]>, kind: "query" | "document", text: string) => {
    using models = await LocalModels.open({ zh: DEFAULT, en: { ...DEFAULT, ...settings } }, { modelsDir });
    return await models.providers.get("en")!.embed([text], kind);
  };
  const prefixes = { prefix: "query: ", "document_prefix": "passage: " };
  deepEqual(await embed(prefixes, "query", "rain"), await embed({}, "query", "query: rain"));
  deepEqual(await embed(prefixes, "document", "rain"), await embed({}, "document", "passage: rain"));
});

Deno.test("a model that is missing is an error that names the command which installs it", async () => {
  const modelsDir = await Deno.makeTempDir();
  await rejects(LocalModels.open(NOTHING, { modelsDir }), {
    key: "neural_no_model",
    params: { path: join(modelsDir, "zh"), missing: "model.onnx" },
  });
  await rejects(LocalModels.open(NOTHING, { modelsDir: null }), { key: "neural_no_folder" });
  const installed = await installedEnglish();
  const path = join(modelsDir, "elsewhere");
  await rejects(LocalModels.open({ ...NOTHING, zh: { ...DEFAULT, path } }, { modelsDir: installed }), {
    key: "neural_no_model",
    params: { path, missing: "model.onnx" },
  });
});

Deno.test("a damaged or incomplete installed model is reported and left out, and the other one works", async () => {
  const modelsDir = await installedEnglish();
  const zh = join(modelsDir, "zh");
  await Deno.mkdir(zh);
  for (const name of ["model.onnx", "tokenizer.json", "model.json"]) {
    await Deno.copyFile(join(modelsDir, "en", name), join(zh, name));
  }
  const opened = async () => {
    const problems: unknown[] = [];
    const onProblem = ({ key, params }: UserError) => problems.push({ key, params });
    using models = await LocalModels.open(NOTHING, { modelsDir, onProblem });
    return [[...models.providers.keys()], problems];
  };
  deepEqual(await opened(), [["zh", "en"], []]);
  const path = join(zh, "model.onnx");
  await Deno.truncate(path, 100);
  deepEqual(await opened(), [["en"], [{ key: "neural_damaged_file", params: { path } }]]);
  await Deno.remove(path);
  deepEqual(await opened(), [["en"], [{
    key: "neural_no_model",
    params: { path: zh, missing: "model.onnx" },
  }]]);
  await Deno.remove(join(modelsDir, "en"), { recursive: true });
  await Deno.writeFile(path, new Uint8Array(100));
  await rejects(LocalModels.open(NOTHING, { modelsDir }), {
    key: "neural_damaged_file",
    message: `${path} is damaged: it is missing, or its size is not the installed one. ` +
      "To repair it, run: muxue_rag model install",
  });
});

Deno.test("a model that was swapped after it was opened is refused", async () => {
  const modelsDir = await installedEnglish();
  using models = await LocalModels.open(NOTHING, { modelsDir });
  const path = join(modelsDir, "en", "model.onnx");
  const bytes = await Deno.readFile(path);
  bytes[bytes.length >> 1]! ^= 1;
  await Deno.writeFile(path, bytes);
  await rejects(models.providers.get("en")!.embed(["a"], "query"), {
    key: "neural_changed_file",
    params: { path },
    message: /was replaced since the program started, or is damaged\. Start the program again\./,
  });
});

Deno.test("the model for Chinese gets traditional characters as simplified ones", async () => {
  const path = await testModel("zh");
  await using stack = new AsyncDisposableStack();
  const settings = { ...NOTHING, zh: { ...DEFAULT, path, pooling: "cls" as const } };
  const models = stack.use(await LocalModels.open(settings, { modelsDir: null }));
  const provider = models.providers.get("zh")!;
  const [traditional, simplified] = await provider.embed(["資料庫的備份", "资料库的备份"], "document");
  deepEqual(traditional, simplified);
});
