import { deepEqual, equal, ok } from "node:assert/strict";
import { basename } from "node:path";
import type { Candidate, Detail } from "#foundation/span.ts";
import type { SearchRequest } from "#library/search/mod.ts";
import { type SpanRecord, type TraceRecord, Traces } from "#traces/mod.ts";
import { topicModels } from "../../models/embedding/_topic_models.ts";
import { RerankServer } from "../../models/rerank/_rerank_server.ts";
import { makeNeuralVectors } from "#library/ingest/neural/make_neural_vectors.ts";
import { sectionOf } from "../../engine/index/_blob_forge.ts";
import { config, Place, storeAt } from "../ingest/_place.ts";
import { ON_WINDOWS } from "../../_posix.ts";

type Options = Parameters<Place["library"]>[0];

const FILES = {
  "bridges.md": "# Bridges\n\nThe harbour bridge was opened in 2008 by the mayor.\n",
  "tea.md": "# Tea\n\nGreen tea is brewed with water of eighty degrees.\n",
  "roads.md": "# Roads\n\nThe road to the bridge is closed at night.\n",
  "桥.md": "# 大桥\n\n海港大桥于 2008 年通车。\n",
};

/** The trace of a search. */
async function traceOf(
  place: Place,
  request: SearchRequest,
  options: Options = {},
  detail: Detail = "standard",
): Promise<TraceRecord> {
  const traces = new Traces({ dir: null, traces: "ids", detail, maxMb: 1, keep: 1, program: "1.0.0" });
  const library = await place.library({ ...options, traces: () => Promise.resolve(traces) });
  await library.search(request).catch(() => {});
  await traces.flush();
  const [record] = traces.recent();
  return record!;
}

/** A line for each stage: its name below those that it is in, its method, provider and what became of it. */
function outline({ spans }: TraceRecord): string[] {
  const depth = new Map<string, number>();
  return spans.map(({ id, parent, stage, facts, error }) => {
    const level = parent === undefined ? 0 : depth.get(parent)! + 1;
    depth.set(id, level);
    const { method, provider, fallback, reason } = facts;
    const told = Object.entries({ method, provider, fallback, reason, error });
    const known = told.filter(([, value]) => value !== undefined).map(([name, value]) => `${name}=${value}`);
    return `${"  ".repeat(level)}${[stage, ...known].join(" ")}`;
  });
}

function stage({ spans }: TraceRecord, name: string): SpanRecord {
  return spans.find((span) => span.stage === name)!;
}

/** The part of a trace's time in which one of its first stages ran, from 0 to 1. */
function covered({ ms, spans }: TraceRecord): number {
  const parts = spans.filter(({ parent }) => parent === undefined).sort((a, b) => a.from - b.from);
  let sum = 0, until = 0;
  for (const { from, ms } of parts) {
    sum += Math.max(0, from + ms - Math.max(until, from));
    until = Math.max(until, from + ms);
  }
  return sum / ms;
}

const BUILTIN = "builtin/1";

Deno.test("a search has its legs, their fusion, the selection and the passages as stages", async () => {
  using place = await Place.indexed(FILES);
  const record = await traceOf(place, { query: "harbour bridge opened" });
  deepEqual(outline(record), [
    "query_processing method=hybrid",
    "keyword method=bm25",
    `translation method=bm25 provider=${BUILTIN}`,
    `vector method=cosine provider=${BUILTIN}`,
    "fusion method=weighted",
    `  rerank method=maxsim provider=${BUILTIN}`,
    "selection method=per_file_limit",
    "passages",
    "freshness method=rules",
  ]);
  deepEqual([record.kind, record.facts], ["query", {
    method: "hybrid",
    counts: { hits: 3, files: 3, notices: 0 },
    freshness: "unknown",
  }]);
  deepEqual(record.texts, { question: "harbour bridge opened", request: { query: "harbour bridge opened" } });
  deepEqual(stage(record, "query_processing").facts, {
    method: "hybrid",
    collections: ["文档 docs"],
    legs: ["keyword", "translation", "vector", "maxsim", "sentence", "neural"],
    isFiltered: false,
    counts: { folders: 1, indexed: 1, chunks: 4, terms: 3, phrases: 0, excluded: 0, added: 0 },
  });
});

Deno.test("candidates have the ids of their chunks, as the hits have, as many as the detail says", async () => {
  using place = await Place.indexed(FILES);
  const library = await place.library();
  const { hits } = await library.search({ query: "bridge" });
  for (const [detail, most] of [["minimal", 0], ["standard", 20], ["verbose", 200]] as const) {
    const record = await traceOf(place, { query: "bridge" }, {}, detail);
    const listed = (name: string) => stage(record, name).facts.candidates as Candidate[] | undefined;
    if (most === 0) {
      ok(record.spans.every(({ facts }) => facts.candidates === undefined));
      continue;
    }
    const named = hits.map(({ chunkId, filePath, score }, i) => ({
      chunk: chunkId,
      path: filePath,
      score,
      rank: i + 1,
    }));
    deepEqual(listed("fusion")?.slice(0, hits.length), named);
    deepEqual(listed("selection"), named);
    deepEqual(listed("passages"), named.map((one, i) => ({ ...one, degree: hits[i]!.degree })));
    deepEqual(listed("keyword")?.map(({ path, rank }) => [path!.slice(place.root.length + 1), rank]), [
      ["bridges.md", 1],
      ["roads.md", 2],
    ]);
  }
});

Deno.test("a reranker on a server is a stage, with its order or with the reason why the order before stays", async () => {
  await using server = await RerankServer.start("jina");
  using place = await Place.indexed(FILES);
  server.relevance = (passage) => passage.includes("closed") ? 0.9 : 0.1;
  const settings = await config({ rerank: server.config() });
  const asked = { query: "harbour bridge closed 桥" };
  const record = await traceOf(place, asked, { config: settings });
  deepEqual(outline(record).filter((line) => /^(?:fusion|rerank|selection)/.test(line)), [
    "fusion method=weighted",
    "rerank method=remote provider=remote/judge",
    "selection method=per_file_limit",
  ]);
  const { counts, candidates } = record.spans.find(({ stage, parent }) =>
    stage === "rerank" && parent === undefined
  )!.facts as { counts: unknown; candidates: Candidate[] };
  deepEqual(counts, { judged: 3, candidates: 3 });
  deepEqual(candidates.map(({ path, score }) => [basename(path!), score]), [
    ["roads.md", 0.9],
    ["bridges.md", 0.1],
    ["桥.md", 0.1],
  ]);

  server.faults.push("NaN");
  const failed = await traceOf(place, asked, { config: settings });
  deepEqual(outline(failed).filter((line) => line.startsWith("rerank")), [
    "rerank method=remote provider=remote/judge fallback=order_before reason=rerank_not_numbers",
  ]);
});

Deno.test("a model's comparison is a stage, with the share of texts that it knows, or the reason why it was left out", async () => {
  using place = await Place.indexed(FILES);
  const models = topicModels();
  const absent = await traceOf(place, { query: "vehicle on the road" }, { models });
  deepEqual(stage(absent, "neural").facts, {
    method: "embedding",
    provider: "local:en:topics",
    counts: { models: 1, compared: 0 },
    share: 0,
  });
  await makeNeuralVectors(storeAt(place.root), models);
  const record = await traceOf(place, { query: "vehicle on the road" }, { models });
  deepEqual(outline(record).filter((line) => line.startsWith("neural")), [
    "neural method=embedding provider=local:en:topics",
    "neural method=cosine provider=local:en:topics",
  ]);
  equal(stage(record, "neural").facts.share, 1);
  const failing = topicModels();
  const refused = await traceOf(place, { query: "poison" }, { models: failing });
  deepEqual(outline(refused).filter((line) => line.startsWith("neural")), [
    "neural method=embedding provider=local:en:topics fallback=without_model reason=embedding_bad_answer",
  ]);
  const keyword = await traceOf(place, { query: "vehicle", mode: "keyword" }, { models });
  deepEqual(outline(keyword), [
    "query_processing method=keyword",
    "keyword method=bm25",
    "fusion method=keyword",
    "selection method=per_file_limit",
    "passages",
    "freshness method=rules",
  ]);
});

Deno.test("a boolean query is named so, and a search without its phrases says why it was repeated", async () => {
  using place = await Place.indexed(FILES);
  const boolean = await traceOf(place, { query: "bridge AND NOT mayor" });
  equal(stage(boolean, "query_processing").facts.method, "boolean");
  const lost = await traceOf(place, { query: '"bridge harbour" opened' });
  deepEqual(outline(lost).filter((line) => !line.startsWith(" ")), [
    "query_processing method=hybrid",
    "keyword method=bm25",
    `translation method=bm25 provider=${BUILTIN}`,
    `vector method=cosine provider=${BUILTIN}`,
    "fusion method=weighted",
    "selection method=per_file_limit",
    "passages",
    "query_processing method=hybrid fallback=without_phrases reason=phrases_lost",
    "keyword method=bm25",
    `translation method=bm25 provider=${BUILTIN}`,
    `vector method=cosine provider=${BUILTIN}`,
    "fusion method=weighted",
    "selection method=per_file_limit",
    "passages",
    "freshness method=rules",
  ]);
});

Deno.test("a search that gives up a damaged index says so, and goes on with the others", async () => {
  using good = await Place.indexed({ "a.txt": "an apple" });
  // An index of this size is opened without reading its texts.
  const many = Array.from({ length: 20_000 }, (_, i) => `an apple and ${i} pears\n\n`).join("");
  using bad = await Place.indexed({ "b.txt": many });
  const bytes = bad.indexBytes();
  sectionOf(bytes, "texts").fill(0xff);
  Deno.writeFileSync(`${bad.root}/.muxue_rag/index.bin`, bytes);
  const record = await traceOf(good, { query: "apple", mode: "keyword" }, { roots: [good.root, bad.root] });
  const given = record.spans.findIndex(({ facts }) => facts.reason === "index_damaged");
  deepEqual(outline(record).slice(given), [
    "query_processing method=keyword fallback=other_indexes reason=index_damaged",
    "keyword method=bm25",
    "fusion method=keyword",
    "selection method=per_file_limit",
    "passages",
    "freshness method=rules",
  ]);
  deepEqual([given > 0, (record.facts.counts as { hits: number }).hits, record.error], [true, 1, undefined]);
});

Deno.test("a search that throws has an error and the stages until then", async () => {
  using place = await Place.indexed(FILES);
  const record = await traceOf(place, {
    query: "bridge",
    dirPath: ON_WINDOWS ? "C:\\no\\such\\folder" : "/no/such/folder",
  });
  deepEqual([outline(record), record.error], [["query_processing"], "dir_not_served"]);
  const empty = await traceOf(place, { query: " " });
  deepEqual([outline(empty), empty.error], [["query_processing"], "empty_query"]);
});

Deno.test("the stages account for nearly all of the time", async () => {
  await using server = await RerankServer.start("jina");
  const notes = Array.from({ length: 300 }, (_, i) => [
    `notes/${i}.md`,
    `# Note ${i}\n\nThe bridge number ${i} crosses the river beside mill ${
      i * 7 % 90
    }.\n\n第 ${i} 座桥在磨坊旁边跨过河流。\n`,
  ]);
  using place = await Place.indexed(Object.fromEntries(notes));
  const models = topicModels();
  await makeNeuralVectors(storeAt(place.root), models);
  const withServer = { config: await config({ rerank: server.config() }) };
  const searches: [SearchRequest, Options][] = [
    [{ query: "bridge beside the mill 63" }, {}],
    [{ query: "哪座桥在磨坊旁边" }, {}],
    [{ query: "bridge beside the mill" }, withServer],
    [{ query: "automobile bridge river" }, { models }],
    [{ query: "bridge AND mill AND NOT 63" }, {}],
    [{ query: '"mill bridge" river' }, {}],
    [{ query: "mill", mode: "keyword" }, {}],
    [{ query: "mill", mode: "semantic", offset: 20, topK: 20 }, {}],
  ];
  for (const [request, options] of searches) {
    const shares: number[] = [];
    for (let i = 0; i < 5; i++) shares.push(covered(await traceOf(place, request, options)));
    // Another process may get the machine between two stages.
    ok(Math.max(...shares) >= 0.95, `${request.query}: ${shares}`);
  }
});
