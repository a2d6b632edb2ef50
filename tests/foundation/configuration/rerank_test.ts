import { deepEqual, equal, rejects } from "node:assert/strict";
import { join } from "node:path";
import { loadConfig, maskSecrets, printConfig, secretValues } from "#foundation/configuration/mod.ts";
import { complaint, folder, load } from "./_load.ts";

const REMOTE = `language: en
rerank:
  provider: remote
  base_url: https://me:hush-hush@api.example.org/v1?key=hidden-key
  api_key: env:RERANK_KEY
`;

Deno.test("the key and the address of a reranker are masked and known as secrets", async () => {
  const { config } = await load(REMOTE, { env: { RERANK_KEY: "sk-0123456789" }, file: "config.yaml" });
  deepEqual(secretValues(config).sort(), ["hidden-key", "hush-hush", "sk-0123456789"]);
  equal(maskSecrets(config).rerank.base_url, "https://****@api.example.org/v1?key=****");
  equal(/hush|hidden|0123456789/.test(printConfig(config)), false);
});

Deno.test("a reranker on a server needs an address, and a language model also a name", async () => {
  const needed = "expected an address that begins with http:// or https:// and names a valid host";
  equal(
    await complaint(load("language: en\nrerank: {provider: remote}\n")),
    "The configuration has 1 problem:\n" +
      `config.yaml:2:20 rerank.base_url: ${needed} (required for provider remote), found nothing`,
  );
  equal(
    await complaint(load("language: en\nrerank: {provider: llm}\n")),
    "The configuration has 2 problems:\n" +
      `config.yaml:2:20 rerank.base_url: ${needed} (required for provider llm), found nothing\n` +
      "config.yaml:2:20 rerank.model: expected text (required for provider llm), found nothing",
  );
});

Deno.test("a local reranker needs the path of its model, which starts from the folder of the file", async () => {
  equal(
    await complaint(load("language: en\nrerank: {provider: local}\n")),
    "The configuration has 1 problem:\n" +
      "config.yaml:2:20 rerank.path: expected the path of an ONNX file or of its folder (required for provider local), found nothing",
  );
  await using work = await folder({
    "config.yaml": "language: en\nrerank: {provider: local, path: models/x.onnx}\n",
  });
  const { config, warnings } = await loadConfig({ cwd: work.dir, env: {} });
  equal(config.rerank.path, join(work.dir, "models", "x.onnx"));
  deepEqual(warnings, [
    `config.yaml was not named but only found in the working folder, and it sets rerank.path (${config.rerank.path}). ` +
    "If you want this, name it with --config config.yaml",
  ]);
});

Deno.test("a host that a permission cannot name is refused for a reranker too", async () => {
  for (const host of ["*.example.org", "a!b"]) {
    await rejects(load(`rerank: {provider: remote, base_url: "http://${host}/v1"}`));
  }
});

Deno.test("a file found in the working folder may not send questions and passages to another machine", async () => {
  await using work = await folder({ "config.yaml": REMOTE });
  const env = { RERANK_KEY: "sk-0123456789" };
  const may =
    "which a file that was only found in the working folder must not do. If you want this, name it with --config config.yaml";
  equal(
    await complaint(loadConfig({ cwd: work.dir, env })),
    "The configuration has 2 problems:\n" +
      `config.yaml:4:13 rerank.base_url: would send texts to https://api.example.org, ${may}\n` +
      "config.yaml:5:12 rerank.api_key: would send the value of the environment variable RERANK_KEY to " +
      `https://api.example.org, an address from the same file, ${may}`,
  );
  await using local = await folder({
    "config.yaml": 'language: en\nrerank: {provider: llm, base_url: "http://127.0.0.1:1234/v1", model: m}\n',
  });
  deepEqual((await loadConfig({ cwd: local.dir, env })).warnings, [
    "config.yaml was not named but only found in the working folder, and it sets the server " +
    "http://127.0.0.1:1234 (rerank.base_url). If you want this, name it with --config config.yaml",
  ]);
});

Deno.test("the environment sets a reranker", async () => {
  const env = {
    MUXUE_RAG_RERANK_PROVIDER: "remote",
    MUXUE_RAG_RERANK_BASE_URL: "http://127.0.0.1:8080",
    MUXUE_RAG_RERANK_TOP_M: "12",
    MUXUE_RAG_RERANK_TIMEOUT_SECONDS: "0.5",
  };
  const { rerank } = (await loadConfig({ cwd: "/nowhere", env })).config;
  deepEqual([rerank.provider, rerank.top_m, rerank.timeout_seconds], ["remote", 12, 0.5]);
});
