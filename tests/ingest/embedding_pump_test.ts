import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { createHash } from "node:crypto";
import { createRemoteProvider, EmbeddingFailure } from "../../lib/embedding/mod.ts";
import { EmbeddingPump, type EmbedItem, type EmbedProgress } from "../../lib/ingest/embedding_pump.ts";
import { VectorCache } from "../../lib/store/mod.ts";
import { EmbeddingServer, vectorOf } from "../embedding/_embedding_server.ts";
import { TempDir } from "../sandbox/helpers.ts";
import { KEY } from "../index/_blob_forge.ts";

const item = (text: string): EmbedItem => ({ hash: createHash("sha256").update(text).digest(), text });
const TEXTS = Array.from({ length: 100 }, (_, at) => `text ${at}`);

/** A server, a folder with a cache, and a function that runs a pump. */
async function place(config: Parameters<EmbeddingServer["config"]>[0] = {}) {
  const server = await EmbeddingServer.start();
  const dir = new TempDir();
  Deno.mkdirSync(dir.at(".muxue_rag"));
  return {
    server,
    /** Runs a pump with a new provider and a newly opened cache. */
    async run(texts: readonly string[], signal?: AbortSignal): Promise<EmbedProgress> {
      const provider = createRemoteProvider(server.config({ "max_retries": 0, ...config }));
      using cache = VectorCache.open(dir.path, provider.id, KEY);
      await using pump = new EmbeddingPump({ provider, cache, batchSize: 8, concurrency: 3, signal });
      for (const text of texts) await pump.add(item(text));
      return await pump.finish();
    },
    cache(): VectorCache {
      return VectorCache.open(dir.path, createRemoteProvider(server.config(config)).id, KEY);
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      dir[Symbol.dispose]();
    },
  };
}

/** Every text has its own vector in the cache. */
function isComplete({ cache }: Awaited<ReturnType<typeof place>>, texts: readonly string[]): void {
  using opened = cache();
  for (const text of texts) {
    const vector = opened.get(item(text).hash);
    ok(vector !== undefined, text);
    ok(vectorOf(text).every((value, i) => Math.abs(value - vector[i]!) < 1e-6), text);
  }
}

Deno.test("EmbeddingPump embeds every text with as many requests at once as allowed", async () => {
  await using work = await place();
  work.server.delayMs = 20;
  const { requests } = work.server;
  let waiting: (() => void)[] = [];
  // every request waits until there are three, or until it is the last
  work.server.rule = () =>
    new Promise((resolve) => {
      waiting.push(() => resolve(undefined));
      if (waiting.length < 3 && requests.length < 13) return;
      waiting.forEach((answer) => answer());
      waiting = [];
    });
  deepEqual(await work.run(TEXTS), { embedded: 100, reused: 0, refused: 0 });
  equal(requests.length, 13);
  ok(work.server.concurrent <= 3, String(work.server.concurrent));
  isComplete(work, TEXTS);
});

Deno.test("EmbeddingPump embeds a text once, in one run and in the next", async () => {
  await using work = await place();
  deepEqual(await work.run(["a", "b", "a", "a"]), { embedded: 2, reused: 2, refused: 0 });
  deepEqual(await work.run(["a", "c", "b"]), { embedded: 1, reused: 2, refused: 0 });
  deepEqual(work.server.texts(), ["a", "b", "c"]);
});

Deno.test("EmbeddingPump keeps the vectors that came before a fault, and the next run sends the rest", async () => {
  const faults = [
    ["cut", "embedding_cut_off"],
    ["cut in the answer", "embedding_cut_off"],
    ["one too few", "embedding_wrong_count"],
    ["wrong dimension", "embedding_wrong_dimensions"],
    [{ status: 500, body: { error: "broken" } }, "embedding_server_error"],
    [{ status: 429, body: { error: "slow down" } }, "embedding_rate_limited"],
    [{ status: 401 }, "embedding_key_missing"],
  ] as const;
  for (const [fault, key] of faults) {
    await using work = await place();
    work.server.rule = () => work.server.requests.length > 5 ? fault : undefined;
    const error = await work.run(TEXTS).then(() => undefined, (error) => error);
    equal(error?.key, key);
    work.server.rule = () => undefined;
    const before = work.server.texts().length;
    deepEqual(await work.run(TEXTS), { embedded: 60, reused: 40, refused: 0 });
    equal(work.server.texts().length - before, 60);
    isComplete(work, TEXTS);
  }
});

Deno.test("EmbeddingPump continues when a server is back that stopped half-way", async () => {
  await using work = await place();
  const { port } = work.server;
  const dying = work.server;
  let requests = 0;
  dying.rule = () => {
    if (++requests === 6) void dying.stop();
    return requests >= 6 ? "cut" : undefined;
  };
  const error = await work.run(TEXTS).then(() => undefined, (error) => error);
  ok(error instanceof EmbeddingFailure, String(error));
  ok(["embedding_cut_off", "embedding_refused"].includes(error.key), error.key);
  await using back = await EmbeddingServer.start({ port });
  equal((await work.run(TEXTS)).reused, 40);
  equal(back.texts().length, 60);
  isComplete(work, TEXTS);
});

Deno.test("an aborted EmbeddingPump keeps the vectors that came, and throws the reason of its signal", async () => {
  await using work = await place();
  const controller = new AbortController();
  const reason = new Error("enough");
  work.server.rule = () => {
    if (work.server.requests.length < 5) return undefined;
    controller.abort(reason);
    return "hang";
  };
  await rejects(work.run(TEXTS, controller.signal), reason);
  work.server.rule = () => undefined;
  const { embedded, reused } = await work.run(TEXTS);
  equal(embedded + reused, 100);
  ok(reused >= 8 && reused <= 32, String(reused));
});

Deno.test("EmbeddingPump.add() waits while enough requests are under way, and reports progress", async () => {
  await using work = await place();
  work.server.delayMs = 30;
  using cache = work.cache();
  const told: number[] = [];
  const provider = createRemoteProvider(work.server.config());
  await using pump = new EmbeddingPump({
    provider,
    cache,
    batchSize: 2,
    concurrency: 1,
    onProgress: ({ embedded }) => told.push(embedded),
  });
  for (const text of ["a", "b", "c"]) await pump.add(item(text));
  equal(work.server.requests.length <= 1, true);
  await pump.add(item("d"));
  deepEqual(told, [2], "the second request waits for the first");
  await pump.add(item("e"));
  deepEqual(await pump.finish(), { embedded: 5, reused: 0, refused: 0 });
  deepEqual(told, [2, 4, 5]);
});

Deno.test("EmbeddingPump counts the texts that the server rejects", async () => {
  await using work = await place();
  work.server.rule = ({ input }) =>
    input.includes("bad") ? { status: 400, body: { error: "no" } } : undefined;
  deepEqual(await work.run(["a", "bad", "b"]), { embedded: 3, reused: 0, refused: 1 });
});
