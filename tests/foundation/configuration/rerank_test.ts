import { deepEqual, equal, rejects } from "node:assert/strict";
import { join } from "node:path";
import { loadConfig, maskSecrets, printConfig, secretValues } from "#foundation/configuration/mod.ts";
import { complaint, folder, load, MUST_NOT, onlyFound } from "./_load.ts";

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

Deno.test("a reranker on a server needs an address, a language model also a name, a local one a path", async () => {
  const address = "an address that begins with http:// or https:// and names a valid host";
  const needs: Record<string, Record<string, string>> = {
    remote: { "base_url": address },
    llm: { "base_url": address, model: "text" },
    local: { path: "the path of an ONNX file or of its folder" },
  };
  for (const [provider, keys] of Object.entries(needs)) {
    deepEqual(
      (await complaint(load(`language: en\nrerank: {provider: ${provider}}\n`))).split("\n").slice(1),
      Object.entries(keys).map(([key, what]) =>
        `config.yaml:2:20 rerank.${key}: expected ${what} (required for provider ${provider}), found nothing`
      ),
    );
  }
});

Deno.test("the path of a local reranker starts from the folder of the file", async () => {
  await using work = await folder({
    "config.yaml": "language: en\nrerank: {provider: local, path: models/x.onnx}\n",
  });
  const { config, warnings } = await loadConfig({ cwd: work.dir, env: {} });
  equal(config.rerank.path, join(work.dir, "models", "x.onnx"));
  deepEqual(warnings, [onlyFound(`rerank.path (${config.rerank.path})`)]);
});

Deno.test("a host that a permission cannot name is refused for a reranker too", async () => {
  for (const host of ["*.example.org", "a!b"]) {
    await rejects(load(`rerank: {provider: remote, base_url: "http://${host}/v1"}`));
  }
});

Deno.test("a file found in the working folder may not send questions and passages to another machine", async () => {
  await using work = await folder({ "config.yaml": REMOTE });
  const env = { RERANK_KEY: "sk-0123456789" };
  equal(
    await complaint(loadConfig({ cwd: work.dir, env })),
    `The configuration has 2 problems:
config.yaml:4:13 rerank.base_url: would send texts to https://api.example.org, ${MUST_NOT}
config.yaml:5:12 rerank.api_key: would send the value of the environment variable RERANK_KEY to \
https://api.example.org, an address from the same file, ${MUST_NOT}`,
  );
  await using local = await folder({
    "config.yaml": 'language: en\nrerank: {provider: llm, base_url: "http://127.0.0.1:1234/v1", model: m}\n',
  });
  deepEqual((await loadConfig({ cwd: local.dir, env })).warnings, [
    onlyFound("the server http://127.0.0.1:1234 (rerank.base_url)"),
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
