import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { UserError } from "#foundation/errors.ts";
import type { Library, SearchAnswer, SearchRequest } from "#library/search/mod.ts";
import { config, Place, storeAt } from "../ingest/_place.ts";
import { startSession } from "../../server/_session.ts";
import { RoundTrips } from "../store/_round_trips.ts";
import { assertUserError } from "../../foundation/boundary/helpers.ts";

const FILES = {
  "bridges.md": "# Bridges\n\nThe harbour bridge was opened in 2008 by the mayor.\n",
  "tea.md": "# Tea\n\nGreen tea is brewed with water of eighty degrees.\n",
  "桥.md": "# 大桥\n\n海港大桥于 2008 年通车。\n",
};

const REQUESTS: readonly SearchRequest[] = [
  { query: "harbour bridge opened" },
  { query: "harbour bridge", mode: "keyword", marks: true },
  { query: "大桥" },
  { query: "harbor brigde", explain: true },
];

/** A library of a folder whose store is behind a network. */
async function remote(place: Place, more: readonly string[] = []): Promise<[Library, RoundTrips]> {
  const trips = new RoundTrips();
  const library = await place.library({
    roots: [place.root, ...more],
    config: await config(),
    storeOf: (root) => root === place.root ? trips.storeOf(storeAt(root)) : storeAt(root),
  });
  return [library, trips];
}

function unavailable(): UserError {
  return new UserError("store_unavailable", { address: "db:5432/team", reason: "connection refused" });
}

const timeless = (answer: SearchAnswer) => ({ ...answer, seconds: 0 });

Deno.test("a call that fails ends the search with its error, whichever it is, and the next search is right", async () => {
  using place = await Place.indexed(FILES);
  const [library, trips] = await remote(place);
  for (const request of REQUESTS) {
    const expected = timeless(await library.search(request));
    trips.begin();
    await library.search(request);
    const calls = trips.trips.flat().length;
    ok(calls > 5, `${calls} calls`);
    for (let failing = 0; failing < calls; failing++) {
      let call = 0;
      trips.before = () => {
        if (call++ === failing) throw unavailable();
      };
      const answer = await library.search(request).catch((error) => error as UserError);
      trips.before = () => {};
      // The suggestions of other words are left out where a search has its hits.
      if (answer instanceof Error) equal(answer.key, "store_unavailable");
      else deepEqual(timeless(answer), expected);
      deepEqual(timeless(await library.search(request)), expected, `after call ${failing}`);
    }
  }
});

Deno.test("a store that cannot be reached is not asked again in a search, and keeps its open index", async () => {
  using place = await Place.indexed(FILES);
  const [library, trips] = await remote(place);
  await library.search({ query: "bridge" });
  trips.begin();
  trips.before = (name) => {
    if (name === "store.version") throw unavailable();
  };
  await assertUserError(() => library.search({ query: "bridge" }), "store_unavailable");
  deepEqual(trips.trips.flat(), ["paths"]);
  trips.before = (name) => {
    if (name === "store.open") throw new Error("the index is opened again");
  };
  equal((await library.search({ query: "bridge" })).hits.length, 2);
});

Deno.test("other folders answer, and the answer names the one whose store cannot be reached", async () => {
  using place = await Place.indexed(FILES);
  using other = await Place.indexed({ "ferry.md": "The ferry passes below the bridge." });
  const [library, trips] = await remote(place, [other.root]);
  trips.before = () => {
    throw unavailable();
  };
  const { hits, notices } = await library.search({ query: "bridge" });
  deepEqual(hits.map(({ filePath }) => filePath), [other.at("ferry.md")]);
  ok(notices[0]!.startsWith(`${place.root} was not searched: The database db:5432/team cannot be reached`));
});

Deno.test("lists, chunks and Why not say that a store cannot be reached, not that it has nothing", async () => {
  using place = await Place.indexed(FILES);
  const [library, trips] = await remote(place);
  const { hits: [hit] } = await library.search({ query: "bridge" });
  const catalog = await library.catalog();
  trips.before = () => {
    throw unavailable();
  };
  const asks = [
    () => catalog.collections(),
    () => catalog.documents({}, 0, 10),
    () => catalog.document(hit!.filePath, 0, 10),
    () => catalog.relations(hit!.filePath),
    () => catalog.chunkContext(hit!.chunkId, 1, 1),
    () => library.whyNot({ search: { query: "bridge" }, text: "The harbour bridge was opened" }),
  ];
  for (const ask of asks) await assertUserError(ask, "store_unavailable");
});

Deno.test("a cancelled search asks nothing more, at every place where it waits", async () => {
  using place = await Place.indexed(FILES);
  const [library, trips] = await remote(place);
  await library.search(REQUESTS[0]!);
  trips.begin();
  await library.search(REQUESTS[0]!);
  const { depth } = trips;
  for (let last = 1; last < depth; last++) {
    const controller = new AbortController();
    trips.begin();
    trips.began = (trip) => {
      // The signal comes while the calls of that trip are under way.
      if (trip === last) setTimeout(() => controller.abort(new Error("cancelled")));
    };
    await rejects(library.search(REQUESTS[0]!, controller.signal), { message: "cancelled" });
    await new Promise((resolve) => setTimeout(resolve, 20));
    equal(trips.depth, last, String(trips));
  }
});

Deno.test("each tool says that a store cannot be reached, and answers again when it can", async () => {
  using place = await Place.indexed(FILES);
  const [library, trips] = await remote(place);
  const { hits: [hit] } = await library.search({ query: "bridge" });
  await using session = await startSession({ library });
  const calls: readonly [tool: string, args: Record<string, unknown>][] = [
    ["search_rag", { keyword: "bridge" }],
    ["query_knowledge_hub", { query: "bridge" }],
    ["search_by_keyword", { query: "bridge" }],
    ["explain_search", { keyword: "bridge" }],
    ["get_chunk_context", { chunk_id: hit!.chunkId }],
    ["list_documents", {}],
    ["list_collections", {}],
  ];
  trips.before = () => {
    throw unavailable();
  };
  for (const [tool, args] of calls) {
    const { structuredContent: { code, message } } = await session.call(tool, args);
    equal(code, 500, tool);
    ok(message.includes("The database db:5432/team cannot be reached: connection refused. Check"), message);
  }
  trips.before = () => {};
  for (const [tool, args] of calls) {
    equal((await session.call(tool, args)).structuredContent.code, 200, tool);
  }
});

Deno.test("a cancelled call of a tool asks the store nothing more", async () => {
  using place = await Place.indexed(FILES);
  const [library, trips] = await remote(place);
  await library.search({ query: "bridge" });
  await using session = await startSession({ library });
  trips.begin();
  trips.ms = 100;
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  trips.before = (name) => {
    if (name === "index.byTerms") resolve();
  };
  const params = { name: "search_rag", arguments: { keyword: "bridge" } };
  await session.send({ jsonrpc: "2.0", id: 70, method: "tools/call", params });
  await asked;
  await session.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 70 } });
  deepEqual(await session.heard(), []);
  await new Promise((resolve) => setTimeout(resolve, 300));
  equal(trips.trips.at(-1)!.includes("byTerms"), true, String(trips));
});
