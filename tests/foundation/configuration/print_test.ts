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
  const shown = printConfig(config);
  deepEqual(parse(shown), { ...config, embedding: { ...config.embedding, "api_key": "****" } });
  equal(
    printConfig({ collections: {}, files: config.files, search: config.search } as unknown as Config),
    `collections: {}
files:
  include: ["*.md", "a\\"b"]
  exclude: []
  ignore_files: true
  max_file_mb: 100
  encoding: auto
  generated: skip
  archives: read
  ocr: "off"
  allow_sensitive: []
search:
  mode: hybrid
  top_k: 10
  alpha: null
  fts_topn: 50
  vec_topn: 50
  per_doc_limit: 3
  fusion: auto
  rerank: true
  legs: [translation, vector, maxsim, sentence, neural]
  max_chars: 16000
  synonyms: [[k8s, kubernetes], ["电脑", computer]]
  recency:
    field: modified
    half_life_days: 180
    weight: 0
`,
  );
  equal(shown.includes('  api_key: "****"\n  model: "gpt: 4"\n  dimensions: null\n'), true);
  deepEqual(secretValues(config), ["sk-12345678"]);
  equal(maskSecrets(config).embedding.api_key, "****");
  equal(config.embedding.api_key, "sk-12345678");
});

Deno.test("printConfig() writes limits of access as they are read", async () => {
  const access = { levels: ["public", "a: b"], tags: { any: ["x"], none: [] }, missing: "include" };
  const tokens = [{ env: "TEAM", levels: [] }, { env: "GUEST", tags: { all: ["y"] } }];
  const { config } = await load(`mcp: ${JSON.stringify({ access, tokens })}`);
  deepEqual([config.mcp.access, config.mcp.tokens], [access, tokens]);
  deepEqual(parse(printConfig(config)), config);
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
