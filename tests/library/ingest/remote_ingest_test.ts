import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { IndexReader } from "#engine/index/mod.ts";
import { EmbeddingServer, type Fault } from "../../models/embedding/_embedding_server.ts";
import { KEY } from "../../engine/index/_blob_forge.ts";
import { ManualTimeouts } from "./_manual_timeouts.ts";
import { numbered, RemotePlace } from "./_remote_place.ts";
import { indexPath } from "./_place.ts";

const TWELVE = Object.keys(numbered(12)).map((name) => `text ${name.slice(0, -4)}`).sort();
const ONE_AT_ONCE = { embedding: { concurrency: 1 } };

Deno.test("every distinct content is sent once, and the index has the vectors of the built-in table", async () => {
  await using place = await RemotePlace.open({
    ...numbered(9),
    "copy of 3.txt": "text 3",
    "sub/copy of 4.txt": "text 4",
    "book.md": "# One\n\nchapter one\n\n# Two\n\nchapter two\n",
  });
  const { done, total, embedded, refused } = await place.ingest({ chunking: { chunks_per_file: 1 } });
  deepEqual({ done, total, embedded, refused }, { done: 10, total: 10, embedded: 10, refused: 0 });
  const texts = await place.texts();
  deepEqual(place.sent(), [...new Set(texts)].sort());
  using reader = IndexReader.open(Deno.openSync(indexPath(place.root)), { key: KEY });
  match(reader.vectors!.meta.model, /^builtin/);
});

Deno.test("no run asks the server for contents that have their vectors already", async () => {
  await using place = await RemotePlace.open(numbered(6));
  await place.ingest();
  const { requests } = place.server;
  const before = requests.length;
  await place.server.stop();

  Deno.utimeSync(place.place.at("1.txt"), 1, 1);
  Deno.renameSync(place.place.at("2.txt"), place.place.at("renamed.txt"));
  place.place.write({ "copy.txt": "text 3", "4.txt": "text 5" });
  await place.ingest();
  Deno.removeSync(place.place.at("6.txt"));
  await place.ingest();
  await place.index();
  await place.embed();

  equal(requests.length, before);
  deepEqual((await place.texts()).sort(), ["text 1", "text 2", "text 3", "text 3", "text 5", "text 5"]);
});

Deno.test("a new model, new dimensions and a new document prefix embed everything again and keep what was paid for", async () => {
  await using place = await RemotePlace.open(numbered(6));
  await place.ingest();
  place.sent();
  const before = place.place.indexBytes();
  await place.ingest({ embedding: { model: "other" } });
  equal(place.sent().length, 6);
  await place.texts({ model: { id: "openai-compatible/other" } });
  await place.ingest({ embedding: { dimensions: 4 } });
  equal(place.sent().length, 6);
  await place.texts({ model: { id: "openai-compatible/test-embed?dimensions=4", dimensions: 4 } });
  const about = { "document_prefix": "about: " };
  await place.ingest({ embedding: about });
  deepEqual(place.sent(), Object.values(numbered(6)).map((text) => `about: ${text}`));

  await place.ingest();
  for (const same of [{ "query_prefix": "who: " }, { "batch_size": 1 }, { "api_key": "sk-another" }]) {
    await place.ingest({ embedding: { ...about, ...same } });
  }
  for (const provider of ["builtin", "none"] as const) await place.index({ embedding: { provider } });
  await place.index();
  await place.embed();
  deepEqual(place.sent(), []);
  deepEqual((await place.texts()).length, 6);
  equal(place.place.indexBytes().length, before.length, "no change of the model changes the index");
});

Deno.test("the prefix of a known model is put before every chunk", async () => {
  await using place = await RemotePlace.open({ "a.txt": "alpha" });
  const prefixes = { "qwen3-embedding-4b": "", "multilingual-e5-large": "passage: ", "bge-m3": "" };
  for (const [model, prefix] of Object.entries(prefixes)) {
    await place.ingest({ embedding: { model } });
    deepEqual(place.sent().filter((text) => !text.endsWith("one")), [`${prefix}alpha`], model);
  }
});

Deno.test("a long text is sent whole, as far as the model's window goes", async () => {
  const long = `${"文字。".repeat(10_000)}end`;
  await using place = await RemotePlace.open({ "long.txt": long });
  await place.ingest({ chunking: { max_chars: 50_000 }, embedding: { "max_input_chars": 40_000 } });
  deepEqual(place.sent(), [long]);
});

Deno.test("a fresh run requests every vector, and changes nothing if it fails", async () => {
  await using place = await RemotePlace.open(numbered(12));
  await place.ingest();
  place.sent();
  place.server.rule = () => place.server.requests.length > 7 ? { status: 500 } : undefined;
  equal((await place.failure(ONE_AT_ONCE, { fresh: true }))[0], "embedding_server_error");
  place.server.rule = () => undefined;
  equal((await place.texts()).length, 12);
  place.sent();
  place.server.version = "2";
  equal((await place.ingest({}, { fresh: true })).embedded, 12);
  equal(place.sent().length, 12);
  equal((await place.texts()).length, 12);
});

Deno.test("other dimensions under the same name are an error that names both, and a fresh run repairs them", async () => {
  await using place = await RemotePlace.open(numbered(3));
  await place.ingest();
  place.server.dimensions = 16;
  place.place.write({ "4.txt": "text 4" });
  deepEqual(await place.failure(), [
    "embedding_wrong_dimensions",
    "The vectors of the model test-embed have 16 dimensions instead of 8. Check embedding.dimensions. " +
    "If the model on the server has changed, request all vectors again: muxue_rag reembed",
  ]);
  await place.ingest({}, { fresh: true });
  equal((await place.texts({ model: { id: "openai-compatible/test-embed", dimensions: 16 } })).length, 4);
});

Deno.test("after each fault the index has the new files, and the next run sends only what is missing", async () => {
  const faults: [Fault, RegExp][] = [
    ["cut", /closed the connection .* Finished work is kept/],
    ["cut in the answer", /closed the connection .* Finished work is kept/],
    ["hang", /did not answer within 60 s/],
    ["one too few", /returned 3 vectors for 4 texts/],
    ["one too many", /returned 5 vectors for 4 texts/],
    ["index twice", /not have the form of the embeddings API: index/],
    ["wrong dimension", /have 3 dimensions instead of 8/],
    [{ status: 500, body: { error: "broken" } }, /failed \(HTTP 500\): broken. Finished work is kept/],
    [{ status: 429, body: { error: "slow down" } }, /limits the rate of requests: slow down/],
    [{ status: 429, headers: { "retry-after": "600" } }, /limits the rate of requests: HTTP 429/],
    [{ status: 401 }, /requires a key/],
    [{ status: 402, body: { error: "Insufficient Balance" } }, /balance .* is used up/],
    [{ status: 404, body: { error: { message: "model not found" } } }, /has no model test-embed/],
    [{ status: 400, body: { error: "Model unloaded" } }, /rejected the request \(HTTP 400\): Model unloaded/],
    [{ status: 200, body: "<html></html>" }, /does not offer embeddings \(HTML\)/],
    [{ status: 200, body: { data: [{ nonsense: 1 }] } }, /not have the form of the embeddings API/],
    [{ status: 302, headers: { location: "http://elsewhere.example/" } }, /redirects to/],
    ["NaN", /vectors with invalid numbers/],
    ["null", /vectors with invalid numbers/],
    ["zeros", /vectors with invalid numbers/],
  ];
  using timeouts = new ManualTimeouts();
  for (const [fault, message] of faults) {
    await using place = await RemotePlace.open({ "old.txt": "old" });
    const name = JSON.stringify(fault);
    await place.ingest();
    place.sent();
    place.place.write(numbered(12));
    // the first batch is answered, everything after it fails
    const { length } = place.server.requests;
    place.server.rule = () => {
      if (place.server.requests.length <= length + 1) return undefined;
      if (fault === "hang") timeouts.expire();
      return fault;
    };
    const [key, words] = await place.failure(ONE_AT_ONCE);
    match(key, /^embedding_/, `${name}: ${words}`);
    match(words, message);
    deepEqual(place.place.dataFolder().filter((file) => file.includes("tmp")), [], name);
    using reader = IndexReader.open(Deno.openSync(indexPath(place.root)), { key: KEY });
    equal(reader.chunks.length, 13, name);
    const paid = place.server.requests[length]!.input;

    place.sent();
    place.server.rule = () => undefined;
    await place.ingest(ONE_AT_ONCE);
    deepEqual(place.sent(), TWELVE.filter((text) => !paid.includes(text)), name);
    equal((await place.texts()).length, 13, name);
  }
});

Deno.test("a run survives faults that pass", async () => {
  const soon = { "retry-after-ms": "20" };
  const faults: Record<string, Fault[]> = {
    "429 with Retry-After": [{ status: 429, headers: { "retry-after": "0.05" } }],
    "500 three times": Array(3).fill({ status: 500, headers: soon }),
    "503 and 429": [{ status: 503, headers: soon }, { status: 429, headers: soon }],
    "shuffled order": ["shuffled", "shuffled", "shuffled"],
    "no index": ["no index", "no index"],
    "the same index for all": ["index 0", "index 0"],
    "NaN once": ["NaN"],
    "zeros once": ["zeros"],
    "400 once": [{ status: 400, body: { error: "busy" } }],
    "too many texts": [{ status: 400, body: { error: "batch size must not be larger than 2" } }],
    "one too late": ["hang"],
  };
  using timeouts = new ManualTimeouts();
  for (const [name, list] of Object.entries(faults)) {
    await using place = await RemotePlace.open(numbered(12));
    // after the request for the dimensions and a first batch
    const coming = [undefined, undefined, ...list];
    place.server.rule = () => {
      const fault = coming.shift();
      if (fault === "hang") timeouts.expire();
      return fault;
    };
    const { refused } = await place.ingest({ embedding: { "max_retries": 3, concurrency: 1 } });
    deepEqual([refused, (await place.texts()).sort()], [0, TWELVE], name);
  }
});

Deno.test("Retry-After is honoured", async () => {
  await using place = await RemotePlace.open(numbered(4));
  place.server.faults.push(undefined, { status: 429, headers: { "retry-after": "0.3" } });
  await place.ingest({ embedding: { "max_retries": 1, concurrency: 1 } });
  const [, refused, repeated] = place.server.requests;
  ok(repeated!.at - refused!.at >= 300);
});

Deno.test("a run continues when a server is back that stopped half-way", async () => {
  await using place = await RemotePlace.open(numbered(12));
  const { port } = place.server;
  const dying = place.server;
  dying.rule = () => {
    if (dying.requests.length === 3) void dying.stop();
    return dying.requests.length >= 3 ? "cut" : undefined;
  };
  const [key] = await place.failure(ONE_AT_ONCE);
  ok(["embedding_cut_off", "embedding_refused"].includes(key), key);
  equal((await place.failure())[0], "embedding_refused");
  await using back = await EmbeddingServer.start({ port });
  await place.embed();
  equal((await back.texts()).length, 8, "no second request for the dimensions");
  deepEqual((await place.texts()).sort(), TWELVE);
});

Deno.test("parts of a request that the server splits are kept when the rest fails", async () => {
  await using place = await RemotePlace.open(numbered(4));
  place.server.rule = ({ input }) => {
    if (input.length > 2) return { status: 400, body: { error: "batch size must not be larger than 2" } };
    return input.includes("text 4") ? { status: 401 } : undefined;
  };
  equal((await place.failure(ONE_AT_ONCE))[0], "embedding_key_missing");
  place.sent();
  place.server.rule = () => undefined;
  await place.embed();
  deepEqual(place.sent(), ["text 3", "text 4"]);
});

Deno.test("a stopped run ends its requests, and the next run sends only what is missing", async () => {
  await using place = await RemotePlace.open({ "old.txt": "old" });
  await place.ingest();
  place.sent();
  place.place.write(numbered(12));
  const controller = new AbortController();
  const reason = new Error("enough");
  const { length } = place.server.requests;
  place.server.rule = () => {
    if (place.server.requests.length < length + 3) return undefined;
    controller.abort(reason);
    return "hang";
  };
  await rejects(place.ingest(ONE_AT_ONCE, { signal: controller.signal }), reason);
  place.server.rule = () => undefined;
  place.sent();
  await place.ingest();
  equal(place.sent().length, 4);
  equal((await place.texts()).length, 13);
});

Deno.test("as many requests are under way as the configuration says, and no more", async () => {
  await using place = await RemotePlace.open(numbered(40));
  place.server.delayMs = 20;
  await place.ingest({ embedding: { concurrency: 3 } });
  deepEqual([place.server.concurrent, Math.max(...place.server.batches())], [3, 4]);
});

Deno.test("rejected texts have no vector and are counted", async () => {
  await using place = await RemotePlace.open({ ...numbered(6), "x.txt": "refused x", "y.txt": "refused y" });
  place.server.rule = ({ input }) =>
    input.some((text) => text.startsWith("refused"))
      ? { status: 400, body: { error: "inappropriate" } }
      : undefined;
  const { embedded, refused } = await place.ingest();
  deepEqual({ embedded, refused }, { embedded: 6, refused: 2 });
  equal((await place.texts({ zeros: ["refused x", "refused y"] })).length, 8);
  place.sent();
  equal((await place.ingest()).refused, 0);
  deepEqual(place.sent(), []);
});

Deno.test("the batch size stays the same after a rejected text", async () => {
  await using place = await RemotePlace.open({ "0.txt": "refuse", ...numbered(12) });
  place.server.rule = ({ input }) =>
    input.includes("refuse") ? { status: 400, body: { error: "inappropriate" } } : undefined;
  await place.ingest(ONE_AT_ONCE);
  // the dimensions, the batch in parts, the rejected text alone and beside a plain one, all others
  deepEqual(place.server.batches(), [1, 4, 2, 1, 1, 1, 1, 2, 4, 4, 1]);
});

Deno.test("the progress is reported with each answer of the server", async () => {
  await using place = await RemotePlace.open(numbered(12));
  const told: string[] = [];
  const onProgress = ({ done, total }: { done: number; total: number }) => told.push(`${done}/${total}`);
  await place.ingest({ embedding: { concurrency: 3 } }, { onProgress });
  deepEqual(told, ["0/12", "4/12", "8/12", "12/12"]);
});

Deno.test("no file and no error contains the API key", async () => {
  await using place = await RemotePlace.open(numbered(6));
  const key = "sk-hush-0123456789";
  place.server.faults.push(undefined, undefined, {
    status: 401,
    body: { error: { message: `Incorrect API key provided: ${key}` } },
  });
  const changes = { embedding: { "api_key": key, concurrency: 1 } };
  const files = () =>
    place.place.dataFolder().map((name) =>
      new TextDecoder("latin1").decode(Deno.readFileSync(place.place.at(`.muxue_rag/${name}`)))
    );
  const [name, words] = await place.failure(changes);
  equal(name, "embedding_unauthorized");
  const seen = [words, ...files()];
  await place.ingest(changes);
  deepEqual([...seen, ...files()].filter((text) => text.includes("hush")), []);
});
