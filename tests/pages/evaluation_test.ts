import { deepEqual, equal, ok } from "node:assert/strict";
import type { CompareAnswer, EvaluateLine, HistoryAnswer, WireEvaluation } from "#wire/evaluation.ts";
import { makeIndexed, writeFiles } from "../e2e/_program.ts";
import { startUi as startOver } from "./_socket.ts";
import { startUi, type Ui } from "./_ui.ts";

const FILES = {
  "tea.md": "# Tea\n\nGreen tea is a drink that wants water of 80 degrees.\n",
  "coffee.md": "# Coffee\n\nCoffee is a drink that wants water of 93 degrees.\n",
};

const jsonl = (...lines: object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join("");

const QUESTIONS = jsonl(
  { question: "green tea", files: ["tea.md"] },
  { question: "coffee", files: ["tea.md"] },
  { question: "not yet", files: ["tea.md"], accepted: false },
);

const folderOf = async (ui: Ui): Promise<string> => (await ui.call("session/info")).collections[0].name;

async function run(ui: Ui, more: object = {}): Promise<WireEvaluation> {
  const body = { folder: await folderOf(ui), name: "q.jsonl", questions: QUESTIONS, ...more };
  const lines: EvaluateLine[] = await ui.lines("evaluation/run", body);
  const last = lines.at(-1)!;
  if (!("result" in last)) throw new Error(JSON.stringify(last));
  return last.result;
}

Deno.test("a set of questions is measured with progress, is kept, and its runs are compared question by question", async () => {
  await using ui = await startUi(FILES);
  const { folder: root } = ui.sandbox;
  const folder = await folderOf(ui);
  const before = await run(ui, { system: "keyword" });
  deepEqual([before.queries, before.k, before.unaccepted, before.missing], [2, 10, 1, 0]);
  deepEqual(before.systems.map(({ name, scores }) => [name, scores.hit.mean, scores.mrr.mean]), [
    ["keyword", 0.5, 0.5],
  ]);
  deepEqual(before.worst, [{
    question: "coffee",
    ndcg: 0,
    expected: ["tea.md"],
    found: ["coffee.md"],
    file: `${root}/tea.md`,
  }]);
  await writeFiles(root, { "tea.md": "# Tea\n\nTea wants water of 80 degrees, and so does coffee.\n" });
  const lines = await ui.lines("ingestion/watch", {
    run: (await ui.call("ingestion/start", { folder })).run.id,
  });
  equal(lines.at(-1).run.state, "done");
  const now = await run(ui, { system: "keyword" });
  const { runs }: HistoryAnswer = await ui.call("evaluation/history", { folder });
  deepEqual(runs.map(({ id }) => id), [before.run, now.run]);
  ok(runs.every(({ time }) => !Number.isNaN(Date.parse(time))));
  deepEqual(runs[0]!.results.map(({ set, system, questions }) => [set, system, questions]), [
    ["q.jsonl", "keyword", 2],
  ]);
  const answer: CompareAnswer = await ui.call("evaluation/compare", {
    folder,
    before: before.run,
    now: now.run,
  });
  deepEqual(answer.changes.map(({ question, before, now }) => [question, before, now]), [
    ["green tea", 1, 1],
    ["coffee", undefined, 2],
  ]);
  deepEqual([answer.total, answer.settings], [2, []]);
  equal(answer.differences.find(({ metric }) => metric === "hit@10")!.difference.mean, 0.5);
});

Deno.test("a question of two runs has the traces that still exist", async () => {
  await using ui = await startUi(FILES);
  const folder = await folderOf(ui);
  const [before, now] = [await run(ui, { system: "keyword" }), await run(ui, { system: "keyword" })];
  const compared = async () => {
    const names = { before: before.run, now: now.run };
    const { changes }: CompareAnswer = await ui.call("evaluation/compare", { folder, ...names });
    return changes.map(({ question, traceBefore, traceNow }) => [question, traceBefore, traceNow] as const);
  };
  const [tea, coffee] = await compared();
  const textOf = async (id: string | undefined) => (await ui.call("traces/show", { id })).text;
  deepEqual([await textOf(tea![1]), await textOf(tea![2])], ["green tea", "green tea"]);
  deepEqual([await textOf(coffee![1]), await textOf(coffee![2])], ["coffee", "coffee"]);
  equal(new Set([...tea!, ...coffee!]).size, 6);

  // A run of the program before questions were traced, and one whose traces are gone.
  const runs = `${ui.sandbox.folder}/.muxue_rag/evaluations`;
  const change = async (name: string, to: (text: string) => string) => {
    const path = `${runs}/${name}.json`;
    await Deno.writeTextFile(path, to(await Deno.readTextFile(path)));
  };
  await change(before.run!, (text) => text.replaceAll(/,"trace":"\w+"/g, ""));
  await change(now.run!, (text) => text.replaceAll(tea![2]!, "0".repeat(32)));
  deepEqual(await compared(), [["green tea", undefined, undefined], ["coffee", undefined, coffee![2]]]);
});

Deno.test("an evaluation stops when its client closes the stream", async () => {
  await using ui = await startUi(FILES);
  const folder = await folderOf(ui);
  const questions = jsonl(
    ...Array.from({ length: 600 }, (_, at) => ({ question: `green tea ${at}`, files: ["tea.md"] })),
  );
  const body = { folder, name: "q.jsonl", questions, system: "keyword" };
  const lines: EvaluateLine[] = await ui.lines("evaluation/run", body, (line) => "progress" in line);
  ok(lines.every((line) => "progress" in line));
  // The same questions again: if the first run went on, it would end before this one and be kept.
  const { run: kept } = await run(ui, { questions, system: "keyword" });
  const { runs }: HistoryAnswer = await ui.call("evaluation/history", { folder });
  deepEqual(runs.map(({ id }) => id), [kept]);
});

Deno.test("questions about a folder are proposed, and those that are accepted can be asked", async () => {
  await using ui = await startUi(FILES);
  const folder = await folderOf(ui);
  const lines = await ui.lines("evaluation/draft", { folder });
  const { drafts } = lines.at(-1);
  deepEqual(
    // deno-lint-ignore no-explicit-any
    drafts.map(({ question, spans }: any) => [question, spans[0].file]).slice(0, 2),
    [["What is Coffee?", "coffee.md"], [
      "Green tea is a drink that wants water of how many degrees?",
      "tea.md",
    ]],
  );
  const { passage: _, ...accepted } = drafts[0];
  const { queries, systems } = await run(ui, { questions: jsonl(accepted) });
  deepEqual([queries, systems.map(({ name }) => name)], [1, ["keyword", "semantic", "hybrid"]]);
});

Deno.test("questions that cannot be read are refused with their line", async () => {
  await using ui = await startUi(FILES);
  const body = { folder: await folderOf(ui), name: "q.jsonl" };
  const ask = (more: object) => ui.ask("evaluation/run", { ...body, ...more });
  deepEqual([
    await ask({ questions: "tea?" }),
    await ask({ questions: jsonl({ question: "tea", files: [] }) }),
    await ask({ questions: "\n" }),
    await ask({ questions: jsonl({ question: "tea", reference: "Green." }) }),
    await ask({ questions: QUESTIONS, system: "best" }),
    await ask({ questions: QUESTIONS, folder: "elsewhere" }),
    await ask({ questions: QUESTIONS, k: 0 }),
    await ui.ask("evaluation/compare", { folder: body.folder, before: "../../x", now: "last" }),
  ], [
    { status: 400, error: "eval_not_json" },
    { status: 400, error: "eval_bad_line" },
    { status: 400, error: "eval_no_queries" },
    { status: 400, error: "pages_eval_no_places" },
    { status: 400, error: "cli_eval_unknown_system" },
    { status: 400, error: "collection_unknown" },
    { status: 400, error: "pages_bad_call" },
    { status: 400, error: "eval_run_unknown" },
  ]);
});

Deno.test("without updates, an evaluation is not kept", async () => {
  await using ui = await startUi(FILES, { args: ["--no-watch"] });
  const { run: kept, systems } = await run(ui, { system: "keyword" });
  deepEqual([kept, systems.length], [undefined, 1]);
  deepEqual(await ui.call("evaluation/history", { folder: await folderOf(ui) }), { runs: [] });
});

Deno.test("clients with limits of access cannot evaluate", async () => {
  await using sandbox = await makeIndexed(FILES);
  await writeFiles(sandbox.cwd, { "my.yaml": "mcp:\n  access:\n    levels: [public]\n" });
  const args = ["--dir", sandbox.folder, "--no-open", "--config", `${sandbox.cwd}/my.yaml`];
  await using ui = await startOver(sandbox, ["ui", ...args]);
  const folder = (await ui.call("session/info", {})).json.collections[0].name;
  const keys = [];
  for (const path of ["run", "history", "compare", "draft"]) {
    const body = { folder, name: "q", questions: QUESTIONS, before: "a", now: "b" };
    keys.push((await ui.call(`evaluation/${path}`, body)).json.error.key);
  }
  deepEqual(new Set(keys), new Set(["evaluation_not_shown"]));
});
