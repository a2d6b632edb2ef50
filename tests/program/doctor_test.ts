import { deepEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { shellWord } from "#foundation/messages/mod.ts";
import { WRITTEN_FOR } from "#foundation/runtime.ts";
import { type DoctorReport, doctorText } from "#program/commands/doctor_report.ts";
import { styleFor } from "#program/terminal_text.ts";
import { EmbeddingServer } from "../models/embedding/_embedding_server.ts";
import { sectionOf } from "../engine/index/_blob_forge.ts";
import { rewriteIndex } from "../library/ingest/_index_file.ts";
import { place } from "./_doctor_place.ts";
import { fakeContext } from "./_fake_io.ts";
import { RerankServer } from "../models/rerank/_rerank_server.ts";
import { tinyModel } from "../models/rerank/_tiny_model.ts";

Deno.test("doctor checks the built-in table and the index of every folder", async () => {
  await using work = await place();
  await Deno.mkdir(join(work.dir, "a"));
  await work.index("a");
  const { code, stdout, stderr } = await work.run("--dir", "a");
  equal(code, 0, stderr);
  match(
    stdout,
    /^ {2}Runtime {8}Deno [\d.]+\n {2}Configuration {2}the built-in defaults\n {2}Embedding {6}builtin\n {2}Vectors {8}✓ \d+ dimensions, T\n/,
  );
  const index = `  Index          ${join(work.dir, "a")}: ready, vectors of builtin/1\n`;
  ok(stdout.endsWith(`${index}  Otherwise      the process is not locked\nNo problems found\n`), stdout);
});

Deno.test("doctor names an index that cannot be used in its verdict, and what to do, exit code 1", async () => {
  await using work = await place();
  work.env["MUXUE_RAG_EMBEDDING_PROVIDER"] = "none";
  const dir = join(work.dir, "my notes");
  await Deno.mkdir(dir);
  await Deno.writeTextFile(join(dir, "tea.md"), "Green tea.\n");
  const path = join(dir, ".muxue_rag", "index.bin");
  const said = async () => {
    const { code, stdout } = await work.run("--dir", "my notes");
    const json = JSON.parse((await work.run("--dir", "my notes", "--json")).stdout);
    const lines = stdout.split("\n");
    const last = lines.at(-2)!;
    equal(last, json.message);
    equal(json.code, code === 0 ? 200 : 500);
    return [
      code,
      last.replace(/(needs \w+) \([^)]+\)$/, "$1"),
      lines.find((line) => line.startsWith("  To do")) ?? "",
      json.data.folders[0].state,
    ];
  };
  const todo = (what: string) => `  To do          ${what} the index: muxue_rag --dir ${shellWord(dir)}`;
  deepEqual(await said(), [1, `Problem found: ${dir}: not indexed`, todo("build"), "missing"]);
  await work.index("my notes");
  deepEqual(await said(), [0, "No problems found", "", "ready"]);
  await Deno.writeTextFile(join(dir, "coffee.md"), "Black coffee.\n");
  const behind = `Problem found: ${dir}: out of date (1 new, 0 changed, 0 removed)`;
  deepEqual(await said(), [1, behind, todo("update"), "behind"]);
  await Deno.remove(join(dir, "coffee.md"));
  work.env["MUXUE_RAG_EMBEDDING_PROVIDER"] = "builtin";
  deepEqual(await said(), [
    1,
    `Problem found: ${dir}: made with other settings, needs rebuilding`,
    `  To do          name the configuration that it was made with (-c FILE), or rebuild the index: muxue_rag --full --dir ${
      shellWord(dir)
    }`,
    "behind",
  ]);
  work.env["MUXUE_RAG_EMBEDDING_PROVIDER"] = "none";
  const sound = await Deno.readFile(path);
  // In the texts, which only a complete check reads.
  const flipped = sound.slice();
  sectionOf(flipped, "texts")[0]! ^= 1;
  await Deno.writeFile(path, flipped);
  const damaged = `Problem found: ${dir}: damaged, needs rebuilding`;
  deepEqual(await said(), [1, damaged, todo("rebuild"), "damaged"]);
  await Deno.writeFile(path, sound.subarray(0, sound.length - 1));
  deepEqual(await said(), [1, damaged, todo("rebuild"), "damaged"]);
  const key = await Deno.readFile(join(work.dir, "state", "index.key"));
  await Deno.writeFile(path, sound);
  rewriteIndex(path, { format: 1 }, key);
  const outdated = `Problem found: ${dir}: made by another version, needs rebuilding`;
  deepEqual(await said(), [1, outdated, todo("rebuild"), "outdated"]);
  await Deno.mkdir(join(work.dir, "other"));
  const { code, stdout } = await work.run("--dir", "other", "--dir", "my notes");
  deepEqual([code, stdout.split("\n").at(-2)], [1, "2 problems found, listed above"]);
});

Deno.test("doctor sends one request to the server and reports the result without the key", async () => {
  await using work = await place();
  await using server = await EmbeddingServer.start();
  await Deno.writeTextFile(
    join(work.dir, "config.yaml"),
    `language: en\nembedding:\n  provider: openai-compatible\n  base_url: ${server.url}\n  model: test-embed\n` +
      "  api_key: env:SOME_KEY\n",
  );
  Object.assign(work.env, { SOME_KEY: "sk-very-secret-0123456789", MUXUE_RAG_CONFIG: "config.yaml" });
  deepEqual(await work.run(), {
    code: 0,
    stdout: [
      `  Runtime        Deno ${WRITTEN_FOR}`,
      `  Configuration  ${join(work.dir, "config.yaml")} (MUXUE_RAG_CONFIG)`,
      "  Embedding      openai-compatible",
      `  Address        ${server.url}`,
      "  Model          test-embed",
      "  Key            set",
      "  Vectors        ✓ 8 dimensions, T",
      "  Otherwise      the process is not locked",
      "No problems found, but no folder is indexed yet. To index the current folder, run muxue_rag index",
      "",
    ].join("\n"),
    stderr: "",
  });
  equal(server.requests.length, 1);
  const { code, data } = JSON.parse((await work.run("--json")).stdout);
  equal(typeof data.embedding.milliseconds, "number");
  delete data.embedding.milliseconds;
  deepEqual({ code, data }, {
    code: 200,
    data: {
      runtime: { deno: WRITTEN_FOR, writtenFor: WRITTEN_FOR, hidesNames: false },
      source: join(work.dir, "config.yaml"),
      configuration: { file: join(work.dir, "config.yaml"), by: "variable" },
      embedding: {
        provider: "openai-compatible",
        server: { address: server.url, model: "test-embed", keySet: true },
        ok: true,
        id: "openai-compatible/test-embed",
        dimensions: 8,
      },
      folders: [],
      boundary: null,
    },
  });
  server.rule = () => ({ status: 400, body: { error: "no sk-very-secret-0123456789 here" } });
  for (const args of [[], ["--json"]]) {
    const { stdout } = await work.run(...args);
    ok(!stdout.includes("secret"), stdout);
  }
  for await (const { name } of Deno.readDir(join(work.dir, "state", "logs"))) {
    ok(!(await Deno.readTextFile(join(work.dir, "state", "logs", name))).includes("very-secret"));
  }
});

Deno.test("doctor explains a failure after one try, exit code 1", async () => {
  await using work = await place();
  await using server = await EmbeddingServer.start();
  const cases = [
    [{ status: 401 }, "requires a key, but embedding.api_key is not set"],
    [
      { status: 404, body: { error: "model not found" } },
      "has no model test-embed. Set embedding.model to one of: test-embed, chat",
    ],
    [
      { status: 404 },
      "does not offer embeddings (HTTP 404). Check embedding.base_url; it usually ends in /v1",
    ],
    [{ status: 503 }, "failed (HTTP 503)"],
    ["wrong dimension", "have 3 dimensions instead of 8"],
    ["hang", "did not answer within 1 s"],
    ["cut", "closed the connection"],
    ["zeros", "returned vectors with invalid numbers"],
  ] as const;
  for (const [fault, text] of cases) {
    work.use(server.url, {
      MUXUE_RAG_EMBEDDING_DIMENSIONS: "8",
      MUXUE_RAG_EMBEDDING_TIMEOUT_SECONDS: "1",
    });
    server.rule = () => fault;
    server.requests.length = 0;
    const { code, stdout } = await work.run();
    equal(code, 1);
    const last = stdout.split("\n").at(-2)!;
    ok(
      last.startsWith("Problem found: the embedding provider does not work: ") && last.includes(text),
      stdout,
    );
    ok(server.requests.length === 1 || fault === "cut", "one try");
    const json = JSON.parse((await work.run("--json")).stdout);
    equal(json.code, 500);
    ok(json.message.includes(text) && json.message.endsWith(json.data.embedding.problem));
  }
});

Deno.test("doctor distinguishes an untrusted certificate from a server that does not answer", async () => {
  await using work = await place();
  await using tls = await EmbeddingServer.start({ tls: true });
  work.use(tls.url);
  match(
    (await work.run()).stdout,
    /✗ The certificate of https:\S+ is not trusted \(.+\)\. For a self-signed certificate/,
  );
  await tls.stop();
  match((await work.run()).stdout, /✗ Nothing answers at https:\S+ \(connection refused\)/);
  work.use(tls.url, { MUXUE_RAG_LANGUAGE: "zh" });
  match((await work.run()).stdout, /\n发现问题：向量来源不可用：.*没有服务在运行（连接被拒绝）.*\n$/);
});

Deno.test("doctor sends no request with provider none", async () => {
  await using work = await place();
  work.env["MUXUE_RAG_EMBEDDING_PROVIDER"] = "none";
  const { code, stdout } = await work.run();
  equal(code, 0);
  match(stdout, /\n {2}Vectors {8}none: keywords only\n {2}Otherwise/);
});

Deno.test("doctor shows the proxy of the environment without its password", async () => {
  await using work = await place();
  // Neither address answers.
  work.use("http://model.test:8080/v1", { HTTP_PROXY: "http://me:secret@127.0.0.1:9" });
  const { stdout } = await work.run();
  match(stdout, /\n {2}Address {8}http:\/\/model\.test:8080\/v1\n {2}Proxy {10}127\.0\.0\.1:9\n {2}Model /);
  const { data } = JSON.parse((await work.run("--json")).stdout);
  deepEqual(data.embedding.server, {
    address: "http://model.test:8080/v1",
    proxy: "127.0.0.1:9",
    model: "test-embed",
    keySet: false,
  });
});

Deno.test("doctor says when the runtime is not the one that the program was written for", () => {
  const report: DoctorReport = {
    runtime: { deno: "2.6.10", writtenFor: "2.9.6", hidesNames: true },
    source: null,
    embedding: { provider: "none", ok: true },
    folders: [],
    boundary: null,
  };
  const first = (language: "zh" | "en") =>
    doctorText(report, undefined, language, styleFor(fakeContext().context.io, "stdout")).split("\n").slice(
      0,
      2,
    );
  deepEqual(first("en"), [
    "  Runtime        Deno 2.6.10 (the program was written for 2.9.6)",
    "  Names          The runtime, Deno 2.6.10, cannot see files and folders whose names are not valid UTF-8, so they are neither indexed nor listed",
  ]);
  deepEqual(first("zh"), [
    "  运行时    Deno 2.6.10（程序为 2.9.6 编写）",
    "  名称      运行时 Deno 2.6.10 看不到名称不是有效 UTF-8 的文件和文件夹，因此它们既不会被索引，也不会列出",
  ]);
});

Deno.test("doctor names the proxy beside the permissions of a locked process", () => {
  const report: DoctorReport = {
    runtime: { deno: WRITTEN_FOR, writtenFor: WRITTEN_FOR, hidesNames: false },
    source: null,
    embedding: {
      provider: "azure",
      server: { address: "https://a.test", proxy: "b.test:3128", model: "m", keySet: true },
      ok: true,
      dimensions: 8,
      milliseconds: 10,
    },
    folders: [],
    boundary: { read: ["/docs"], write: [], net: ["a.test:443"] },
  };
  const text = (language: "zh" | "en") =>
    doctorText(report, undefined, language, styleFor(fakeContext().context.io, "stdout")).split("\n").slice(
      -7,
    );
  deepEqual(text("en"), [
    "  May read        /docs",
    "  May write       nothing",
    "  May connect to  a.test:443",
    "  May connect to  b.test:3128, the proxy that the environment sets",
    "  May start       itself, to read documents (indexing, search, serve, eval and extract only)",
    "  Otherwise       no environment variables, no system information, no other programs, no native libraries, no code from the network",
    "",
  ]);
  deepEqual(text("zh"), [
    "  可读取    /docs",
    "  可写入    无",
    "  可连接    a.test:443",
    "  可连接    b.test:3128（环境变量指定的代理）",
    "  可启动    程序自身，用于读取文档（仅限建立索引、search、serve、eval 和 extract）",
    "  此外      不能读取环境变量和系统信息，不能启动其他程序，不能调用本机库，不能从网络加载代码",
    "",
  ]);
});

Deno.test("doctor has a local reranker judge two passages, and names a file that is missing", async () => {
  await using work = await place();
  await using model = await tinyModel(["tea", "green"]);
  Object.assign(work.env, {
    MUXUE_RAG_EMBEDDING_PROVIDER: "none",
    MUXUE_RAG_RERANK_PROVIDER: "local",
    MUXUE_RAG_RERANK_PATH: model.file,
  });
  const { code, stdout } = await work.run();
  deepEqual(stdout.split("\n").slice(4, 7), [
    "  Reranker       local",
    `  Model          ${model.file}`,
    "  Reranking      ✓ works, T",
  ]);
  equal(code, 0);
  await Deno.remove(join(model.folder, "tokenizer.json"));
  const text = `There is no model at ${model.file} (tokenizer.json is missing). `;
  const failed = await work.run();
  equal(failed.code, 1);
  equal(failed.stdout.split("\n")[6]!.startsWith(`  Reranking      ✗ ${text}`), true, failed.stdout);
  work.env["MUXUE_RAG_LANGUAGE"] = "zh";
  match((await work.run()).stdout, /\n发现问题：重排不可用：.*中没有模型（tokenizer\.json）.*\n$/);
  work.env["MUXUE_RAG_SEARCH_RERANK"] = "false";
  equal((await work.run()).code, 0);
});

Deno.test("doctor asks the reranking server once, and explains a failure", async () => {
  await using work = await place();
  for (const speech of ["jina", "chat"] as const) {
    await using server = await RerankServer.start(speech);
    server.reply = () => '{"1": 9, "2": 1}';
    const { provider, base_url: url, model } = server.config();
    Object.assign(work.env, {
      MUXUE_RAG_EMBEDDING_PROVIDER: "none",
      MUXUE_RAG_RERANK_PROVIDER: provider,
      MUXUE_RAG_RERANK_BASE_URL: url,
      MUXUE_RAG_RERANK_MODEL: model ?? "some-model",
      MUXUE_RAG_RERANK_TIMEOUT_SECONDS: "1",
      MUXUE_RAG_RERANK_API_KEY: "sk-very-secret-0123456789",
    });
    const { code, stdout } = await work.run();
    deepEqual(stdout.split("\n").slice(4, 9), [
      `  Reranker       ${provider}`,
      `  Address        ${url}`,
      `  Model          ${model ?? "some-model"}`,
      "  Key            set",
      "  Reranking      ✓ works, T",
    ]);
    deepEqual([code, server.requests.length], [0, 1]);
    const { data } = JSON.parse((await work.run("--json")).stdout);
    delete data.rerank.milliseconds;
    deepEqual(data.rerank, {
      ...{ provider, ok: true },
      server: { address: url, model: model ?? "some-model", keySet: true },
    });
    server.faults.push("hang", { status: 401, body: "no sk-very-secret-0123456789" });
    match((await work.run()).stdout, /✗ The reranker did not answer within 1 s\. Check it\./);
    const refused = await work.run("--json");
    equal(refused.code, 1);
    match(JSON.parse(refused.stdout).message, /rejected the key \(HTTP 401\)/);
    equal(refused.stdout.includes("very-secret"), false);
  }
});
