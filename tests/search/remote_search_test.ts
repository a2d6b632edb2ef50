import { deepEqual, equal, match, ok } from "node:assert/strict";
import { ingest } from "../../lib/ingest/mod.ts";
import { indexPath } from "../../lib/store/data_folder.ts";
import { folderStore } from "../../lib/store/mod.ts";
import { openLibrary, type SearchAnswer, type SearchRequest } from "../../lib/search/mod.ts";
import { vectorOf } from "../embedding/_embedding_server.ts";
import { type Changes, numbered, RemotePlace } from "../ingest/_remote_place.ts";
import { assertUserError } from "../sandbox/helpers.ts";
import { KEY } from "../index/_blob_forge.ts";

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

/** Searches in a newly opened library. */
async function ask(place: RemotePlace, request: SearchRequest, changes: Changes = {}): Promise<SearchAnswer> {
  const library = openLibrary([place.root], await place.config(changes), { key: KEY });
  try {
    return await library.search(request);
  } finally {
    library.close();
  }
}

const textsOf = ({ hits }: SearchAnswer) => hits.map(({ content }) => content);

/** The texts whose vectors are near the question's, nearest first. */
function nearest(question: string, texts: readonly string[] = TEXTS, version = ""): string[] {
  const asked = vectorOf(version + question);
  const cosine = (text: string) =>
    vectorOf(version + text).reduce((sum, value, i) => sum + value * asked[i]!, 0);
  return texts.filter((text) => cosine(text) > 0).sort((a, b) => cosine(b) - cosine(a));
}

Deno.test("semantic: the chunks nearest to the question, by the vectors of the server", async () => {
  await using place = await indexed();
  const answer = await ask(place, { query: STRANGE, mode: "semantic" });
  ok(nearest(STRANGE).length > 3);
  deepEqual([textsOf(answer), answer.notices], [nearest(STRANGE), []]);
});

Deno.test("hybrid returns hits that only vectors find, and ranks hits of both legs first", async () => {
  await using place = await indexed();
  deepEqual(textsOf(await ask(place, { query: STRANGE })), nearest(STRANGE));

  const query = "7";
  const vectors = nearest(query).map((text, at) => [text, 0.6 / (61 + at)] as const);
  const fused = new Map(vectors);
  fused.set("text 7", (fused.get("text 7") ?? 0) + 0.4 / 61);
  const wanted = [...fused].sort(([, a], [, b]) => b - a).map(([text]) => text);
  const answer = await ask(place, { query });
  deepEqual([textsOf(answer), answer.notices], [wanted.slice(0, 10), []]);
});

Deno.test("without the server, hybrid uses keywords with a notice in both languages", async () => {
  await using place = await indexed();
  const keyword = textsOf(await ask(place, { query: "text 7", mode: "keyword" }));
  await place.server.stop();
  const { url } = place.server;
  const en = await ask(place, { query: "text 7" });
  deepEqual([textsOf(en), en.notices], [keyword, [
    "The embedding server did not answer, so only keywords were searched: " +
    `Nothing answers at ${url} (connection refused). Start the embedding server (in LM Studio: Local Server), ` +
    "or check embedding.base_url",
  ]]);
  const zh = await ask(place, { query: "text 7" }, { language: "zh" });
  deepEqual([textsOf(zh), zh.notices], [keyword, [
    `语义向量服务未能回答，仅按关键词检索：${url} 没有服务在运行（连接被拒绝）。` +
    "请启动向量服务（如 LM Studio 的 Local Server），或检查 embedding.base_url",
  ]]);
  await assertUserError(() => ask(place, { query: "text 7", mode: "semantic" }), "embedding_refused");
  deepEqual((await ask(place, { query: "text 7", mode: "keyword" })).notices, []);
});

Deno.test("after two seconds without an answer of the server, the search uses keywords", async () => {
  await using place = await indexed();
  place.server.rule = () => "hang";
  const answer = await ask(place, { query: "text 7" });
  deepEqual([textsOf(answer).length, answer.notices], [10, [
    "The embedding server did not answer, so only keywords were searched: " +
    "the embedding server did not answer within 2 s",
  ]]);
  ok(answer.seconds >= 2 && answer.seconds < 3, String(answer.seconds));
});

Deno.test("a server fault is reported at once in the server's words, and the next search asks the server again", async () => {
  await using place = await indexed();
  const library = openLibrary([place.root], await place.config({ embedding: { "max_retries": 3 } }), {
    key: KEY,
  });
  const notice = async () => {
    const { hits, notices, seconds } = await library.search({ query: "text 7" });
    ok(hits.length > 0 && seconds < 1.5, String(seconds));
    return notices[0] ?? "";
  };
  place.server.rule = () => ({ status: 429, headers: { "retry-after": "60" }, body: { error: "slow down" } });
  match(await notice(), /so only keywords were searched: .* limits the rate of requests: slow down/);
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
  library.close();
});

Deno.test("a question that the server refuses is answered by keywords, too", async () => {
  await using place = await indexed();
  place.server.rule = ({ input }) =>
    input.some((text) => text.includes("7")) ? { status: 400, body: { error: "inappropriate" } } : undefined;
  const { hits, notices } = await ask(place, { query: "text 7" });
  deepEqual([hits.length, notices], [10, [
    "The embedding server did not answer, so only keywords were searched: " +
    `${place.server.url} rejected the request (HTTP 400): inappropriate`,
  ]]);
});

Deno.test("a question is sent once, however often it is asked; by keywords not at all", async () => {
  await using place = await indexed();
  const library = openLibrary([place.root], await place.config(), { key: KEY });
  place.sent();
  await library.search({ query: "text 7", mode: "keyword" });
  deepEqual(place.sent(), []);
  const first = textsOf(await library.search({ query: "text 7" }));
  await library.search({ query: "text 8", mode: "semantic" });
  deepEqual(textsOf(await library.search({ query: "text 7", topK: 10 })), first);
  await library.search({ query: "text 7", mode: "semantic" });
  deepEqual(place.sent(), ["text 7", "text 8"]);
  library.close();
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

/** A place with two folders in it, whose vectors are of two models with as many numbers. */
async function twoModels(): Promise<{ place: RemotePlace; here: string; there: string }> {
  const place = await RemotePlace.open();
  const folder = async (name: string, files: Record<string, string>, changes: Changes) => {
    place.place.write(
      Object.fromEntries(Object.entries(files).map(([file, text]) => [`${name}/${file}`, text])),
    );
    await ingest(place.place.at(name), await place.config(changes), place.place.context);
    return place.place.at(name);
  };
  return {
    place,
    here: await folder("here", numbered(6), {}),
    there: await folder("there", numbered(6, 7), { embedding: { model: "other" } }),
  };
}

Deno.test("a folder with vectors of another model is searched by keywords, and the answer says so", async () => {
  const { place, here, there } = await twoModels();
  await using _ = place;
  const library = openLibrary([here, there], await place.config(), { key: KEY });
  const ours = nearest(STRANGE, Object.values(numbered(6)));
  ok(nearest(STRANGE).length > ours.length && ours.length > 0);
  const notices = [
    `The vectors of ${there} come from another model, so only keywords were searched there. Index the folder again`,
  ];
  for (const mode of ["semantic", "hybrid"] as const) {
    const answer = await library.search({ query: STRANGE, mode });
    deepEqual([textsOf(answer), answer.notices], [ours, notices], mode);
  }
  const words = await library.search({ query: "7" });
  ok(textsOf(words).includes("text 7"));
  deepEqual(textsOf(words).filter((text) => Number(text.slice(5)) > 7), []);
  await assertUserError(
    () => library.search({ query: "7", mode: "semantic", dirPath: there }),
    "mode_without_vectors",
  );
  library.close();
});

Deno.test("vectors of a server and those of the built-in table are not compared, whatever their length", async () => {
  await using place = await RemotePlace.open({ "a.txt": "the cat sat on the mat" });
  await place.ingest({ embedding: { dimensions: 100 } });
  const builtin = { embedding: { provider: "builtin" } } as const;
  const { hits, notices } = await ask(place, { query: "kitten" }, builtin);
  deepEqual([hits, notices.length], [[], 1]);
  await place.ingest(builtin);
  const other = await ask(place, { query: "kitten" }, { embedding: { dimensions: 100 } });
  deepEqual([other.hits, other.notices.length], [[], 1]);
});

Deno.test("while another model embeds the folder, and after it, an open library answers", async () => {
  await using place = await indexed();
  const library = openLibrary([place.root], await place.config(), { key: KEY });
  const before = textsOf(await library.search({ query: STRANGE, mode: "semantic" }));
  const other = { embedding: { model: "other" } };
  const [begun, searched] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  place.server.rule = ({ model, input }) => {
    if (model !== "other" || input.length === 1) return undefined;
    begun.resolve(undefined);
    return searched.promise;
  };
  const run = place.ingest(other);
  await begun.promise;
  deepEqual(textsOf(await library.search({ query: STRANGE, mode: "semantic" })), before);
  deepEqual(textsOf(await library.search({ query: "text", mode: "semantic" })), nearest("text"));
  searched.resolve(undefined);
  await run;

  const { hits, notices } = await library.search({ query: "text 7" });
  deepEqual([hits.length, notices], [10, [
    "The index has no vectors of the configured model, so only keywords were searched. Index the folder again",
  ]]);
  await assertUserError(() => library.search({ query: STRANGE, mode: "semantic" }), "mode_without_vectors");
  library.close();
  deepEqual(textsOf(await ask(place, { query: STRANGE, mode: "semantic" }, other)), before);
});

Deno.test("when the model has changed behind its name, an open library has questions embedded by the new one", async () => {
  await using place = await indexed();
  const library = openLibrary([place.root], await place.config(), { key: KEY });
  const search = async () => textsOf(await library.search({ query: STRANGE, mode: "semantic" }));
  const before = await search();
  place.server.version = "2 ";
  deepEqual(await search(), before);
  await place.ingest({}, { full: true, fresh: true });
  const after = await search();
  deepEqual(after, nearest(STRANGE, TEXTS, "2 "));
  ok(after.join() !== before.join());
  library.close();
});

Deno.test("when the model behind its name gives more numbers, an open library answers by meaning after the next index", async () => {
  await using place = await indexed();
  const library = openLibrary([place.root], await place.config(), { key: KEY });
  const ask = async (query: string) => {
    const { hits, notices } = await library.search({ query, mode: "hybrid" });
    return [hits.length > 0, notices.length];
  };
  deepEqual(await ask(STRANGE), [true, 0]);
  place.server.dimensions = 16;
  deepEqual(await ask("text 7"), [true, 1]);
  await place.ingest({}, { full: true, fresh: true });
  for (const query of [STRANGE, "text 7", "text 8"]) deepEqual(await ask(query), [true, 0], query);
  library.close();
});

Deno.test("vectors that come after a question was sent nowhere are not compared with it, and the answer says so", async () => {
  await using place = await indexed({ embedding: { provider: "none" } });
  const [without, path] = [Deno.readFileSync(indexPath(place.root)), indexPath(place.root)];
  await place.ingest();
  Deno.renameSync(path, `${path}.ours`);
  for (const mode of ["hybrid", "semantic"] as const) {
    Deno.writeFileSync(path, without);
    let asked = 0;
    const storeOf = (root: string) => {
      const store = folderStore(root, KEY);
      const version = store.version.bind(store);
      // At the second question for the version, the question's vector has been seen to.
      store.version = () => {
        if (++asked === 2) Deno.copyFileSync(`${path}.ours`, path);
        return version();
      };
      return store;
    };
    const library = openLibrary([place.root], await place.config(), { key: KEY, storeOf });
    place.sent();
    const search = library.search({ query: "text 7", mode });
    if (mode === "semantic") await assertUserError(() => search, "mode_without_vectors");
    else {
      deepEqual((await search).notices, [
        "The index has no vectors of the configured model, so only keywords were searched. Index the folder again",
      ]);
    }
    deepEqual([asked, place.sent()], [2, []]);
    deepEqual((await library.search({ query: "text 7", mode })).notices, []);
    library.close();
  }
});

Deno.test("a server that changes the dimensions of its vectors is reported", async () => {
  await using place = await indexed();
  place.server.dimensions = 16;
  const { hits, notices } = await ask(place, { query: "text 7" });
  deepEqual([hits.length, notices], [10, [
    "The embedding server did not answer, so only keywords were searched: " +
    "The vectors of the model test-embed have 16 dimensions instead of 8. " +
    "Check embedding.dimensions, and whether the model on the server has changed",
  ]]);
  await assertUserError(
    () => ask(place, { query: "text 7", mode: "semantic" }),
    "embedding_wrong_dimensions",
  );
});

Deno.test("a search that is given up ends with the reason of its signal, not when the server answers", async () => {
  await using place = await indexed();
  const library = openLibrary([place.root], await place.config(), { key: KEY });
  const reason = new Error("enough");
  const controller = new AbortController();
  place.server.rule = () => {
    controller.abort(reason);
    return "hang";
  };
  equal(await library.search({ query: "text 7" }, controller.signal).catch((error) => error), reason);
  library.close();
});
