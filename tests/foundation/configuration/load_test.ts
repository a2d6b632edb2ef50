import { deepEqual, equal, ok, rejects, throws } from "node:assert/strict";
import { join } from "node:path";
import {
  type Config,
  DEFAULTS as defaults,
  loadConfig,
  type LoadedConfig,
} from "#foundation/configuration/mod.ts";
import { UsageError } from "#foundation/errors.ts";
import { CHINESE, complaint, folder, load } from "./_load.ts";

/** `config.yaml` shows them, and `defaults_test.ts` compares the two. */
const DEFAULTS: Config = { ...defaults, language: "zh" };

Deno.test("loadConfig() gives the defaults without a file, variables and flags", async () => {
  await using work = await folder({});
  deepEqual(await loadConfig({ cwd: work.dir, env: CHINESE }), {
    config: DEFAULTS,
    source: null,
    warnings: [],
  });
});

Deno.test("loadConfig() gives the defaults for an empty file, comments only, and empty sections", async () => {
  for (const text of ["", "\n# language: en\n", "search:\nlog:\n  # level: debug\n", "{}"]) {
    deepEqual((await load(text)).config, DEFAULTS);
  }
});

Deno.test("the configuration is deeply frozen", async () => {
  const { config } = await load("files: {include: ['*.md']}");
  throws(() => Object.assign(config.search, { "top_k": 1 }), TypeError);
  throws(() => (config.files.include as string[]).push("x"), TypeError);
});

Deno.test("flags win over the environment, the environment over the file, the file over the defaults", async () => {
  const text = "search: {top_k: 2, alpha: 0.2, fts_topn: 2}";
  const env = { "MUXUE_RAG_SEARCH_TOP_K": "3", "MUXUE_RAG_SEARCH_ALPHA": "0.3" };
  const flags = { search: { "top_k": 4, mode: undefined } };
  deepEqual((await load(text, { env, flags })).config.search, {
    ...DEFAULTS.search,
    "top_k": 4,
    "alpha": 0.3,
    "fts_topn": 2,
  });
});

Deno.test("all problems of a file are reported together, with line and column, in the file's language", async () => {
  const text = `langauge: zh
language: en
search:
  topK: 500
  top_k: 500
  mode: fuzzy
  top_k: 3
  rerank: yes
  alpha: "0.5"
files:
  include: [a, 5, [b]]
  allow_sensitive: true
  encoding: klingon
  max_file_mb:
mcp: hello
embedding:
  provider: azure
  api_key: 12345
  dimensions: sk-abcdefghijkl
chunking: {max_chars: 300, overlap: 200, chunks_per_file: 1.5}
top_k: 5
foo: 1
log: [debug]
`;
  equal(
    await complaint(load(text)),
    `The configuration has 22 problems:
config.yaml:1:1 langauge: unknown key; did you mean language?
config.yaml:4:3 search.topK: unknown key; did you mean search.top_k?
config.yaml:5:10 search.top_k: expected a whole number from 1 to 100, found 500
config.yaml:6:9 search.mode: expected one of hybrid, keyword, semantic, found "fuzzy"
config.yaml:7:3 search.top_k: duplicate key; it first appears in line 5
config.yaml:8:11 search.rerank: expected true or false, found "yes"
config.yaml:9:10 search.alpha: expected a number from 0 to 1, found "0.5"
config.yaml:11:16 files.include[1]: expected text, found 5
config.yaml:11:19 files.include[2]: expected text, found a list
config.yaml:12:20 files.allow_sensitive: expected false or a list of folder paths, found true
config.yaml:13:13 files.encoding: expected auto or a known encoding (such as utf-8, gb18030, big5), found "klingon"
config.yaml:14:15 files.max_file_mb: expected a number from 0.001 to 2048, found nothing
config.yaml:15:6 mcp: expected a group of settings (key: value), found "hello"
config.yaml:17:13 embedding.base_url: expected an address that begins with http:// or https:// and names a valid host (required for provider azure), found nothing
config.yaml:17:13 embedding.model: expected text (required for provider azure), found nothing
config.yaml:18:12 embedding.api_key: expected text, found (a hidden value)
config.yaml:19:15 embedding.dimensions: expected a whole number from 1 to 16384, found (a hidden value)
config.yaml:20:37 chunking.overlap: expected a whole number less than half of max_chars (150), found 200
config.yaml:20:59 chunking.chunks_per_file: expected auto or a whole number from 1 to 100000, found 1.5
config.yaml:21:1 top_k: unknown key; did you mean search.top_k?
config.yaml:22:1 foo: unknown key; the known keys are language, collections, embedding, chunking, files, index, search, rerank, llm, vision_llm, store, vectors, mcp, models, updates, log, observability
config.yaml:23:6 log: expected a group of settings (key: value), found a list`,
  );
});

Deno.test("problems are reported in Chinese by default", async () => {
  equal(
    await complaint(load("search:\n  top_k: 0\n  modus: hybrid\nlog:\n  level: {a: 1}\n  retention_days:\n")),
    `配置有误，共 4 处：
config.yaml:2:10 search.top_k：应为 1 到 100 之间的整数，实为 0
config.yaml:3:3 search.modus：未知的配置项，是否想用 search.mode？
config.yaml:5:10 log.level：应为以下之一：debug, info, warning, error，实为一组配置项
config.yaml:6:18 log.retention_days：应为 1 到 3650 之间的整数，实为空`,
  );
});

Deno.test("problems of the file and of the environment are reported together", async () => {
  const env = {
    "MUXUE_RAG_LANGUAGE": "en",
    "MUXUE_RAG_SEARCH_TOPK": "5",
    "MUXUE_RAG_LOG_LEVEL": "loud",
    "MUXUE_RAG_XYZ": "1",
    "MUXUE_RAG_EMBEDDING_MODEL": "env:NOPE",
    "MUXUE_RAG_SEARCH_ALPHA": "",
    "OTHER": "ignored",
  };
  equal(
    await complaint(load("search: {top_k: x}\n", { env })),
    `The configuration has 5 problems:
config.yaml:1:17 search.top_k: expected a whole number from 1 to 100, found "x"
env:MUXUE_RAG_EMBEDDING_MODEL embedding.model: refers to the environment variable NOPE, which is not set
env:MUXUE_RAG_LOG_LEVEL log.level: expected one of debug, info, warning, error, found "loud"
env:MUXUE_RAG_SEARCH_TOPK unknown variable; did you mean MUXUE_RAG_SEARCH_TOP_K?
env:MUXUE_RAG_XYZ unknown variable; names have the form MUXUE_RAG_<SECTION>_<KEY>`,
  );
});

Deno.test("environment variables are converted to the type of their key", async () => {
  const env = {
    "MUXUE_RAG_LANGUAGE": "en",
    "MUXUE_RAG_EMBEDDING_MODEL": "4711",
    "MUXUE_RAG_EMBEDDING_API_KEY": "plain-but-not-in-a-file",
    "MUXUE_RAG_CHUNKING_CHUNKS_PER_FILE": "8",
    "MUXUE_RAG_FILES_INCLUDE": "*.md, docs/**",
    "MUXUE_RAG_FILES_IGNORE_FILES": "false",
    "MUXUE_RAG_FILES_ALLOW_SENSITIVE": "false",
    "MUXUE_RAG_SEARCH_ALPHA": ".25",
    "MUXUE_RAG_STATE_DIR": "/state",
    "MUXUE_RAG_PASSPHRASE": "reserved",
  };
  const { config, warnings } = await load("", { env, os: "linux" });
  deepEqual(warnings, []);
  deepEqual(config, {
    ...DEFAULTS,
    language: "en",
    embedding: { ...DEFAULTS.embedding, "model": "4711", "api_key": "plain-but-not-in-a-file" },
    chunking: { ...DEFAULTS.chunking, "chunks_per_file": 8 },
    files: { ...DEFAULTS.files, include: ["*.md", "docs/**"], "ignore_files": false },
    search: { ...DEFAULTS.search, alpha: 0.25 },
    log: { ...DEFAULTS.log, dir: config.log.dir },
  });
  ok(config.log.dir?.endsWith("logs"));
});

Deno.test("errors in YAML name the mistake and do not quote the file", async () => {
  const cases: Record<string, string> = {
    "search:\n\ttop_k: 1": "config.yaml:2:1 语法错误：缩进不能用制表符，请用空格",
    "search: [1, 2": "config.yaml:1:14 语法错误：引号或括号没有闭合",
    'embedding:\n  api_key: "sk-secret': "config.yaml:2:22 语法错误：引号或括号没有闭合",
    "log: @x": "config.yaml:1:6 语法错误：以保留字符开头的文本要加引号",
    "log: b: c": "config.yaml:1:6 语法错误：此处不能再有冒号，含冒号的文本请加引号",
    "log:\n---\nsearch:": "config.yaml:2:1 语法错误：只能有一个文档",
    "search: {top_k: *x}": "config.yaml:1:17 别名没有对应的锚点",
    "log: *x": "config.yaml:1:6 别名没有对应的锚点",
    "search:\n  top_k: 1\n mode: keyword\n": "config.yaml:3:1 语法错误：缩进不一致",
    "search:\n  top_k 5\n  mode: keyword": "config.yaml:2:3 语法错误：键名后面应有冒号和空格",
    'log:\n  dir: "C:\\Users\\me"': "config.yaml:2:11 语法错误：双引号中的转义无效，Windows 路径请用单引号",
    [`log: ${"[".repeat(20_000)}`]: "config.yaml:1:843 语法错误：嵌套过深",
  };
  for (const [text, expected] of Object.entries(cases)) {
    const lines = (await complaint(load(text))).split("\n");
    // The depth of the parser's stack depends on the system.
    const actual = lines.slice(1).join("\n").replace(/:\d+(?= 语法错误：嵌套过深)/, ":843");
    equal(actual, expected, text.slice(0, 60));
  }
});

Deno.test("one problem is reported for each line with errors", async () => {
  equal(
    await complaint(load('search:\n  mode: @x\nlog:\n  level: "\\q"\n')),
    `配置有误，共 2 处：
config.yaml:2:9 语法错误：以保留字符开头的文本要加引号
config.yaml:4:11 语法错误：双引号中的转义无效，Windows 路径请用单引号`,
  );
});

Deno.test("aliases are resolved to plain values only, so that nested aliases do not multiply", async () => {
  const { config } = await load("files: {include: &a ['*.md'], exclude: *a}");
  deepEqual(config.files.exclude, ["*.md"]);

  const level = (n: number) => `  l${n}: &l${n} [${Array(9).fill(n === 0 ? "x" : `*l${n - 1}`).join(", ")}]`;
  const bomb = `language: en\nfiles:\n${
    Array.from({ length: 9 }, (_, n) => level(n)).join("\n")
  }\n  include: [*l8]`;
  const lines = (await complaint(load(bomb))).split("\n");
  equal(lines.at(-1), "config.yaml:12:13 files.include[0]: expected text, found a list");

  const many = `language: en\nfiles:\n  include: [&a x${", *a".repeat(200)}]`;
  equal(
    await complaint(load(many)),
    "The configuration has 1 problem:\nconfig.yaml:3:419 too many aliases; the limit is 100",
  );
});

Deno.test("at most fifty problems are listed", async () => {
  const keys = Array.from({ length: 60 }, (_, n) => `zzzzzzzz${n}: 1`).join("\n");
  const lines = (await complaint(load(`language: en\n${keys}`))).split("\n");
  equal(lines.length, 52);
  equal(lines.at(0), "The configuration has 60 problems:");
  equal(lines.at(-1), "… and 10 more");
});

Deno.test("keys of Object.prototype are unknown keys", async () => {
  const text = "language: en\n__proto__: 1\nconstructor: {}\nsearch: {toString: 1, __proto__: {top_k: 3}}";
  deepEqual((await complaint(load(text))).split("\n").map((line) => line.split(":").slice(0, 4).join(":")), [
    "The configuration has 4 problems:",
    "config.yaml:2:1 __proto__: unknown key; the known keys are language, collections, embedding, chunking, files, index, search, rerank, llm, vision_llm, store, vectors, mcp, models, updates, log, observability",
    "config.yaml:3:1 constructor: unknown key; the known keys are language, collections, embedding, chunking, files, index, search, rerank, llm, vision_llm, store, vectors, mcp, models, updates, log, observability",
    "config.yaml:4:10 search.toString: unknown key; the known keys are mode, top_k, alpha, fts_topn, vec_topn, per_doc_limit, fusion, rerank, legs, max_chars, synonyms, recency",
    "config.yaml:4:23 search.__proto__: unknown key; the known keys are mode, top_k, alpha, fts_topn, vec_topn, per_doc_limit, fusion, rerank, legs, max_chars, synonyms, recency",
  ]);
});

Deno.test("the default overlap shrinks with max_chars, and a given one must be valid", async () => {
  equal((await load("chunking: {max_chars: 400}")).config.chunking.overlap, 40);
  equal((await load("chunking: {max_chars: 5000}")).config.chunking.overlap, 120);
  const env = { "MUXUE_RAG_CHUNKING_MAX_CHARS": "400" };
  equal(
    await complaint(load("chunking: {overlap: 200}", { env })),
    "配置有误，共 1 处：\nconfig.yaml:1:21 chunking.overlap：应为小于 max_chars 一半（200）的整数，实为 200",
  );
});

Deno.test("a provider needs base_url and model", async () => {
  equal(
    await complaint(load("embedding: {provider: openai-compatible, base_url: ftp://x}")),
    `配置有误，共 2 处：
config.yaml:1:23 embedding.model：应为文本（provider 为 openai-compatible 时必填），实为空
config.yaml:1:52 embedding.base_url：应为以 http:// 或 https:// 开头且主机名有效的地址，实为 "ftp://x"`,
  );
  equal(
    await complaint(load("embedding: {provider: openai-compatible, model: m}")),
    `配置有误，共 1 处：
config.yaml:1:23 embedding.base_url：应为以 http:// 或 https:// 开头且主机名有效的地址（provider 为 openai-compatible 时必填），实为空`,
  );
});

Deno.test("env:NAME is resolved in api_key, base_url, model and dir only", async () => {
  const text = `embedding:
  provider: openai-compatible
  base_url: env:URL
  api_key: env:KEY
  model: env:MODEL
log: {dir: env:LOGS}
files: {include: ["env:KEY"]}
`;
  const env = { URL: "http://127.0.0.1:1234/v1", KEY: "sekrit", MODEL: "m", LOGS: "logs" };
  await using work = await folder({ "config.yaml": text });
  const { config, warnings } = await loadConfig({ file: "config.yaml", cwd: work.dir, env });
  deepEqual(config.embedding, {
    ...DEFAULTS.embedding,
    "provider": "openai-compatible",
    "base_url": "http://127.0.0.1:1234/v1",
    "api_key": "sekrit",
    "model": "m",
  });
  equal(config.log.dir, join(work.dir, "logs"));
  deepEqual(config.files.include, ["env:KEY"]);
  deepEqual(warnings, []);
});

Deno.test("a missing variable and a damaged encrypted secret are errors, a plain secret is a warning", async () => {
  equal(
    await complaint(load(
      "embedding: {api_key: 'env:MISSING', model: 'env:', base_url: 'env:EMPTY'}",
      { env: { EMPTY: "" } },
    )),
    `配置有误，共 3 处：
config.yaml:1:22 embedding.api_key：引用的环境变量 MISSING 没有设置
config.yaml:1:44 embedding.model：env: 后面应为环境变量的名称
config.yaml:1:62 embedding.base_url：引用的环境变量 EMPTY 没有设置`,
  );
  equal(
    await complaint(load("embedding: {api_key: enc:v1:AAAA}")),
    `配置有误，共 1 处：
config.yaml:1:22 embedding.api_key：加密的值不完整或已损坏。请检查是否完整复制，或用 muxue_rag config encrypt 重新加密`,
  );
  const { config, warnings } = await load("language: en\nembedding:\n  api_key: hunter22");
  equal(config.embedding.api_key, "hunter22");
  deepEqual(warnings, [
    "config.yaml:3:12 embedding.api_key: the file contains this secret in plain text. Encrypt it with muxue_rag config encrypt embedding.api_key, or use env:NAME",
  ]);
});

Deno.test("relative paths are relative to their file, or to the working folder", async () => {
  await using work = await folder({});
  await Deno.mkdir(join(work.dir, "conf"));
  await Deno.writeTextFile(
    join(work.dir, "conf", "my.yml"),
    "log: {dir: logs}\nfiles: {allow_sensitive: [data]}",
  );
  const { config, source } = await loadConfig({ file: "conf/my.yml", cwd: work.dir, env: CHINESE });
  equal(source, join(work.dir, "conf", "my.yml"));
  equal(config.log.dir, join(work.dir, "conf", "logs"));
  deepEqual(config.files.allow_sensitive, [join(work.dir, "conf", "data")]);
  const fromEnv = await loadConfig({ cwd: work.dir, env: { ...CHINESE, "MUXUE_RAG_LOG_DIR": "logs" } });
  equal(fromEnv.config.log.dir, join(work.dir, "logs"));
});

Deno.test("a leading ~ is the home folder, in the file and in the environment", async () => {
  const home = Deno.build.os === "windows" ? { USERPROFILE: "C:\\home" } : { HOME: "/home/me" };
  const [dir] = Object.values(home);
  const text = "log: {dir: ~/logs}\nfiles: {allow_sensitive: ['~', ~/.config]}";
  await using work = await folder({ "my.yaml": text });
  const { config } = await loadConfig({ file: "my.yaml", cwd: work.dir, env: home });
  equal(config.log.dir, join(dir!, "logs"));
  deepEqual(config.files.allow_sensitive, [dir, join(dir!, ".config")]);
  const fromEnv = await load("", { env: { ...home, "MUXUE_RAG_LOG_DIR": "~" } });
  equal(fromEnv.config.log.dir, dir);
  const { config: named } = await load("log: {dir: ~someone/logs}", { env: home });
  equal(named.log.dir?.endsWith(join("~someone", "logs")), true);
});

Deno.test("the file is searched by flag, by variable, in the working folder, and in the user's folder", async () => {
  const topK = (n: number) => `search: {top_k: ${n}}`;
  await using work = await folder({
    "flag.yaml": topK(1),
    "variable.yaml": topK(2),
    "config.yaml": topK(3),
    "config.yml": topK(4),
    "config.json": '{"search": {"top_k": 5}}',
  });
  await using user = await folder({ "config.yml": topK(6) });
  const found = ({ config, source }: LoadedConfig) => [config.search.top_k, source];
  const inWork = (name: string) => join(work.dir, name);
  const env: Record<string, string> = {
    "MUXUE_RAG_CONFIG_DIR": user.dir,
    "MUXUE_RAG_CONFIG": "variable.yaml",
  };
  const look = async (file?: string) => found(await loadConfig({ file, cwd: work.dir, env }));

  deepEqual(await look("flag.yaml"), [1, inWork("flag.yaml")]);
  deepEqual(await look(inWork("flag.yaml")), [1, inWork("flag.yaml")]);
  deepEqual(await look(), [2, inWork("variable.yaml")]);
  delete env["MUXUE_RAG_CONFIG"];
  for (const [n, name] of [[3, "config.yaml"], [4, "config.yml"], [5, "config.json"]] as const) {
    deepEqual(await look(), [n, inWork(name)]);
    await Deno.remove(inWork(name));
  }
  // A folder with this name is skipped.
  await Deno.mkdir(inWork("config.yaml"));
  deepEqual(await look(), [6, join(user.dir, "config.yml")]);
  await Deno.remove(join(user.dir, "config.yml"));
  deepEqual(await look(), [10, null]);
});

Deno.test("another program's config.yaml in the working folder is skipped with a warning", async () => {
  for (const text of ["site:\n  title: x\n", "- a\n- b\n", "just text", "a: [", "标题: x"]) {
    const { config, source, warnings } = await load(text, { env: { "MUXUE_RAG_LANGUAGE": "en" } });
    deepEqual([config, source, warnings], [{ ...DEFAULTS, language: "en" }, null, [
      "config.yaml contains no setting of this program and was ignored. To use it, name it with --config",
    ]]);
  }
  equal(
    await complaint(load("title: x\n", { file: "config.yaml" })),
    "配置有误，共 1 处：\nconfig.yaml:1:1 title：未知的配置项，此处可用：language, collections, embedding, chunking, files, index, search, rerank, llm, vision_llm, store, vectors, mcp, models, updates, log, observability",
  );
});

Deno.test("an error about an unreadable file names it", async () => {
  const gbk = new Uint8Array([...new TextEncoder().encode("language: zh # "), 0xd6, 0xd0, 0xce, 0xc4]);
  await using work = await folder({ "config.yaml": gbk, "big.yaml": "#".repeat((1_000_000) + 1) });
  const fails = async (file: string | undefined, key: string, params: Record<string, unknown>) => {
    await rejects(loadConfig({ file, cwd: work.dir, env: CHINESE }), (error) => {
      ok(error instanceof UsageError);
      deepEqual([error.key, error.params], [key, params]);
      return true;
    });
  };
  await fails("none.yaml", "config_file_not_found", { path: "none.yaml" });
  await fails("config.yaml/x.yaml", "config_file_not_found", { path: "config.yaml/x.yaml" });
  await fails(".", "config_file_is_directory", { path: "." });
  await fails("big.yaml", "config_file_too_large", { path: "big.yaml", limit: 1_000_000 });
  await fails(undefined, "config_file_not_utf8", { path: "config.yaml" });
});

Deno.test("pipes and devices are refused as configuration", async () => {
  if (Deno.build.os === "windows") return;
  await using work = await folder({ "config.yml": "search: {top_k: 4}" });
  await new Deno.Command("mkfifo", { args: [join(work.dir, "config.yaml")] }).output();
  const load = (file?: string) => loadConfig({ file, cwd: work.dir, env: CHINESE });
  for (const path of ["config.yaml", "/dev/zero"]) {
    await rejects(load(path), { key: "config_file_not_regular", params: { path } });
  }
  equal((await load()).config.search.top_k, 4, "one that was not named is skipped");
});

Deno.test("legs of the ranking that were removed are dropped with a warning each, others are refused", async () => {
  const { config, warnings } = await load("language: en\nsearch: {legs: [vector, soft, maxsim, feedback]}");
  deepEqual(config.search.legs, ["vector", "maxsim"]);
  deepEqual(warnings, [
    "config.yaml:2:25 search.legs: soft was removed and has no effect; delete it from search.legs",
    "config.yaml:2:39 search.legs: feedback was removed and has no effect; delete it from search.legs",
  ]);
  equal(
    await complaint(load("language: en\nsearch: {legs: [vector, sotf]}")),
    `The configuration has 1 problem:
config.yaml:2:25 search.legs[1]: expected one of translation, vector, maxsim, sentence, neural, found "sotf"`,
  );
});

Deno.test("secrets in an address are masked in errors, and cause a warning in a file", async () => {
  const text = `language: en
embedding: {base_url: "https://me:hunter22@host/v1?api-version=2024&key=LEAK"}
`;
  const { warnings } = await load(text);
  deepEqual(warnings, [
    "config.yaml:2:23 embedding.base_url: the address contains a secret in plain text. Use env:NAME instead",
  ]);
  const version = 'embedding: {base_url: "http://127.0.0.1:1234/v1?api-version=2024"}';
  deepEqual((await load(version, { file: "config.yaml" })).warnings, []);
  deepEqual(
    (await load("embedding: {base_url: env:URL}", { env: { URL: "http://a:bbbbbb@c" } })).warnings,
    [],
  );
  equal(
    await complaint(load('embedding: {base_url: " ftp://me:LEAK@host?x=LEAK", model: [], api_key: 1}')),
    `配置有误，共 3 处：
config.yaml:1:23 embedding.base_url：应为以 http:// 或 https:// 开头且主机名有效的地址，实为 " ftp://****@host?x=****"
config.yaml:1:60 embedding.model：应为文本，实为列表
config.yaml:1:73 embedding.api_key：应为文本，实为（已隐藏的值）`,
  );
});

Deno.test("base_url needs a host that a permission can name, without wildcards", async () => {
  const found = async (host: string) => {
    const told = await complaint(load(`language: en\nembedding: {base_url: "http://${host}/v1"}`));
    equal(
      told.includes("config.yaml:2:23 embedding.base_url: expected an address that begins with"),
      true,
      told,
    );
    equal(told.endsWith(`and names a valid host, found "http://${host}/v1"`), true, told);
  };
  for (const host of ["a!b", "a..b", ".a", "a.b..", "a$b", "a,b", "a;b", "a'b", "a(b)", "a~b", "*"]) {
    await found(host);
  }
  for (const host of ["*.example.com", "a.*.b", "[::1"]) await found(host);
  equal(
    (await complaint(load(`embedding: {base_url: "http://${"a".repeat(64)}.b"}`))).startsWith(
      "配置有误，共 1 处",
    ),
    true,
  );
  for (
    const host of [
      ...["a_b-c.example", "a.b.", "127.0.0.1:1", "0x7f.1", "[::1]:8080", "[fe80::1]", "EXAMPLE.com"],
      ...["中文.测试"],
    ]
  ) {
    const address = `https://${host}/v1`;
    equal((await load(`embedding: {base_url: "${address}"}`)).config.embedding.base_url, address);
  }
});

Deno.test("a byte order mark and Windows line ends are accepted", async () => {
  const { config } = await load("\uFEFFlanguage: en\r\nsearch:\r\n  top_k: 4\r\n");
  deepEqual([config.language, config.search.top_k], ["en", 4]);
});

Deno.test("synonyms are groups of words, separated by commas and semicolons in the environment", async () => {
  const groups = [["k8s", "kubernetes"], ["电脑", "计算机", "computer"]];
  const file = "search: {synonyms: [[k8s, kubernetes], [电脑, 计算机, computer]]}";
  deepEqual((await load(file)).config.search.synonyms, groups);
  const env = { MUXUE_RAG_SEARCH_SYNONYMS: "k8s, kubernetes; 电脑,计算机,computer;" };
  deepEqual((await load("", { env })).config.search.synonyms, groups);

  equal(
    await complaint(
      load("language: en\nsearch: {synonyms: [k8s, [one], [a, 1], [b, [c]], [ok, fine], {d: e}]}"),
    ),
    `The configuration has 5 problems:
config.yaml:2:21 search.synonyms[0]: expected a list of at least two words, such as [k8s, kubernetes], found "k8s"
config.yaml:2:26 search.synonyms[1]: expected a list of at least two words, such as [k8s, kubernetes], found a list
config.yaml:2:33 search.synonyms[2]: expected a list of at least two words, such as [k8s, kubernetes], found a list
config.yaml:2:41 search.synonyms[3]: expected a list of at least two words, such as [k8s, kubernetes], found a list
config.yaml:2:63 search.synonyms[5]: expected a list of at least two words, such as [k8s, kubernetes], found a group of settings`,
  );
  equal(
    await complaint(load("language: en", { env: { MUXUE_RAG_SEARCH_SYNONYMS: "k8s;kubernetes" } })),
    `The configuration has 1 problem:
env:MUXUE_RAG_SEARCH_SYNONYMS search.synonyms: expected a list of groups of synonyms, such as [[k8s, kubernetes], [car, automobile]], found "k8s;kubernetes"`,
  );
});

Deno.test("the sections of local models are read from the file and the environment, with absolute paths", async () => {
  await using work = await folder({
    "config.yaml":
      "embedding:\n  provider: local\n  local:\n    zh: {path: models/zh, pooling: cls}\n    en:\n",
  });
  const { config } = await loadConfig({
    file: "config.yaml",
    cwd: work.dir,
    env: {
      "MUXUE_RAG_EMBEDDING_LOCAL_EN_PREFIX": "query: ",
      "MUXUE_RAG_EMBEDDING_LOCAL_EN_MAX_TOKENS": "128",
    },
  });
  deepEqual([config.embedding.provider, config.embedding.local], ["local", {
    zh: { ...DEFAULTS.embedding.local.en, path: join(work.dir, "models", "zh"), pooling: "cls" },
    en: { ...DEFAULTS.embedding.local.en, prefix: "query: ", "max_tokens": 128 },
  }]);
});

Deno.test("mistakes in the sections of local models are named with their whole path", async () => {
  equal(
    await complaint(
      load("language: en\nembedding:\n  local: {fr: {}, zh: {poling: cls, max_tokens: 1}, en: 3}\n"),
    ),
    `The configuration has 4 problems:
config.yaml:3:11 embedding.local.fr: unknown key; the known keys are zh, en
config.yaml:3:24 embedding.local.zh.poling: unknown key; did you mean embedding.local.zh.pooling?
config.yaml:3:49 embedding.local.zh.max_tokens: expected a whole number from 16 to 8192, found 1
config.yaml:3:57 embedding.local.en: expected a group of settings (key: value), found 3`,
  );
});
