import { deepEqual, equal, rejects, throws } from "node:assert/strict";
import {
  compareRuns,
  evaluateAnswers,
  keepRun,
  keptRuns,
  namedRun,
  readRun,
  type Run,
  runOf,
  type Values,
} from "#library/evaluate/mod.ts";
import { loadConfig } from "#foundation/configuration/mod.ts";
import { MemoryStore } from "../store/memory/memory_store.ts";

const TIME = new Date("2026-11-26T08:45:12.345Z");

/** A run of answers with these values of one metric, one for each question. */
async function runWith(values: readonly (number | null)[], more: Partial<Run> = {}): Promise<Run> {
  const samples = values.map((_, i) => ({
    id: String(i),
    question: `question ${i}`,
    answer: "secret answer",
  }));
  const judge = {
    name: "judge",
    measure: () => Promise.resolve(values.map((value): Values => ({ faithfulness: value }))),
  };
  const answers = [await evaluateAnswers("q.jsonl", samples, [judge])];
  const { config: defaults } = await loadConfig({ cwd: "/", env: {} });
  const config = { ...defaults, embedding: { ...defaults.embedding, api_key: "sk-canary" } };
  return { ...runOf({ search: [], answers }, { version: "1.2.3", config, time: TIME }), ...more };
}

async function makeStore(): Promise<MemoryStore> {
  const store = new MemoryStore("/notes");
  await (await store.lock())[Symbol.asyncDispose]();
  return store;
}

Deno.test("a run has the values of each question and the settings, and neither answers nor keys", async () => {
  const { settings, ...run } = await runWith([1, null]);
  deepEqual(run, {
    format: 1,
    id: "2026-11-26T08-45-12Z",
    version: "1.2.3",
    results: [{
      kind: "answers",
      set: "q.jsonl",
      system: "judge",
      means: { faithfulness: 1 },
      questions: [
        { question: "question 0", values: { faithfulness: 1 } },
        { question: "question 1", values: { faithfulness: null } },
      ],
    }],
  });
  deepEqual([settings["search.mode"], settings["embedding.provider"]], ["hybrid", "builtin"]);
  equal(/canary|secret/.test(JSON.stringify([run, settings])), false);
});

Deno.test("runs are kept by their time, and found by name or as the last of the same questions", async () => {
  const store = await makeStore();
  const run = await runWith([1]);
  deepEqual([await keepRun(store, run), await keepRun(store, run)], [run.id, `${run.id}-2`]);
  const other = { ...run, id: "2027-01-01T00-00-00Z", results: [{ ...run.results[0]!, set: "other.jsonl" }] };
  await keepRun(store, other);
  await store.evaluations.set("2028-damaged", '{"format": 1');
  deepEqual((await keptRuns(store)).map(({ id }) => id), [run.id, `${run.id}-2`, other.id]);
  equal((await namedRun(store, "last", ["q.jsonl"])).id, `${run.id}-2`);
  deepEqual(await namedRun(store, run.id, []), run);
  await rejects(namedRun(store, "first", []), { key: "eval_run_unknown" });
  await rejects(namedRun(store, "last", ["new.jsonl"]), { key: "eval_run_none" });
  deepEqual(readRun(JSON.stringify(run), "run.json"), run);
  for (
    const text of ["", "{}", JSON.stringify({ ...run, format: 2 }), JSON.stringify({ ...run, id: "../x" })]
  ) {
    throws(() => readRun(text, "run.json"), { key: "eval_run_unreadable" });
  }
});

Deno.test("a run is worse if the interval of the paired differences is below 0, the same each time", async () => {
  const before = await runWith([1, 1, 1, 1, 0.5, 0.5, 1, 1, 0.5, null]);
  const now = await runWith([0.5, 0.5, 1, 0.5, 0.25, 0, 0.5, 0.5, null, 1]);
  const [only] = compareRuns(now, before).differences;
  deepEqual(compareRuns(now, before).differences, [only]);
  deepEqual(only, {
    set: "q.jsonl",
    system: "judge",
    metric: "faithfulness",
    before: 0.875,
    now: 0.46875,
    difference: { mean: -0.40625, low: -0.5, high: -0.28125 },
    questions: 8,
    lost: 1,
    isWorse: true,
  });
  const better = compareRuns(before, now).differences[0]!;
  deepEqual([better.isWorse, better.difference.mean], [false, 0.40625]);
  const same = compareRuns(now, now).differences[0]!;
  deepEqual([same.isWorse, same.difference], [false, { mean: 0, low: 0, high: 0 }]);
});

Deno.test("questions are paired by their text, and settings that differ are named", async () => {
  const before = await runWith([0.25, 0.5, 1]);
  const [result] = before.results;
  const settings = { ...before.settings, "search.mode": "keyword" };
  const now = {
    ...before,
    settings,
    results: [{ ...result!, questions: result!.questions.slice(1).reverse() }],
  };
  const { differences, settings: changed } = compareRuns(now, before);
  deepEqual([differences[0]!.questions, differences[0]!.difference.mean], [2, 0]);
  deepEqual(changed, [{ name: "search.mode", before: '"hybrid"', now: '"keyword"' }]);
  const unlike = { ...before, results: [{ ...result!, system: "another" }] };
  throws(() => compareRuns(now, unlike), { key: "eval_run_unlike" });
});
