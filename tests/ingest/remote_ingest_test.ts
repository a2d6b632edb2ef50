import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { IndexReader } from "../../lib/index/mod.ts";
import type { IngestProgress } from "../../lib/ingest/mod.ts";
import { indexPath } from "../../lib/store/data_folder.ts";
import { EmbeddingServer, type Fault } from "../embedding/_embedding_server.ts";
import { rewriteIndex } from "./_index_file.ts";
import { ManualTimeouts } from "./_manual_timeouts.ts";
import { numbered, RemotePlace } from "./_remote_place.ts";
import { KEY } from "../index/_blob_forge.ts";

const TWELVE = Object.keys(numbered(12)).map((name) => `text ${name.slice(0, -4)}`).sort();

Deno.test("the first run sends every distinct content once", async () => {
  await using place = await RemotePlace.open({
    ...numbered(9),
    "copy of 3.txt": "text 3",
    "sub/copy of 4.txt": "text 4",
    "book.md": "# One\n\nchapter one\n\n# Two\n\nchapter two\n",
  });
  const summary = await place.ingest({ chunking: { chunks_per_file: 1 } });
  deepEqual([summary.files, summary.chunks, summary.warnings], [12, 12, undefined]);
  const texts = place.texts();
  deepEqual(place.sent(), [...new Set(texts)].sort());
  deepEqual(place.caches(), []);
});

Deno.test("no run asks the server for contents that the index has already", async () => {
  await using place = await RemotePlace.open(numbered(6));
  await place.ingest();
  const { requests } = place.server;
  const before = requests.length;
  await place.server.stop();

  equal((await place.ingest()).written, false);
  Deno.utimeSync(place.place.at("1.txt"), 1, 1);
  Deno.renameSync(place.place.at("2.txt"), place.place.at("renamed.txt"));
  place.place.write({ "copy.txt": "text 3", "4.txt": "text 5" });
  const { unchanged, renamed, changed, new: added } = await place.ingest();
  deepEqual({ unchanged, renamed, changed, added }, { unchanged: 4, renamed: 1, changed: 1, added: 1 });
  Deno.removeSync(place.place.at("6.txt"));
  equal((await place.ingest()).removed, 1);
  equal((await place.ingest({}, { full: true })).full, true);

  equal(requests.length, before);
  deepEqual(place.texts().sort(), ["text 1", "text 2", "text 3", "text 3", "text 5", "text 5"]);
});

Deno.test("a run with other chunk sizes sends the new contents only", async () => {
  await using place = await RemotePlace.open({ ...numbered(5), "long.txt": "alpha. ".repeat(40) });
  await place.ingest();
  place.sent();
  const { rebuildReason } = await place.ingest({ chunking: { max_chars: 100 } });
  equal(rebuildReason, "The index was made with another value of chunking.max_chars, so it must be rebuilt");
  const texts = place.texts().filter((text) => !text.startsWith("text "));
  ok(texts.length > 2);
  deepEqual(place.sent(), [...new Set(texts)].sort());
});

Deno.test("an index that is damaged or outdated outside of its vectors still supplies them", async () => {
  const places = {
    "a text is damaged": (path: string) => {
      const bytes = Deno.readFileSync(path);
      bytes[4096]! ^= 1;
      Deno.writeFileSync(path, bytes);
    },
    "another tokenizer": (path: string) =>
      rewriteIndex(path, { meta: (meta) => ({ ...meta, tokenizer: 1_000_000 }) }),
    "another format": (path: string) => rewriteIndex(path, { format: 1_000_000 }),
    "a section that this version lacks": (path: string) => rewriteIndex(path, { without: "postings" }),
  };
  for (const [name, change] of Object.entries(places)) {
    await using place = await RemotePlace.open(numbered(6));
    await place.ingest();
    place.sent();
    change(indexPath(place.root));
    match((await place.ingest()).rebuildReason!, /damaged|another version/, name);
    deepEqual(place.sent(), [], name);
    equal(place.texts().length, 6);
  }
});

Deno.test("damaged vectors are requested again", async () => {
  await using place = await RemotePlace.open(numbered(6));
  await place.ingest();
  place.sent();
  rewriteIndex(indexPath(place.root), { damaged: "vector.exact" });
  match((await place.ingest()).rebuildReason!, /checksum of bytes/);
  equal(place.sent().length, 6);
  equal(place.texts().length, 6);
});

Deno.test("a new model, new dimensions and a new document prefix embed everything again, a new query prefix does not", async () => {
  await using place = await RemotePlace.open(numbered(6));
  await place.ingest();
  place.sent();
  for (const embedding of [{ model: "other" }, { dimensions: 4 }]) {
    equal((await place.ingest({ embedding })).full, true);
    equal(place.sent().length, 6);
    equal(place.texts({ dimensions: embedding.dimensions ?? 8 }).length, 6);
  }
  await place.ingest({ embedding: { "document_prefix": "about: " } });
  deepEqual(place.sent(), Object.values(numbered(6)).map((text) => `about: ${text}`));
  for (
    const embedding of [
      { "query_prefix": "who asks: " },
      { "batch_size": 1, concurrency: 1 },
      { "api_key": "sk-another" },
    ]
  ) {
    equal((await place.ingest({ embedding: { "document_prefix": "about: ", ...embedding } })).written, false);
  }
  deepEqual(place.sent(), []);
});

Deno.test("the prefix of a known model is put before every chunk", async () => {
  await using place = await RemotePlace.open({ "a.txt": "alpha" });
  const prefixes = { "qwen3-embedding-4b": "", "multilingual-e5-large": "passage: ", "bge-m3": "" };
  for (const [model, prefix] of Object.entries(prefixes)) {
    await place.ingest({ embedding: { model } });
    deepEqual(place.sent(), [`${prefix}alpha`], model);
  }
});

Deno.test("a change to another provider and back needs no vector twice", async () => {
  await using place = await RemotePlace.open(numbered(3));
  await place.ingest();
  place.sent();
  const model = () => {
    using reader = IndexReader.open(Deno.openSync(indexPath(place.root)), { key: KEY });
    return reader.vectors?.meta.model;
  };
  await place.ingest({ embedding: { provider: "none" } });
  equal(model(), undefined);
  await place.ingest({ embedding: { provider: "builtin" } });
  match(model()!, /^builtin/);
  deepEqual(place.sent(), []);
  await Deno.writeTextFile(`${place.root}/new.txt`, "something new");
  await place.ingest();
  deepEqual(place.sent(), ["something new"]);
  deepEqual(place.caches(), []);
});

Deno.test("a fresh run requests every vector, and continues a fresh run that was stopped", async () => {
  await using place = await RemotePlace.open(numbered(12));
  await place.ingest();
  place.sent();
  const before = place.place.indexBytes();
  const fresh = { full: true, fresh: true };
  place.server.rule = () => place.server.requests.length > 7 ? { status: 500 } : undefined;
  equal((await place.failure({ embedding: { concurrency: 1 } }, fresh))[0], "embedding_server_error");
  deepEqual(place.place.indexBytes(), before);
  place.server.rule = () => undefined;
  const first = new Set(place.sent());

  // a run that is not fresh ignores the new vectors
  place.place.write({ "more.txt": "more" });
  await place.ingest();
  deepEqual(place.sent(), ["more"]);

  await place.ingest({}, fresh);
  const second = place.sent();
  deepEqual([...first].filter((text) => !second.includes(text)).length, 8);
  equal(second.length, 13 - 8);
  deepEqual(place.caches(), []);
  equal(place.texts().length, 13);
  await place.ingest({}, fresh);
  equal(place.sent().length, 13);
});

Deno.test("a fresh run ignores a stopped one if the model has changed since", async () => {
  await using place = await RemotePlace.open(numbered(8));
  const fresh = { full: true, fresh: true };
  for (const change of [() => place.server.version = "2", () => place.server.dimensions = 16]) {
    place.server.faults.push(undefined, undefined, { status: 500 });
    await place.failure({ embedding: { concurrency: 1 } }, fresh);
    equal(place.sent().length, 8);
    change();
    await place.ingest({}, fresh);
    equal(place.sent().length, 8);
    equal(place.texts({ dimensions: place.server.dimensions }).length, 8);
  }
});

Deno.test("a fresh run repairs an index whose model now has other dimensions under the same name", async () => {
  await using place = await RemotePlace.open(numbered(3));
  await place.ingest();
  place.server.dimensions = 16;
  place.place.write({ "4.txt": "text 4" });
  const before = place.place.indexBytes();
  deepEqual(await place.failure(), [
    "embedding_wrong_dimensions",
    "The vectors of the model test-embed have 16 dimensions instead of 8. " +
    "Check embedding.dimensions, and whether the model on the server has changed",
  ]);
  deepEqual(place.place.indexBytes(), before);
  await place.ingest({}, { full: true, fresh: true });
  equal(place.texts({ dimensions: 16 }).length, 4);
});

Deno.test("after each fault the old index is unchanged, and the next run sends only what is missing", async () => {
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
    const before = place.place.indexBytes();
    place.place.write(numbered(12));
    // the first batch is answered, everything after it fails
    const { length } = place.server.requests;
    place.server.rule = () => {
      if (place.server.requests.length <= length + 1) return undefined;
      if (fault === "hang") timeouts.expire();
      return fault;
    };
    const changes = { embedding: { concurrency: 1 } };
    const [key, words] = await place.failure(changes);
    match(key, /^embedding_/, `${name}: ${words}`);
    match(words, message);
    deepEqual(place.place.indexBytes(), before, name);
    deepEqual(place.place.dataFolder().filter((file) => file.includes("tmp")), [], name);
    const paid = place.server.requests[length]!.input;

    place.sent();
    place.server.rule = () => undefined;
    await place.ingest(changes);
    deepEqual(place.sent(), TWELVE.filter((text) => !paid.includes(text)), name);
    equal(place.texts().length, 13, name);
    deepEqual(place.caches(), [], name);
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
    const { warnings } = await place.ingest({ embedding: { "max_retries": 3, concurrency: 1 } });
    deepEqual([warnings, place.texts().sort()], [undefined, TWELVE], name);
  }
});

Deno.test("a run continues when a server is back that stopped half-way", async () => {
  await using place = await RemotePlace.open(numbered(12));
  const { port } = place.server;
  const dying = place.server;
  dying.rule = () => {
    if (dying.requests.length === 3) void dying.stop();
    return dying.requests.length >= 3 ? "cut" : undefined;
  };
  const [key] = await place.failure({ embedding: { concurrency: 1 } });
  ok(["embedding_cut_off", "embedding_refused"].includes(key), key);
  deepEqual(place.place.dataFolder().filter((name) => name.startsWith("index")), []);
  equal((await place.failure())[0], "embedding_refused");
  await using back = await EmbeddingServer.start({ port });
  await place.ingest();
  equal(back.texts().length, 8, "no second request for the dimensions");
  deepEqual(place.texts().sort(), TWELVE);
});

Deno.test("a stopped run leaves the old index unchanged, and the next run sends only what is missing", async () => {
  await using place = await RemotePlace.open({ "old.txt": "old" });
  await place.ingest();
  place.sent();
  const before = place.place.indexBytes();
  place.place.write(numbered(12));
  const controller = new AbortController();
  const reason = new Error("enough");
  const { length } = place.server.requests;
  place.server.rule = () => {
    if (place.server.requests.length < length + 3) return undefined;
    controller.abort(reason);
    return "hang";
  };
  await rejects(place.ingest({ embedding: { concurrency: 1 } }, { signal: controller.signal }), reason);
  deepEqual(place.place.indexBytes(), before);
  deepEqual(place.place.dataFolder().filter((file) => file.includes("tmp")), []);
  place.server.rule = () => undefined;
  place.sent();
  await place.ingest();
  equal(place.sent().length, 4);
  equal(place.texts().length, 13);
});

Deno.test("without the server, a run removes files, but fails for new ones and leaves the index unchanged", async () => {
  await using place = await RemotePlace.open(numbered(3));
  await place.ingest();
  await place.server.stop();
  Deno.removeSync(place.place.at("3.txt"));
  equal((await place.ingest()).removed, 1);
  const before = place.place.indexBytes();
  place.place.write({ "new.txt": "new" });
  deepEqual(await place.failure(), [
    "embedding_refused",
    `Nothing answers at ${place.server.url} (connection refused). Start the embedding server ` +
    "(in LM Studio: Local Server), or check embedding.base_url",
  ]);
  deepEqual(place.place.indexBytes(), before);
});

Deno.test("without the server, a first run fails before it reads a file", async () => {
  await using place = await RemotePlace.open(numbered(3));
  await place.server.stop();
  let read = 0;
  const [key] = await place.failure({}, { onProgress: ({ filesDone }) => read = filesDone });
  deepEqual([key, read], ["embedding_refused", 0]);
});

Deno.test("rejected texts get no vector but a warning, and --full tries them again", async () => {
  await using place = await RemotePlace.open({ ...numbered(6), "x.txt": "refused x", "y.txt": "refused y" });
  place.place.write({ "copy of x.txt": "refused x" });
  place.server.rule = ({ input }) =>
    input.some((text) => text.startsWith("refused"))
      ? { status: 400, body: { error: "inappropriate" } }
      : undefined;
  const { warnings, chunks } = await place.ingest();
  deepEqual([chunks, warnings], [9, [
    "The embedding server rejected 2 texts. They can be found by keywords only; --full tries them again",
  ]]);
  const zeros = ["refused x", "refused y"];
  equal(place.texts({ zeros }).length, 9);
  place.sent();

  deepEqual((await place.ingest()).warnings, undefined);
  deepEqual(place.sent(), []);
  place.place.write({ "7.txt": "text 7" });
  deepEqual((await place.ingest()).warnings, undefined);
  deepEqual(place.sent(), ["text 7"]);
  equal(place.texts({ zeros }).length, 10);

  equal((await place.ingest({}, { full: true })).warnings?.length, 1);
  deepEqual([...new Set(place.sent())].filter((text) => !zeros.includes(text)), []);
  place.server.rule = () => undefined;
  deepEqual((await place.ingest({}, { full: true })).warnings, undefined);
  deepEqual(place.sent(), zeros);
  equal(place.texts().length, 10);
});

Deno.test("the batch size stays the same after a rejected text", async () => {
  await using place = await RemotePlace.open({ "0.txt": "refused", ...numbered(12) });
  place.server.rule = ({ input }) =>
    input.includes("refused") ? { status: 400, body: { error: "inappropriate" } } : undefined;
  await place.ingest({ embedding: { concurrency: 1 } });
  // the dimensions, the batch in parts, the rejected text alone and beside a plain one, all others
  deepEqual(place.server.batches(), [1, 4, 2, 1, 1, 1, 1, 2, 4, 4, 1]);
});

Deno.test("a run that continues a stopped one sends rejected texts again", async () => {
  await using place = await RemotePlace.open({ "0.txt": "refused", ...numbered(12) });
  place.server.rule = ({ input }) => {
    if (input.includes("refused")) return { status: 400, body: { error: "inappropriate" } };
    return input.includes("text 9") ? { status: 500 } : undefined;
  };
  const changes = { embedding: { concurrency: 1, "batch_size": 2 } };
  equal((await place.failure(changes))[0], "embedding_server_error");
  place.sent();
  place.server.rule = () => undefined;
  await place.ingest(changes);
  ok(place.sent().includes("refused"));
  equal(place.texts().length, 13);
});

Deno.test("a second run reports a busy index while the first waits for its server", async () => {
  await using place = await RemotePlace.open(numbered(3));
  let second: Promise<[string, string]> | undefined;
  place.server.rule = () => {
    if (second !== undefined) return undefined;
    second = place.failure();
    return second.then(() => undefined);
  };
  equal((await place.ingest()).files, 3);
  equal((await second)?.[0], "index_busy");
  deepEqual(place.sent(), ["text 1", "text 2", "text 3"]);
});

Deno.test("the progress is reported while a run waits for the last answers", async () => {
  await using place = await RemotePlace.open(numbered(12));
  const waiting: (() => void)[] = [];
  place.server.rule = ({ input }) => {
    if (input.length === 1) return undefined;
    // the three batches are answered when the last one has come
    return new Promise((resolve) => {
      waiting.push(() => resolve(undefined));
      if (waiting.length === 3) waiting.forEach((answer) => answer());
    });
  };
  const told: (number | undefined)[][] = [];
  const onProgress = ({ step, chunks, embedded, toEmbed }: IngestProgress) => {
    if (step === "read" && chunks === 12) told.push([embedded, toEmbed]);
  };
  await place.ingest({ embedding: { concurrency: 3 } }, { onProgress, spellMs: Infinity });
  deepEqual(told, [[4, 12], [8, 12], [12, 12]]);
});

Deno.test("the progress counts only texts that are sent to the server", async () => {
  await using place = await RemotePlace.open(numbered(12));
  place.server.faults.push(undefined, undefined, { status: 500 });
  await place.failure({ embedding: { concurrency: 1 } });
  place.place.write({ "13.txt": "text 5", "14.txt": "text 14" });
  const told: (number | undefined)[][] = [];
  const onProgress = ({ step, embedded, toEmbed }: IngestProgress) => {
    if (step === "done") told.push([embedded, toEmbed]);
  };
  await place.ingest({}, { onProgress });
  deepEqual(told, [[9, 9]]);
});

Deno.test("no file, log or error contains the API key", async () => {
  await using place = await RemotePlace.open(numbered(6));
  const key = "sk-hush-0123456789";
  const lines: string[] = [];
  const log = Object.fromEntries(
    ["debug", "info", "warning", "error"].map((
      level,
    ) => [level, (...words: unknown[]) => lines.push(JSON.stringify(words))]),
  );
  Object.assign(place.place.context, { log: { ...place.place.context.log, ...log } });
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
  deepEqual([...seen, ...files(), ...lines].filter((text) => text.includes("hush")), []);
  ok(lines.length > 1);
});

Deno.test("the vectors of a file that is to be embedded again are requested anew, and no others", async () => {
  await using place = await RemotePlace.open(numbered(4));
  await place.ingest();
  const texts = place.sent();
  const [path] = Object.keys(numbered(4));
  place.server.version = "2";
  const { written, unchanged } = await place.ingest({}, { again: new Set([path!]) });
  deepEqual([written, unchanged], [true, 4]);
  deepEqual(place.sent(), [texts[0]]);
  deepEqual(place.caches(), []);
  // The next run finds nothing to do.
  equal((await place.ingest()).written, false);
});
