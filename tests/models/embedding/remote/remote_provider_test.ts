import "#foundation/messages/mod.ts";
import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import type { Config } from "#foundation/configuration/mod.ts";
import { EmbeddingFailure, type EmbeddingProvider, RemoteProvider } from "#models/embedding/mod.ts";
import { embeddingConfig, EmbeddingServer, type Fault, vectorOf } from "../_embedding_server.ts";

/** Returns vectors as plain numbers, rounded to single precision. */
const plain = (vectors: readonly Float32Array[]) =>
  vectors.map((vector) => Array.from(vector, (value) => Number(value.toFixed(5))));

/** Returns the vectors that the server sends for texts. */
const expected = (texts: readonly string[], dimensions?: number) =>
  plain(texts.map((text) => vectorOf(text, dimensions)));

/** Returns the failure of a call that must fail. */
async function failure(provider: EmbeddingProvider, texts: readonly string[]): Promise<EmbeddingFailure> {
  const error = await provider.embed(texts, "document").then(() => "no error", (error) => error);
  ok(error instanceof EmbeddingFailure, String(error?.stack ?? error));
  return error;
}

/** Returns the failure of a provider with this configuration. */
const refused = (config: Config["embedding"], texts: readonly string[] = ["a"]) =>
  failure(new RemoteProvider(config), texts);

/** An answer with the words of an error, as OpenAI puts them. */
const told = (status: number, message: string) => ({ status, body: { error: { message } } });

Deno.test("embed() returns vectors of length 1 in the order of the texts, and learns their dimensions", async () => {
  await using server = await EmbeddingServer.start();
  const provider = new RemoteProvider(server.config({ "api_key": "sk-test-0123456789" }));
  equal(provider.dimensions, undefined);
  const texts = ["one", "two", "三"];
  deepEqual(plain(await provider.embed(texts, "document")), expected(texts));
  equal(provider.dimensions, 8);
  const [{ path, headers, model, input, dimensions }] = server.requests as [EmbeddingServer["requests"][0]];
  deepEqual({ path, authorization: headers["authorization"], model, input, dimensions }, {
    path: "/v1/embeddings",
    authorization: "Bearer sk-test-0123456789",
    model: "test-embed",
    input: texts,
    dimensions: undefined,
  });
});

Deno.test("embed() sorts vectors into the order of the texts", async () => {
  await using server = await EmbeddingServer.start();
  const provider = new RemoteProvider(server.config());
  const texts = ["a", "b", "c", "d"];
  for (const fault of ["shuffled", "no index", "index 0"] as const) {
    server.faults.push(fault);
    deepEqual(plain(await provider.embed(texts, "document")), expected(texts), fault);
  }
});

Deno.test("embed() requests and checks the configured dimensions", async () => {
  await using server = await EmbeddingServer.start();
  const provider = new RemoteProvider(server.config({ dimensions: 4 }));
  equal(provider.dimensions, 4);
  deepEqual(plain(await provider.embed(["a"], "document")), expected(["a"], 4));
  equal(server.requests[0]?.dimensions, 4);
  server.faults.push("wrong dimension");
  const { key, params } = await failure(provider, ["b"]);
  deepEqual([key, params["expected"], params["found"]], ["embedding_wrong_dimensions", 4, 3]);
});

Deno.test("embed() follows a model whose dimensions change, unless they are configured", async () => {
  await using server = await EmbeddingServer.start();
  const provider = new RemoteProvider(server.config());
  await provider.embed(["a"], "document");
  server.faults.push("wrong dimension");
  equal((await provider.embed(["b"], "document"))[0]!.length, 3);
  equal(provider.dimensions, 3);
  server.faults.push("wrong dimension");
  equal(
    (await refused(server.config({ dimensions: 8 }), ["b"])).message,
    "The vectors of the model test-embed have 3 dimensions instead of 8. Check embedding.dimensions. " +
      "If the model on the server has changed, request all vectors again: muxue_rag reembed",
  );
});

Deno.test("embed() sends a question once, since its answer does not wait", async () => {
  await using server = await EmbeddingServer.start();
  const provider = new RemoteProvider(server.config({ "max_retries": 3 }));
  server.rule = () => ({ status: 500, headers: { "retry-after-ms": "1" } });
  await rejects(provider.embed(["a"], "query"));
  equal(server.requests.length, 1);
});

Deno.test("each kind of invalid answer has its own message", async () => {
  await using server = await EmbeddingServer.start();
  const html = {
    status: 200,
    headers: { "content-type": "text/html" },
    body: "<html><body>Hello</body></html>",
  };
  const cases: [Fault, string][] = [
    ["one too few", "embedding_wrong_count"],
    ["one too many", "embedding_wrong_count"],
    ["index twice", "embedding_bad_answer"],
    [html, "embedding_wrong_address"],
    [{ status: 200, body: "" }, "embedding_bad_answer"],
    [{ status: 200, body: { hello: "world" } }, "embedding_bad_answer"],
    // LM Studio, for an unknown path
    [
      { status: 200, body: { error: "Unexpected endpoint or method. (POST /embeddings)" } },
      "embedding_wrong_address",
    ],
    [{ status: 404, body: "Not Found" }, "embedding_wrong_address"],
    [{ status: 307, headers: { location: "https://example.org/v1" } }, "embedding_redirected"],
    [{ status: 401, body: { error: { message: "no" } } }, "embedding_key_missing"],
    [{ status: 402, body: { error: { message: "pay first" } } }, "embedding_quota"],
    [{ status: 429, body: { error: { code: "insufficient_quota", message: "x" } } }, "embedding_quota"],
  ];
  for (const [fault, key] of cases) {
    const before = server.requests.length;
    server.faults.push(fault);
    equal((await refused(server.config(), ["a", "b", "c"])).key, key, JSON.stringify(fault));
    equal(server.requests.length - before, 1, `asked once: ${JSON.stringify(fault)}`);
  }
});

Deno.test("embed() throws if every vector has NaN, null or only zeros", async () => {
  for (const fault of ["NaN", "null", "zeros"] as const) {
    await using server = await EmbeddingServer.start();
    server.rule = () => fault;
    equal((await refused(server.config(), ["a", "b"])).key, "embedding_not_numbers", fault);
  }
});

Deno.test("a text without a valid vector gets zeros, the others get their vectors", async () => {
  await using server = await EmbeddingServer.start();
  server.rule = ({ input }) => input.some((text) => text.includes("bad")) ? "NaN" : undefined;
  const provider = new RemoteProvider(server.config());
  const vectors = await provider.embed(["a", "bad", "c", "d"], "document");
  deepEqual(plain(vectors), [...expected(["a"]), Array(8).fill(0), ...expected(["c", "d"])]);
});

Deno.test("a blank text is not sent and gets zeros", async () => {
  await using server = await EmbeddingServer.start();
  const vectors = await new RemoteProvider(server.config()).embed(["", " \n", "a"], "document");
  deepEqual(plain(vectors), [Array(8).fill(0), Array(8).fill(0), ...expected(["a"])]);
  deepEqual(server.texts(), ["-", "-", "a"]);
  deepEqual(await new RemoteProvider(server.config()).embed([], "document"), []);
});

Deno.test("messages contain neither the key nor user and password of the address", async () => {
  await using server = await EmbeddingServer.start();
  const key = "sk-very-secret-0123456789";
  const address = new URL(server.url);
  address.username = "someone";
  address.password = "hunter22";
  address.search = "?token=t0psecret";
  const config = server.config({ "api_key": key, "base_url": address.href, "max_retries": 0 });
  for (const status of [200, 400, 401, 403, 404, 429, 500, 503]) {
    server.rule = () => told(status, `bad key ${key} hunter22 t0psecret sk-very-****`);
    const { message } = await refused(config);
    ok(!/secret|hunter|someone/.test(message), `${status}: ${message}`);
  }
  equal(server.requests[0]?.path, "/v1/embeddings?token=t0psecret");
});

Deno.test("a refused key and a missing key have different messages", async () => {
  await using server = await EmbeddingServer.start();
  server.rule = () => ({ status: 401 });
  equal(
    (await refused(server.config({ "api_key": "sk-wrong-key" }))).message,
    `${server.url} rejected the key (HTTP 401). Check that embedding.api_key is correct, still valid, and may be used for the model test-embed`,
  );
  equal(
    (await refused(server.config())).message,
    `${server.url} requires a key, but embedding.api_key is not set (HTTP 401). Set it, preferably as env:NAME`,
  );
});

Deno.test("the message for an unknown model lists the models of the server", async () => {
  await using server = await EmbeddingServer.start();
  server.models = ["chat", "bge-m3", "text-embedding-qwen3-embedding-4b"];
  const answers = [
    told(404, 'model "nope" not found, try pulling it first'),
    { status: 400, body: { code: 20012, message: "Model does not exist. Please check it carefully." } },
    { status: 404, body: { error: { code: "model_not_found", message: "You do not have access to it" } } },
  ];
  for (const answer of answers) {
    server.faults.push(answer);
    equal(
      (await refused(server.config({ model: "nope" }))).message,
      `${server.url} has no model nope. Set embedding.model to one of: ` +
        "bge-m3, text-embedding-qwen3-embedding-4b, chat",
    );
  }
  server.models = [];
  server.faults.push(answers[0]);
  equal((await refused(server.config({ model: "nope" }))).key, "embedding_unknown_model");
});

Deno.test("an unreachable server is reported without a retry", async () => {
  const server = await EmbeddingServer.start();
  const { url } = server;
  await server.stop();
  const { message } = await refused(embeddingConfig({ "base_url": url }));
  equal(
    message,
    `Nothing answers at ${url} (connection refused). Start the embedding server (in LM Studio: Local Server), or check embedding.base_url`,
  );
  const unknown = new RemoteProvider(embeddingConfig({ "base_url": "http://no-such-host.invalid/v1" }));
  const { key } = await failure(unknown, ["a"]);
  ok(["embedding_unknown_host", "embedding_unreachable", "embedding_wrong_address"].includes(key), key);
});

Deno.test("an untrusted certificate and http on an https port have their messages", async () => {
  await using tls = await EmbeddingServer.start({ tls: true });
  equal((await refused(tls.config())).key, "embedding_certificate");
  await using plainServer = await EmbeddingServer.start();
  const config = plainServer.config({ "base_url": plainServer.url.replace("http:", "https:") });
  equal((await refused(config)).key, "embedding_not_tls");
});

Deno.test("a retryable request is sent again after the time in Retry-After", async () => {
  await using server = await EmbeddingServer.start();
  const provider = new RemoteProvider(server.config());
  server.faults.push(
    { status: 429, headers: { "retry-after": "1" }, body: { error: { message: "slow down" } } },
    { status: 500, headers: { "retry-after-ms": "10" }, body: { error: { message: "oops" } } },
    { status: 503, headers: { "retry-after-ms": "10" } },
  );
  deepEqual(plain(await provider.embed(["a"], "document")), expected(["a"]));
  const [first, second] = server.requests;
  const waited = second!.at - first!.at;
  ok(waited >= 990 && waited < 3000, `${waited} ms`);
  equal(server.requests.length, 4);
});

Deno.test("a server that keeps failing is reported after the last retry", async () => {
  await using server = await EmbeddingServer.start();
  server.rule = () => ({ status: 500, headers: { "retry-after-ms": "5" }, body: { error: "out of memory" } });
  const { message } = await refused(server.config({ "max_retries": 2 }), ["a", "b"]);
  equal(
    message,
    `${server.url} failed (HTTP 500): out of memory. Finished work is kept. Check the embedding server and try again`,
  );
  equal(server.requests.length, 3);
  server.rule = () => ({
    status: 429,
    headers: { "retry-after": "86400" },
    body: { error: "until tomorrow" },
  });
  equal((await refused(server.config())).key, "embedding_rate_limited");
  equal(server.requests.length, 4, "a rest of a day is not waited for");
});

Deno.test("a request is sent again if the connection is cut off", async () => {
  await using server = await EmbeddingServer.start();
  const provider = new RemoteProvider(server.config());
  server.faults.push("cut", undefined, "cut in the answer");
  const texts = ["a", "b"];
  const both = await Promise.all([
    provider.embed([texts[0]!], "document"),
    provider.embed([texts[1]!], "document"),
  ]);
  deepEqual(plain(both.flat()), expected(texts));
  server.rule = () => "cut";
  equal((await refused(server.config({ "max_retries": 0 }))).key, "embedding_cut_off");
});

Deno.test("a server that times out gets fewer texts per request, and is given up in the end", async () => {
  await using server = await EmbeddingServer.start();
  const config = server.config({ "timeout_seconds": 1 });
  const texts = Array.from({ length: 64 }, (_, at) => `text ${at}`);
  server.rule = ({ input }) => input.length > 16 ? "hang" : undefined;
  const slow = new RemoteProvider(config);
  deepEqual(plain(await slow.embed(texts, "document")), expected(texts));
  deepEqual(server.batches(), [64, 16, 16, 16, 16]);
  await slow.embed(texts, "document");
  deepEqual(server.batches().slice(5), [16, 16, 16, 16], "it has learnt");

  server.rule = () => "hang";
  equal(
    (await refused(config, texts)).message,
    `${server.url} did not answer within 1 s. Check the embedding server. If it is only slow, raise embedding.timeout_seconds or lower embedding.batch_size`,
  );
  deepEqual(server.batches().slice(9), [64, 16, 4]);
});

Deno.test("requests get smaller if the server accepts fewer texts", async () => {
  const texts = Array.from({ length: 64 }, (_, at) => `text ${at}`);
  const answers = [
    // DashScope, Text Embeddings Inference, OpenAI, and a server without a message
    told(400, "batch size is invalid, it should not be larger than 10.: input"),
    { status: 413, body: { error: "batch size 64 > maximum allowed batch size 10", type: "Validation" } },
    told(400, "Requested 340000 tokens, max 300000 tokens per request"),
    { status: 400, body: { error: { code: "1210", message: "API 调用参数有误，请检查文档。" } } },
  ];
  for (const answer of answers) {
    await using server = await EmbeddingServer.start();
    server.rule = ({ input }) => input.length > 10 ? answer : undefined;
    const provider = new RemoteProvider(server.config());
    deepEqual(plain(await provider.embed(texts, "document")), expected(texts));
    deepEqual(server.batches(), [64, 32, 16, 8, 8, 16, 8, 8, 32, 16, 8, 8, 16, 8, 8]);
    await provider.embed(texts.slice(0, 16), "document");
    deepEqual(server.batches().slice(-2), [8, 8], "it has learnt");
  }
});

Deno.test("a text that is too long is cut, and the others are sent whole", async () => {
  const answers = [
    // OpenAI, llama.cpp, Text Embeddings Inference, Ollama
    told(400, "This model's maximum context length is 8192 tokens, however …"),
    told(500, "input is too large to process. increase the physical batch size"),
    {
      status: 413,
      body: { error: "Input validation error: `inputs` must have less than 512 tokens. Given: 700" },
    },
    { status: 400, body: { error: "the input length exceeds the context length" } },
  ];
  for (const answer of answers) {
    await using server = await EmbeddingServer.start();
    server.rule = ({ input }) => input.some((text) => text.length > 500) ? answer : undefined;
    const long = "x".repeat(1200);
    const vectors = await new RemoteProvider(server.config()).embed(["a", long, "b"], "document");
    deepEqual(plain(vectors), expected(["a", "x".repeat(355), "b"]));
  }
});

Deno.test("the limit for the length of a text is learnt from refusals", async () => {
  await using server = await EmbeddingServer.start();
  server.rule = ({ input }) =>
    input.some((text) => text.length > 500) ? { status: 400, body: { error: "input length" } } : undefined;
  const provider = new RemoteProvider(server.config());
  const long = (letter: string) => letter.repeat(1200);
  await provider.embed(["a", "b", "c"].map(long), "document");
  const before = server.requests.length;
  await provider.embed(["d", "e"].map(long), "document");
  equal(server.requests.length - before, 1);
});

Deno.test("a text that the server refuses does not end the run", async () => {
  await using server = await EmbeddingServer.start();
  server.rule = ({ input }) =>
    input.some((text) => text.includes("forbidden"))
      ? { status: 400, body: { error: { code: "data_inspection_failed", message: "inappropriate content" } } }
      : undefined;
  const texts = ["a", "b", "forbidden words", "c"];
  const vectors = await new RemoteProvider(server.config()).embed(texts, "document");
  deepEqual(plain(vectors), [...expected(["a", "b"]), Array(8).fill(0), ...expected(["c"])]);
});

Deno.test("a server that rejects every text is reported with its message", async () => {
  await using server = await EmbeddingServer.start();
  server.rule = () => ({ status: 422, body: { detail: [{ msg: "field required" }] } });
  equal(
    (await refused(server.config(), ["a", "b"])).message,
    `${server.url} rejected the request (HTTP 422): field required`,
  );
  server.rule = () => told(400, "does not support matryoshka representation");
  const { key } = await refused(server.config({ dimensions: 16 }), ["a", "b"]);
  equal(key, "embedding_dimensions_refused");
});

Deno.test("an endless answer is aborted", async () => {
  await using server = await EmbeddingServer.start();
  server.rule = () => "endless";
  equal((await refused(server.config())).key, "embedding_too_large");
});

Deno.test("an answer of unclosed vectors is classified in linear time", async () => {
  await using server = await EmbeddingServer.start();
  const opening = '"embedding":[';
  for (
    const [last, key] of [["", "embedding_bad_answer"], ["1, NaN", "embedding_not_numbers"]] as const
  ) {
    server.rule = () => ({ status: 200, body: `{${opening.repeat(80_000)}${last}` });
    equal((await refused(server.config())).key, key);
  }
});

Deno.test("a NaN at the end of a long answer is found", async () => {
  await using server = await EmbeddingServer.start();
  const data = Array.from({ length: 64 }, () => ({ embedding: Array(1024).fill(0.5) }));
  const body = JSON.stringify({ data }).replace(/0\.5\]\}\]\}$/, "NaN]}]}");
  server.rule = () => ({ status: 200, body });
  equal((await refused(server.config())).key, "embedding_not_numbers");
});

Deno.test("a vector of more numbers than any model gives is a bad answer", async () => {
  await using server = await EmbeddingServer.start();
  for (const [count, key] of [[16_384, undefined], [16_385, "bad_answer"], [1_000_000, "bad_answer"]]) {
    const body = { data: [{ index: 0, embedding: Array(count).fill(0.5) }] };
    server.rule = () => ({ status: 200, body });
    const provider = new RemoteProvider(server.config());
    if (key === undefined) deepEqual((await provider.embed(["a"], "document"))[0]?.length, count);
    else equal((await failure(provider, ["a"])).kind, key);
  }
});

Deno.test("onVectors gets the vectors that arrive before a failure", async () => {
  await using server = await EmbeddingServer.start();
  const provider = new RemoteProvider(server.config({ "batch_size": 2, "max_retries": 0 }));
  server.faults.push(undefined, undefined, { status: 500 });
  const texts = ["a", "b", "c", "d", "e"];
  const heard: [number, number[][]][] = [];
  await rejects(
    provider.embed(texts, "document", undefined, (first, some) => heard.push([first, plain(some)])),
  );
  deepEqual(heard, [[0, expected(["a", "b"])], [2, expected(["c", "d"])]]);
});

Deno.test("embed() throws the reason of its signal: before a request, during it, and between two tries", async () => {
  await using server = await EmbeddingServer.start();
  const provider = new RemoteProvider(server.config());
  const reason = new Error("enough");
  await rejects(provider.embed(["a"], "document", AbortSignal.abort(reason)), reason);
  equal(server.requests.length, 0);
  for (const fault of ["hang", { status: 429, headers: { "retry-after": "30" } }, { status: 500 }] as const) {
    server.faults.push(fault);
    const controller = new AbortController();
    const running = provider.embed(["a"], "document", controller.signal);
    setTimeout(() => controller.abort(reason), 200);
    await rejects(running, reason);
  }
});

Deno.test("the id does not depend on the address but on everything that changes the vectors", () => {
  const id = (changes: Parameters<typeof embeddingConfig>[0]) =>
    new RemoteProvider(embeddingConfig(changes)).id;
  deepEqual(
    [
      id({}),
      id({
        "base_url": "https://elsewhere.example/v1",
        "api_key": "sk-secret-key",
        "query_prefix": "find: ",
      }),
      id({ dimensions: 256 }),
      id({ "document_prefix": "text: " }),
      id({ model: "multilingual-e5-small", dimensions: 256 }),
      id({ model: "a?dimensions=256" }),
      id({ provider: "azure" }),
    ],
    [
      "openai-compatible/test-embed",
      "openai-compatible/test-embed",
      "openai-compatible/test-embed?dimensions=256",
      "openai-compatible/test-embed?document_prefix=text%3A+",
      "openai-compatible/multilingual-e5-small?dimensions=256&document_prefix=passage%3A+",
      "openai-compatible/a%3Fdimensions=256",
      "azure/test-embed",
    ],
  );
});

Deno.test("queries and documents get the instructions of the model or of the configuration", async () => {
  await using server = await EmbeddingServer.start();
  const sent = async (changes: Parameters<typeof embeddingConfig>[0]) => {
    const provider = new RemoteProvider(server.config(changes));
    await provider.embed(["猫"], "query");
    await provider.embed(["猫"], "document");
    return server.texts().slice(-2);
  };
  deepEqual(await sent({ model: "text-embedding-qwen3-embedding-4b" }), [
    "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:猫",
    "猫",
  ]);
  deepEqual(await sent({ model: "intfloat/multilingual-e5-large" }), ["query: 猫", "passage: 猫"]);
  deepEqual(await sent({ model: "BAAI/bge-large-zh-v1.5" }), [
    "为这个句子生成表示以用于检索相关文章：猫",
    "猫",
  ]);
  deepEqual(await sent({ model: "BAAI/bge-m3" }), ["猫", "猫"]);
  deepEqual(await sent({ model: "nomic-embed-text:latest" }), ["search_query: 猫", "search_document: 猫"]);
  deepEqual(await sent({ model: "multilingual-e5-large", "query_prefix": "", "document_prefix": "d " }), [
    "猫",
    "d 猫",
  ]);
});

Deno.test("texts are cut to the model's window or to the configured length", async () => {
  await using server = await EmbeddingServer.start();
  const sent = async (text: string, changes: Parameters<typeof embeddingConfig>[0]) => {
    await new RemoteProvider(server.config(changes)).embed([text], "document");
    return server.texts().at(-1)!;
  };
  equal((await sent("字".repeat(2000), { model: "bge-large-zh" })).length, 648);
  equal((await sent("word ".repeat(2000), { model: "bge-large-en" })).length, 1737);
  equal((await sent("word ".repeat(2000), { model: "qwen3-embedding" })).length, 10_000);
  equal((await sent("word ".repeat(2000), { "max_input_chars": 100 })).length, 100);
  equal(await sent("a".repeat(99) + "😀", { "max_input_chars": 100 }), "a".repeat(99), "no half characters");
});

Deno.test("Azure requests have the header api-key, and name the deployment if the address has a version", async () => {
  await using server = await EmbeddingServer.start();
  const base = server.url.replace("/v1", "/openai");
  for (
    const address of [
      base,
      `${base}?api-version=2024-06-01`,
      `${base}/deployments/x/embeddings?api-version=2023-05-15`,
    ]
  ) {
    const provider = new RemoteProvider(
      server.config({
        provider: "azure",
        "base_url": address,
        "api_key": "azure-key",
        model: "my-deployment",
      }),
    );
    server.faults.push("shuffled");
    deepEqual(plain(await provider.embed(["a", "b"], "document")), expected(["a", "b"]));
    equal(server.requests.at(-1)?.headers["api-key"], "azure-key");
  }
  deepEqual(server.requests.map(({ path }) => path), [
    "/openai/embeddings",
    "/openai/deployments/my-deployment/embeddings?api-version=2024-06-01",
    "/openai/deployments/my-deployment/embeddings?api-version=2023-05-15",
  ]);
  const answer = {
    error: { code: "DeploymentNotFound", message: "The API deployment for this resource does not exist." },
  };
  server.faults.push({ status: 404, body: answer });
  const provider = new RemoteProvider(
    server.config({ provider: "azure", "base_url": base, "api_key": "azure-key" }),
  );
  equal((await failure(provider, ["a"])).key, "embedding_unknown_model");
});
