import { deepEqual, equal, ok, rejects, throws } from "node:assert/strict";
import { join } from "node:path";
import { UsageError } from "#foundation/errors.ts";
import { NO_LOG } from "#foundation/log.ts";
import { bootstrapMeans, percentile, worstQueries } from "#library/evaluate/evaluate.ts";
import { type HitSpan, judge, scoresAt } from "#library/evaluate/metrics.ts";
import {
  checkThresholds,
  type Corpus,
  defaultSystems,
  evaluate,
  type EvaluationProgress,
  type EvaluationResult,
  folderCorpus,
  type Metric,
  parseThreshold,
  readBeir,
  readQuestions,
  shortfalls,
  type System,
  type SystemResult,
  systemsNamed,
  temporaryCorpus,
} from "#library/evaluate/mod.ts";
import type { Target } from "#library/evaluate/types.ts";
import { KEY } from "../../engine/index/_blob_forge.ts";
import { config, Place } from "../ingest/_place.ts";
import { folderWith, jsonl, TINY } from "./_files.ts";
import fc from "fast-check";

const CONTEXT = { log: NO_LOG, version: "0.0.0", indexKey: KEY };
const OPTIONS = { k: 10, worst: 10 };

async function keyword(): Promise<System> {
  return systemsNamed("keyword", await config())![0]!;
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

Deno.test("a test collection is indexed in a temporary folder, searched and scored, and the folder is removed", async () => {
  await using folder = await folderWith(TINY);
  const set = await readBeir(folder.path);
  let root: string;
  {
    await using corpus = await temporaryCorpus(set.documents, CONTEXT);
    root = corpus.root;
    const steps: EvaluationProgress["step"][] = [];
    const result = await evaluate(set, corpus, [await keyword()], {
      ...OPTIONS,
      onProgress: ({ step }) => steps.at(-1) === step || steps.push(step),
    });
    deepEqual(steps, ["index", "query"]);
    const { documents, queries, k, worst, perQuery } = result;
    deepEqual([documents, queries, k], [3, 3, 10]);
    const found = { ndcg: 1, recall: 1, mrr: 1, hit: 1 };
    const nothing = { ndcg: 0, recall: 0, mrr: 0, hit: 0 };
    deepEqual(perQuery, [
      { id: "q1", query: "tomato soup with basil", scores: { keyword: found } },
      { id: "q2", query: "夜里谁为船只指路？", scores: { keyword: found } },
      { id: "q3", query: "zeppelin", scores: { keyword: nothing } },
    ]);
    deepEqual(worst, [
      { id: "q3", query: "zeppelin", scores: nothing, expected: ["backup Backup"], found: [] },
    ]);
    const [system] = result.systems;
    equal(system!.scores.ndcg.mean, 2 / 3);
    deepEqual(system!.byDepth.hit, Array(10).fill(2 / 3));
    equal(system!.difference, undefined);
    const none = { hits: 0, right: 0 };
    deepEqual(system!.degrees, [
      { query: "en", text: "en", degrees: { high: { hits: 1, right: 1 }, medium: none, low: none } },
      { query: "zh", text: "zh", degrees: { high: { hits: 1, right: 1 }, medium: none, low: none } },
    ]);
    ok(system!.indexSeconds! > 0 && system!.milliseconds.p50 > 0);
  }
  equal(await exists(root), false);
});

Deno.test("each system is compared with the first, query by query", async () => {
  await using folder = await folderWith(TINY);
  const set = await readBeir(folder.path);
  await using corpus = await temporaryCorpus(set.documents, CONTEXT);
  const base = await keyword();
  const { systems } = await evaluate(set, corpus, [base, { ...base, name: "same" }], OPTIONS);
  const none = { mean: 0, low: 0, high: 0 };
  deepEqual(systems.map(({ name, difference }) => [name, difference]), [
    ["keyword", undefined],
    ["same", { ndcg: none, recall: none, mrr: none, hit: none }],
  ]);
});

Deno.test("systems with the same index settings share an index", async () => {
  await using folder = await folderWith(TINY);
  const set = await readBeir(folder.path);
  await using corpus = await temporaryCorpus(set.documents, CONTEXT);
  const base = await keyword();
  const chunking = { ...base.config.chunking, "max_chars": 200, overlap: 0 };
  const small = { ...base, name: "small", config: { ...base.config, chunking } };
  const { systems } = await evaluate(set, corpus, [base, { ...base, name: "again" }, small], OPTIONS);
  const [first, second, third] = systems.map(({ indexSeconds }) => indexSeconds);
  equal(first, second);
  ok(third !== second);
});

Deno.test("the user's file filters do not apply to a test collection", async () => {
  await using folder = await folderWith(TINY);
  const set = await readBeir(folder.path);
  await using corpus = await temporaryCorpus(set.documents, CONTEXT);
  const base = await keyword();
  const files = { ...base.config.files, include: ["*.txt"], exclude: ["document.md"], encoding: "gb18030" };
  const picky = { ...base, config: { ...base.config, files } };
  equal((await evaluate(set, corpus, [picky], OPTIONS)).systems[0]!.scores.hit.mean, 2 / 3);
});

Deno.test("an aborted evaluation throws the reason and removes its folder", async () => {
  await using folder = await folderWith(TINY);
  const set = await readBeir(folder.path);
  const stop = new AbortController();
  const reason = new Error("stop");
  let corpus: Corpus;
  {
    await using temporary = await temporaryCorpus(set.documents, CONTEXT);
    corpus = temporary;
    await rejects(
      evaluate(set, corpus, [await keyword()], {
        ...OPTIONS,
        signal: stop.signal,
        onProgress: ({ step }) => step === "query" && stop.abort(reason),
      }),
      reason,
    );
  }
  equal(await exists(corpus.root), false);
  const onWritten = () => stop.abort(reason);
  await rejects(temporaryCorpus(set.documents, CONTEXT, { signal: stop.signal, onWritten }), reason);
});

Deno.test("a blank query is not run and finds nothing", async () => {
  await using folder = await folderWith({
    ...TINY,
    "queries.jsonl": jsonl({ _id: "q1", text: " \u3000" }, { _id: "q2", text: "船只" }),
  });
  const set = await readBeir(folder.path);
  await using corpus = await temporaryCorpus(set.documents, CONTEXT);
  const { systems } = await evaluate(set, corpus, [await keyword()], OPTIONS);
  equal(systems[0]!.scores.hit.mean, 1 / 2);
});

Deno.test("in a folder of the user, passages are judged by lines, and missing files are reported", async () => {
  using place = new Place();
  const lines = (word: string) => `${word} `.repeat(150).trim();
  place.write({ "a.md": `# One\n\n${lines("alpha")}\n\n# Two\n\n${lines("beta")}\n`, "b.md": "gamma\n" });
  await place.ingest();
  await using folder = await folderWith({
    "s.jsonl": jsonl(
      { query: "beta", spans: [{ file: "a.md", start_line: 7 }] },
      { query: "alpha", spans: [{ file: "a.md", start_line: 7 }] },
      { query: "gamma", spans: [{ file: "b.md" }, { file: "gone.md" }] },
    ),
  });
  const set = (await readQuestions(join(folder.path, "s.jsonl"), place.root)).search!;
  await using corpus = await folderCorpus(place.root, await config(), { indexKey: KEY });
  deepEqual([corpus.documents, corpus.missing(set)], [2, ["gone.md"]]);
  const result = await evaluate(set, corpus, [await keyword()], OPTIONS);
  deepEqual(result.perQuery.map(({ scores }) => scores["keyword"]!.recall), [1, 0, 1 / 2]);
  equal(result.systems[0]!.indexSeconds, undefined);
  deepEqual(result.worst.map(({ expected, found }) => ({ expected, found })), [
    { expected: ["a.md:7-7"], found: ["a.md:1-3"] },
    { expected: ["b.md", "gone.md"], found: ["b.md"] },
  ]);
});

Deno.test("questions are read as a search reads them: boolean queries and filters", async () => {
  using place = await Place.indexed({
    "a.md": "---\ntags: [budget]\ncreated: 2024-05-01\n---\nThe rent of the office.",
    "b.md": "---\ntags: [draft]\n---\nThe rent of the flat.",
    "预算.md": "---\ntags: [预算]\n---\n办公室的租金。",
  });
  const questions = [
    ["rent AND NOT flat", "a.md"],
    ["rent -tag:budget", "b.md"],
    ["rent created:2024", "a.md"],
    ["租金 标签:预算", "预算.md"],
    ["租金 AND NOT 办公室", "预算.md"],
  ] as const;
  await using folder = await folderWith({
    "q.jsonl": jsonl(...questions.map(([query, file]) => ({ query, files: [file] }))),
  });
  const set = (await readQuestions(join(folder.path, "q.jsonl"), place.root)).search!;
  await using corpus = await folderCorpus(place.root, await config(), { indexKey: KEY });
  const { perQuery } = await evaluate(set, corpus, [await keyword()], OPTIONS);
  deepEqual(perQuery.map(({ scores }) => scores["keyword"]!.ndcg), [1, 1, 1, 1, 0]);
});

Deno.test("folderCorpus() throws for a folder without an index", async () => {
  await using folder = await folderWith({ "a.md": "text" });
  await rejects(folderCorpus(folder.path, await config(), { indexKey: KEY }), { key: "index_not_ready" });
});

Deno.test("systemsNamed() returns modes, hybrid without some legs, and hybrid without each leg in turn", async () => {
  const all = await config();
  const told = (name: string) => systemsNamed(name, all)?.map(({ name, mode }) => `${name} ${mode}`);
  deepEqual(told("semantic"), ["semantic semantic"]);
  deepEqual(told("hybrid-maxsim-vector"), ["hybrid-maxsim-vector hybrid"]);
  deepEqual(told("legs"), [
    "hybrid hybrid",
    "hybrid-translation hybrid",
    "hybrid-vector hybrid",
    "hybrid-maxsim hybrid",
    "hybrid-sentence hybrid",
    "hybrid-neural hybrid",
  ]);
  deepEqual(["", "fuzzy", "hybrid-fuzzy", "keyword-maxsim", "hybrid-"].map(told), Array(5).fill(undefined));
  const [without] = systemsNamed("hybrid-maxsim-vector", all)!;
  deepEqual(without!.config.search.legs, [
    "translation",
    "sentence",
    "neural",
  ]);
});

Deno.test("defaultSystems() returns keyword search only if the index has no vectors", async () => {
  using place = new Place();
  place.write({ "a.md": "text" });
  const none = { embedding: { provider: "none" } } as const;
  await place.ingest(none);
  deepEqual(
    (await defaultSystems({ root: place.root, key: KEY }, await config(none))).map(({ name }) => name),
    [
      "keyword",
    ],
  );
});

const scores = (ndcg: number) => ({ ndcg, recall: ndcg, mrr: ndcg, hit: ndcg });
const corpus = { labelOf: (document: string) => `<${document}>` };
const query = (id: string) => ({ id, text: `${id}?`, targets: [{ document: "a", gain: 1 }] });

Deno.test("worstQueries() returns the lowest nDCG first, and no query with nDCG 1", () => {
  const run = { scores: [scores(1), scores(0.5), scores(0), scores(0.5)], rankings: [[], [], [], []] };
  const queries = ["p", "q", "r", "s"].map(query);
  deepEqual(worstQueries(queries, run, corpus, 10).map(({ id }) => id), ["r", "q", "s"]);
  deepEqual(worstQueries(queries, run, corpus, 1).map(({ id }) => id), ["r"]);
  deepEqual(worstQueries(queries, run, corpus, 0), []);
});

Deno.test("worstQueries() names the three best targets and hits, passages with their lines", () => {
  const targets = [
    { document: "a", gain: 1, lines: { first: 3, last: 4 } },
    { document: "b", gain: 2 },
    { document: "c", gain: 0 },
  ];
  const ranking = ["x", "y", "z", "w"].map((document, at) => ({ document, first: at + 1, last: at + 2 }));
  deepEqual(
    worstQueries([{ id: "1", text: "t", targets }], { scores: [scores(0)], rankings: [ranking] }, corpus, 1),
    [{
      id: "1",
      query: "t",
      scores: scores(0),
      expected: ["<b>", "<a>:3-4"],
      found: ["<x>:1-2", "<y>:2-3", "<z>:3-4"],
    }],
  );
});

const halves = Array.from({ length: 400 }, (_, at) => at % 2);

Deno.test("bootstrapMeans() returns the same intervals for the same values", () => {
  deepEqual(bootstrapMeans([halves]), bootstrapMeans([halves]));
});

Deno.test("bootstrapMeans() is close to the normal interval, mean ± 1.96 s/√n, for normal values", () => {
  const [estimate] = bootstrapMeans([halves]);
  equal(estimate!.mean, 0.5);
  const half = 1.96 * 0.5 / Math.sqrt(400);
  ok(Math.abs(estimate!.low - (0.5 - half)) < 0.006, `${estimate!.low}`);
  ok(Math.abs(estimate!.high - (0.5 + half)) < 0.006, `${estimate!.high}`);
});

Deno.test("equal values have an interval of width 0", () => {
  const better = halves.map((value) => value + 0.25);
  const [, , difference] = bootstrapMeans([halves, better, better.map((value, at) => value - halves[at]!)]);
  deepEqual(difference, { mean: 0.25, low: 0.25, high: 0.25 });
});

Deno.test("an interval contains its mean and is between the least and the greatest value", () => {
  const values = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 30 });
  fc.assert(
    fc.property(values, (column) => {
      const { mean, low, high } = bootstrapMeans([column])[0]!;
      const slack = 1e-9;
      ok(low <= mean + slack && mean <= high + slack);
      ok(low >= Math.min(...column) - slack && high <= Math.max(...column) + slack);
    }),
    { numRuns: 30 },
  );
});

Deno.test("percentile() takes the nearest rank", () => {
  const values = [10, 20, 30, 40];
  deepEqual([0, 0.25, 0.5, 0.51, 0.95, 1].map((share) => percentile(values, share)), [
    10,
    10,
    20,
    30,
    40,
    40,
  ]);
  equal(percentile([], 0.5), 0);
});

Deno.test("parseThreshold() reads metric, depth, and system, whose name may contain a path", () => {
  deepEqual(parseThreshold("ndcg@10=0.4"), { metric: "ndcg", at: 10, value: 0.4 });
  deepEqual(parseThreshold("Recall=1"), { metric: "recall", value: 1 });
  deepEqual(parseThreshold("hybrid:mrr@5=.25"), { system: "hybrid", metric: "mrr", at: 5, value: 0.25 });
  deepEqual(parseThreshold("C:\\a=b.yaml:hit@1=0"), {
    system: "C:\\a=b.yaml",
    metric: "hit",
    at: 1,
    value: 0,
  });
});

Deno.test("parseThreshold() throws for invalid thresholds", () => {
  for (
    const text of [
      "",
      "ndcg",
      "ndcg@10",
      "ndcg@0=1",
      "map@10=0.4",
      "ndcg@10=1.5",
      "ndcg@10=-1",
      "ndcg@10=x",
      "=1",
    ]
  ) {
    throws(() => parseThreshold(text), { key: "eval_bad_min" }, text);
  }
});

Deno.test("checkThresholds() throws for an unknown system and for a depth greater than k", () => {
  const systems = [{ name: "keyword" }];
  checkThresholds([parseThreshold("keyword:ndcg@10=1"), parseThreshold("hit=1")], systems, 10);
  throws(() => checkThresholds([parseThreshold("hybrid:ndcg=1")], systems, 10), UsageError);
  throws(() => checkThresholds([parseThreshold("ndcg@11=1")], systems, 10), UsageError);
});

Deno.test("shortfalls() checks the named system, or the last one, at the given depth", () => {
  const byDepth = (values: number[]) =>
    ({ ndcg: values, recall: values, mrr: values, hit: values }) satisfies Record<Metric, number[]>;
  const systems = [
    { name: "keyword", byDepth: byDepth([0.1, 0.2]) },
    { name: "hybrid", byDepth: byDepth([0.3, 0.4]) },
  ] as unknown as SystemResult[];
  const result = { name: "notes", k: 2, systems } as unknown as EvaluationResult;
  const wanted = ["ndcg=0.4", "ndcg=0.41", "recall@1=0.35", "keyword:hit=0.2", "keyword:mrr@1=0.2"];
  deepEqual(shortfalls(wanted.map(parseThreshold), result), [
    { collection: "notes", system: "hybrid", metric: "ndcg", at: 2, value: 0.41, reached: 0.4 },
    { collection: "notes", system: "hybrid", metric: "recall", at: 1, value: 0.35, reached: 0.3 },
    { collection: "notes", system: "keyword", metric: "mrr", at: 1, value: 0.2, reached: 0.1 },
  ]);
});

const span = (document: string, first = 1, last = 10): HitSpan => ({ document, first, last });
const ranking = (documents: string) => [...documents].map((document) => span(document));
const targets = (gains: Record<string, number>): Target[] =>
  Object.entries(gains).map(([document, gain]) => ({ document, gain }));

Deno.test("scoresAt() returns hand-computed values for graded judgements", () => {
  // DCG: 0/log2(2) + 2/log2(3) + 0/log2(4) + 1/log2(5); ideal: 3/log2(2) + 2/log2(3) + 1/log2(4)
  const dcg = 2 / Math.log2(3) + 1 / Math.log2(5);
  const ideal = 3 + 2 / Math.log2(3) + 0.5;
  deepEqual(scoresAt(judge(ranking("xbya"), targets({ a: 1, b: 2, c: 3, x: 0, y: -1 })), 10), {
    ndcg: dcg / ideal,
    recall: 2 / 3,
    mrr: 1 / 2,
    hit: 1,
  });
});

Deno.test("scoresAt() compares the first k hits with the ideal ranking of k hits", () => {
  const judged = judge(ranking("xab"), targets({ a: 1, b: 1 }));
  deepEqual(scoresAt(judged, 1), { ndcg: 0, recall: 0, mrr: 0, hit: 0 });
  deepEqual(scoresAt(judged, 2), {
    ndcg: 1 / Math.log2(3) / (1 + 1 / Math.log2(3)),
    recall: 1 / 2,
    mrr: 1 / 2,
    hit: 1,
  });
  equal(scoresAt(judge(ranking("a"), targets({ a: 1, b: 1 })), 1).ndcg, 1);
});

Deno.test("scoresAt() returns 0 if no target is relevant or found", () => {
  const none = { ndcg: 0, recall: 0, mrr: 0, hit: 0 };
  deepEqual(scoresAt(judge(ranking("ab"), targets({ a: 0 })), 10), none);
  deepEqual(scoresAt(judge([], targets({ a: 1 })), 10), none);
});

Deno.test("judge() credits a hit with the passages that it overlaps, each passage once", () => {
  const passages: Target[] = [
    { document: "a", gain: 1, lines: { first: 5, last: 8 } },
    { document: "a", gain: 2, lines: { first: 20, last: 20 } },
    { document: "b", gain: 1 },
  ];
  const hits = [
    span("a", 1, 4),
    span("a", 8, 20),
    span("a", 5, 5),
    span("b", 90, 99),
    span("c", 5, 8),
  ];
  deepEqual(judge(hits, passages), { gains: [0, 3, 0, 1, 0], found: [0, 2, 0, 1, 0], ideal: [2, 1, 1] });
});

Deno.test("judge() checks page and heading, and all positions of a hit", () => {
  const wanted: Target[] = [
    { document: "a.pdf", gain: 1, pages: { first: 3, last: 4 } },
    { document: "a.html", gain: 1, section: "Partial checkout" },
  ];
  const onPage = (page: number) => ({ ...span("a.pdf", 1, 9), page });
  const below = (heading: string) => ({ ...span("a.html", 1, 9), section: ["Guide", heading] });
  const found = (hit: HitSpan) => judge([hit], wanted).found[0];
  deepEqual([2, 3, 4, 5].map((page) => found(onPage(page))), [0, 1, 1, 0]);
  equal(found(span("a.pdf", 1, 9)), 0);
  deepEqual(["3.2 partial  Checkout", "Checkout"].map((heading) => found(below(heading))), [1, 0]);
  equal(found({ ...span("a.txt", 1, 9), also: [below("Partial checkout"), onPage(3)] }), 2);
});

Deno.test("nDCG is at most 1 even if one hit covers two passages", () => {
  const passages: Target[] = [
    { document: "a", gain: 1, lines: { first: 1, last: 2 } },
    { document: "a", gain: 1, lines: { first: 3, last: 4 } },
  ];
  deepEqual(scoresAt(judge([span("a", 1, 4)], passages), 10), { ndcg: 1, recall: 1, mrr: 1, hit: 1 });
});

const documents = ["a", "b", "c", "d", "e", "f", "g", "h"];
const anyRanking = fc.shuffledSubarray(documents).map((names) => names.map((name) => span(name)));
const anyTargets = fc.dictionary(fc.constantFrom(...documents), fc.integer({ min: -1, max: 3 })).map(targets);
const anyDepth = fc.integer({ min: 1, max: 10 });

Deno.test("all metrics are between 0 and 1, and only nDCG can fall with the depth", () => {
  fc.assert(fc.property(anyRanking, anyTargets, anyDepth, (hits, judgements, k) => {
    const judged = judge(hits, judgements);
    const [here, deeper] = [scoresAt(judged, k), scoresAt(judged, k + 1)];
    for (const value of Object.values(here)) ok(value >= 0 && value <= 1 + 1e-12);
    ok(deeper.recall >= here.recall && deeper.mrr >= here.mrr && deeper.hit >= here.hit);
  }));
});

Deno.test("the metrics do not depend on the order of the judgements", () => {
  const both = anyTargets.chain((judgements) =>
    fc.tuple(
      fc.constant(judgements),
      fc.shuffledSubarray(judgements, { minLength: judgements.length, maxLength: judgements.length }),
    )
  );
  fc.assert(fc.property(anyRanking, both, anyDepth, (hits, [one, other], k) => {
    deepEqual(scoresAt(judge(hits, one), k), scoresAt(judge(hits, other), k));
  }));
});

Deno.test("the ranking by gain has nDCG 1, and moving a better hit up never lowers nDCG", () => {
  fc.assert(fc.property(anyRanking, anyTargets, anyDepth, (hits, judgements, k) => {
    const gain = new Map(judgements.map(({ document, gain }) => [document, Math.max(0, gain)]));
    const gainOf = ({ document }: HitSpan) => gain.get(document) ?? 0;
    const score = (order: readonly HitSpan[]) => scoresAt(judge(order, judgements), k).ndcg;
    const best = documents.map((document) => span(document)).sort((a, b) => gainOf(b) - gainOf(a));
    equal(score(best), Math.max(...gain.values(), 0) > 0 ? 1 : 0);
    const at = hits.findIndex((hit, index) => index > 0 && gainOf(hit) > gainOf(hits[index - 1]!));
    if (at < 0) return;
    const swapped = hits.with(at - 1, hits[at]!).with(at, hits[at - 1]!);
    ok(score(swapped) >= score(hits) - 1e-12);
  }));
});
