import { deepEqual, equal, match, ok } from "node:assert/strict";
import { serverModels } from "#models/embedding/mod.ts";
import type { Library, SearchAnswer, SearchRequest } from "#library/search/mod.ts";
import { vectorOf } from "../../models/embedding/_embedding_server.ts";
import { type Changes, numbered, RemotePlace } from "../ingest/_remote_place.ts";

/** Twelve files without common words. */
const FILES = numbered(12);
const TEXTS = Object.values(FILES);
/** A question that shares no word with any file. */
const STRANGE = "zebra";

async function indexed(changes: Changes = {}): Promise<RemotePlace> {
  const place = await RemotePlace.open(FILES);
  await place.ingest(changes);
  return place;
}

/** Opens a library of the place that asks the server. */
async function open(place: RemotePlace, changes: Changes = {}): Promise<Library> {
  const config = await place.config(changes);
  return await place.place.library({ config, models: serverModels(config.embedding) });
}

/** Searches in a newly opened library. */
async function ask(place: RemotePlace, request: SearchRequest, changes: Changes = {}): Promise<SearchAnswer> {
  return await (await open(place, changes)).search(request);
}

const textsOf = ({ hits }: SearchAnswer) => hits.map(({ content }) => content);

/** The texts whose vectors are near the question's, nearest first. */
function nearest(question: string, texts: readonly string[] = TEXTS, version = ""): string[] {
  const asked = vectorOf(version + question);
  const cosine = (text: string) =>
    vectorOf(version + text).reduce((sum, value, i) => sum + value * asked[i]!, 0);
  return texts.filter((text) => cosine(text) > 0).sort((a, b) => cosine(b) - cosine(a));
}

/** The first texts of an answer, as many as are near the question. */
const first = (answer: SearchAnswer, near: readonly string[]) => textsOf(answer).slice(0, near.length);

Deno.test("semantic: the chunks nearest to the question, by the vectors of the server", async () => {
  await using place = await indexed();
  const answer = await ask(place, { query: STRANGE, mode: "semantic" });
  ok(nearest(STRANGE).length > 3);
  deepEqual([first(answer, nearest(STRANGE)), answer.notices], [nearest(STRANGE), []]);
});

Deno.test("hybrid returns hits that only vectors find, and ranks hits of both legs first", async () => {
  await using place = await indexed();
  const strange = await ask(place, { query: STRANGE });
  deepEqual(textsOf(strange).slice(0, 1), nearest(STRANGE).slice(0, 1));
  const answer = await ask(place, { query: "text 7" });
  deepEqual([textsOf(answer)[0], answer.notices], ["text 7", []]);
});

Deno.test("without the server, every mode uses keywords and the built-in vectors, with a notice in both languages", async () => {
  await using place = await indexed();
  const builtin = { embedding: { provider: "builtin" } } as const;
  await place.server.stop();
  const { url } = place.server;
  for (const mode of ["hybrid", "semantic"] as const) {
    const without = textsOf(await ask(place, { query: "text 7", mode }, builtin));
    const en = await ask(place, { query: "text 7", mode });
    ok(without.length > 0);
    deepEqual([textsOf(en), en.notices], [without, [
      "The embedding server did not answer, so keywords and the built-in word vectors were searched: " +
      `Nothing answers at ${url} (connection refused). Start the embedding server (in LM Studio: Local Server), ` +
      "or check embedding.base_url",
    ]]);
    const zh = await ask(place, { query: "text 7", mode }, { language: "zh" });
    deepEqual([textsOf(zh), zh.notices], [without, [
      `语义向量服务未能回答，按关键词和内置词向量检索：${url} 没有服务在运行（连接被拒绝）。` +
      "请启动向量服务（如 LM Studio 的 Local Server），或检查 embedding.base_url",
    ]]);
  }
  deepEqual((await ask(place, { query: "text 7", mode: "keyword" })).notices, []);
});

Deno.test("while vectors of the server are missing, the others count and a notice tells their share", async () => {
  await using place = await indexed();
  place.place.write(numbered(4, 13));
  await place.index();
  const answer = await ask(place, { query: STRANGE, mode: "semantic" });
  equal(textsOf(answer)[0], nearest(STRANGE)[0]);
  match(
    answer.notices.join(),
    /^Vectors of the embedding server: 75 %\. Other chunks are ranked by keywords .* run: muxue_rag index /,
  );
  await place.embed();
  deepEqual((await ask(place, { query: STRANGE, mode: "semantic" })).notices, []);
});

Deno.test("nothing is sent to the server before it has given vectors", async () => {
  await using place = await RemotePlace.open(FILES);
  await place.index();
  const { hits, notices } = await ask(place, { query: "text 7" });
  ok(hits.length > 0);
  match(notices.join(), /^Vectors of the embedding server: 0 %/);
  deepEqual(place.server.requests, []);
});

Deno.test("after two seconds without an answer of the server, the search goes on without", async () => {
  await using place = await indexed();
  place.server.rule = () => "hang";
  const answer = await ask(place, { query: "text 7" });
  deepEqual([textsOf(answer).length, answer.notices], [10, [
    "The embedding server did not answer, so keywords and the built-in word vectors were searched: " +
    "the embedding server did not answer within 2 s",
  ]]);
  ok(answer.seconds >= 2 && answer.seconds < 3, String(answer.seconds));
});

Deno.test("a server fault is reported at once in the server's words, and the next search asks the server again", async () => {
  await using place = await indexed();
  const library = await open(place, { embedding: { "max_retries": 3 } });
  const notice = async () => {
    const { hits, notices, seconds } = await library.search({ query: "text 7" });
    ok(hits.length > 0 && seconds < 1.5, String(seconds));
    return notices[0] ?? "";
  };
  place.server.rule = () => ({ status: 429, headers: { "retry-after": "60" }, body: { error: "slow down" } });
  match(
    await notice(),
    /so keywords and the built-in word vectors were searched: .* limits the rate of requests: slow down/,
  );
  place.server.rule = () => ({ status: 500, body: { error: "broken" } });
  match(await notice(), /failed \(HTTP 500\): broken/);
  place.server.rule = () => "cut";
  match(await notice(), /closed the connection/);
  place.server.rule = () => "NaN";
  match(await notice(), /vectors with invalid numbers/);
  place.server.rule = () => undefined;
  equal(await notice(), "");
  await place.server.stop();
  equal(await notice(), "", "this question has been answered");
  const { notices } = await library.search({ query: "text 8" });
  match(notices[0]!, /Nothing answers at/);
});

Deno.test("a question that the server refuses is answered without its vector", async () => {
  await using place = await indexed();
  place.server.rule = ({ input }) =>
    input.some((text) => text.includes("7")) ? { status: 400, body: { error: "inappropriate" } } : undefined;
  const { hits, notices } = await ask(place, { query: "text 7" });
  deepEqual([hits.length, notices], [10, [
    "The embedding server did not answer, so keywords and the built-in word vectors were searched: " +
    `${place.server.url} rejected the request (HTTP 400): inappropriate`,
  ]]);
});

Deno.test("a question is sent once, however often it is asked; by keywords not at all", async () => {
  await using place = await indexed();
  const library = await open(place);
  place.sent();
  await library.search({ query: "text 7", mode: "keyword" });
  deepEqual(place.sent(), []);
  const first = textsOf(await library.search({ query: "text 7" }));
  await library.search({ query: "text 8", mode: "semantic" });
  deepEqual(textsOf(await library.search({ query: "text 7", topK: 10 })), first);
  await library.search({ query: "text 7", mode: "semantic" });
  deepEqual(place.sent(), ["text 7", "text 8"]);
});

Deno.test("a question begins with the model's instruction or the configured one", async () => {
  const retrieve = "Given a web search query, retrieve relevant passages that answer the query";
  const prefixes: [Changes, string][] = [
    [{ embedding: { model: "qwen3-embedding-4b" } }, `Instruct: ${retrieve}\nQuery:`],
    [{ embedding: { model: "multilingual-e5-large" } }, "query: "],
    [{ embedding: { model: "bge-m3" } }, ""],
    [{ embedding: { model: "bge-m3", "query_prefix": "who asks: " } }, "who asks: "],
  ];
  for (const [changes, prefix] of prefixes) {
    await using place = await indexed(changes);
    place.sent();
    await ask(place, { query: "apple pie" }, changes);
    deepEqual(place.sent(), [`${prefix}apple pie`]);
  }
});

Deno.test("when the model has changed behind its name, an open library has questions embedded by the new one", async () => {
  await using place = await indexed();
  const library = await open(place);
  const near = (version: string) => nearest(STRANGE, TEXTS, version);
  const search = async (version: string) =>
    first(await library.search({ query: STRANGE, mode: "semantic" }), near(version));
  const before = await search("");
  place.server.version = "2 ";
  deepEqual(await search(""), before);
  await place.ingest({}, { fresh: true });
  const after = await search("2 ");
  deepEqual(after, near("2 "));
  ok(after.join() !== before.join());
});

Deno.test("when the model behind its name gives more numbers, an open library answers by meaning after reembed", async () => {
  await using place = await indexed();
  const library = await open(place);
  const ask = async (query: string) => {
    const { hits, notices } = await library.search({ query, mode: "hybrid" });
    return [hits.length > 0, notices.length];
  };
  deepEqual(await ask(STRANGE), [true, 0]);
  place.server.dimensions = 16;
  deepEqual(await ask("text 7"), [true, 1]);
  await place.ingest({}, { fresh: true });
  for (const query of [STRANGE, "text 7", "text 8"]) deepEqual(await ask(query), [true, 0], query);
});

Deno.test("a server that changes the dimensions of its vectors is reported", async () => {
  await using place = await indexed();
  place.server.dimensions = 16;
  const { hits, notices } = await ask(place, { query: "text 7" });
  deepEqual([hits.length, notices], [10, [
    "The embedding server did not answer, so keywords and the built-in word vectors were searched: " +
    "The vectors of the model test-embed have 16 dimensions instead of 8. " +
    "Check embedding.dimensions. If the model on the server has changed, request all vectors again: muxue_rag reembed",
  ]]);
});

Deno.test("a search that is given up ends with the reason of its signal, not when the server answers", async () => {
  await using place = await indexed();
  const library = await open(place);
  const reason = new Error("enough");
  const controller = new AbortController();
  place.server.rule = () => {
    controller.abort(reason);
    return "hang";
  };
  equal(await library.search({ query: "text 7" }, controller.signal).catch((error) => error), reason);
});
