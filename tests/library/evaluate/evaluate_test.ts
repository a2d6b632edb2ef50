import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import {
  type Corpus,
  defaultSystems,
  evaluate,
  type EvaluationProgress,
  folderCorpus,
  readBeir,
  readQueryFile,
  type System,
  systemsNamed,
  temporaryCorpus,
} from "#library/evaluate/mod.ts";
import { NO_LOG } from "#foundation/log.ts";
import { config, Place } from "../ingest/_place.ts";
import { folderWith, jsonl, TINY } from "./_files.ts";
import { KEY } from "../../engine/index/_blob_forge.ts";

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
  const set = await readQueryFile(join(folder.path, "s.jsonl"), place.root);
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
