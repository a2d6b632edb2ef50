import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { makeSandbox, NOTES, writeFiles } from "./_program.ts";
import { jsonl } from "../library/evaluate/_files.ts";
import { LanguageServer } from "../models/language/_servers/mod.ts";

Deno.test("eval measures answers with their passages, without a folder and without a model", async () => {
  await using place = await makeSandbox({});
  const passages = ["The bridge is 1,149 m long.", "Cheese is made of milk."];
  const question = "How long is the bridge?";
  await writeFiles(place.cwd, {
    "answers.jsonl": jsonl(
      { question, answer: "The bridge is 1,149 m long.", passages, reference: "1,149 m" },
      { question, answer: "The bridge is 1,194 m long.", passages },
      { question, answer: "The documents do not say that.", passages, accepted: true },
      { question, answer: "No.", passages, accepted: false },
    ),
  });
  const args = ["eval", "answers.jsonl", "--language", "en"];
  const { code, stdout, stderr } = await place.run`${args} --worst 1 --min faithfulness=.5`;
  equal(code, 0, stderr);
  equal(
    stderr,
    "Note: answers.jsonl: 1 question is not accepted and left out. Check them, and set accepted to true\n" +
      "answers.jsonl: offline, 3 answers\n",
  );
  const [title, header, ...rows] = stdout.split("\n");
  deepEqual([title, header], [
    "answers.jsonl: answers to 3 questions",
    "  Metric                              mean  questions  no value",
  ]);
  deepEqual(rows[0], "  Faithfulness          .500 [.000, 1.000]          3         1");
  match(
    stdout,
    /\nWorst answers\n +\.000 {2}How long is the bridge\?\n +Faithfulness – · Answer relevancy \.000/,
  );

  const failed = await place.run`${args} --json --quiet --min faithfulness=.6`;
  deepEqual([failed.code, failed.stderr], [1, "answers.jsonl: faithfulness is .500, below 0.6\n"]);
  const { data: { collections, answers: [result] } } = JSON.parse(failed.stdout);
  deepEqual([collections, result.questions, result.judges[0].name], [[], 3, "offline"]);
  const faithful = (each: { values: { offline: { faithfulness: number | null } } }) =>
    each.values.offline.faithfulness;
  deepEqual(result.perQuestion.map(faithful), [1, 0, null]);

  const unmeasured = await place.run`${args} --min ndcg=.5`;
  deepEqual(unmeasured.code, 2);
  match(unmeasured.stderr, /ndcg in --min is not measured/);
});

Deno.test("eval searches the folder for the passages of an answer, and measures the search of the same file", async () => {
  await using place = await makeSandbox(NOTES, { env: { MUXUE_RAG_LANGUAGE: "en" } });
  const question = "What is in the tomato soup?";
  const lines = [{ question, files: ["recipe.txt"], answer: NOTES["recipe.txt"] }];
  await writeFiles(place.cwd, { "q.jsonl": jsonl(...lines) });
  const { code, stdout, stderr } = await place
    .run`eval q.jsonl --dir ${"文档 docs"} --compare keyword --json`;
  equal(code, 0, stderr);
  const { collections: [search], answers: [answers] } = JSON.parse(stdout).data;
  deepEqual([search.queries, search.systems[0].scores.hit.mean], [1, 1]);
  deepEqual(answers.judges[0].figures.faithfulness.estimate.mean, 1);

  await writeFiles(place.cwd, { "q.jsonl": jsonl({ question, answer: "Basil.", chunk_ids: ["nothing"] }) });
  const unknown = await place.run`eval q.jsonl --dir ${"文档 docs"}`;
  deepEqual(unknown.code, 1);
  match(unknown.stderr, /chunk nothing of question 1 is not in the index/);
  const without = await place.run`eval q.jsonl`;
  deepEqual(without.code, 2);
  match(without.stderr, /Name the folder with --dir/);
});

Deno.test("eval keeps its runs, lists them, and fails if a figure is worse than in an earlier run", async () => {
  await using place = await makeSandbox(NOTES, { env: { MUXUE_RAG_LANGUAGE: "en" } });
  const questions = ["Tomato soup", "Unpack the archive", "移动硬盘", "cook the tomatoes", "备份能否恢复"];
  const passages = ["The soup needs tomatoes."];
  const lines = (answer: string) => questions.map((question) => ({ question, answer, passages }));
  const dir = "文档 docs";
  const args = ["--language", "en", "--dir", dir, "--quiet"];
  await writeFiles(place.cwd, { "q.jsonl": jsonl(...lines("The soup needs tomatoes.")) });
  const none = await place.run`eval q.jsonl --baseline last ${args}`;
  deepEqual([none.code, none.stderr], [
    1,
    "Error: No run of q.jsonl is kept to compare with. Run eval once without --baseline\n",
  ]);
  const first = await place.run`eval q.jsonl ${args} --json`;
  deepEqual([first.code, first.stderr], [0, ""]);
  const { run } = JSON.parse(first.stdout).data;
  const kept = join(place.cwd, dir, ".muxue_rag", "evaluations", `${run}.json`);
  await Deno.copyFile(kept, join(place.cwd, "baseline.json"));

  const same = await place.run`eval q.jsonl --baseline last ${args}`;
  equal(same.code, 0, same.stderr);
  match(same.stdout, new RegExp(`\nCompared with ${run}\n`));
  match(same.stdout, / {2}q\.jsonl offline Faithfulness +1\.000 +1\.000 +\.000 \[ \.000, {2}\.000\] +5 +0\n/);

  await writeFiles(place.cwd, { "q.jsonl": jsonl(...lines("The soup needs cheese and 7 eggs.")) });
  const worse = await place.run`eval q.jsonl --baseline baseline.json ${args}`;
  deepEqual([worse.code, worse.stderr], [
    1,
    ["Faithfulness", "Context precision"].map((metric) =>
      `q.jsonl: ${metric} of offline is 1.000 lower than in ${run}, beyond the confidence interval\n`
    ).join(""),
  ]);
  const { code, message, data } = JSON.parse(
    (await place.run`eval q.jsonl --baseline ${run} ${args} --json`).stdout,
  );
  deepEqual([code, message, data.comparison.run], [500, worse.stderr.trim(), run]);
  deepEqual(data.comparison.differences[0].difference, { mean: -1, low: -1, high: -1 });

  const { stdout } = await place.run`eval history ${dir} --language en`;
  deepEqual(stdout.match(/^ {2}q\.jsonl \(5\) {2}offline {2}Faithfulness (?:1\.000|\.000) · /gm)?.length, 4);
  const listed = JSON.parse((await place.run`eval history --dir ${dir} --json`).stdout).data.runs;
  deepEqual([listed.length, listed[0].run, listed[0].results[0].questions], [4, run, 5]);

  const missing = await place.run`eval q.jsonl --baseline no.json ${args}`;
  deepEqual(missing.code, 2);
  match(missing.stderr, /Cannot read .*no\.json/);
  const unknown = await place.run`eval q.jsonl --baseline first ${args}`;
  deepEqual(unknown.code, 1);
  match(unknown.stderr, /There is no run first\. Available: .*, last, or the path/);
});

Deno.test("eval draft proposes questions with their places, which eval measures once a person has accepted them", async () => {
  await using place = await makeSandbox({
    "bridge.md":
      "# The Severn bridge\n\nThe Severn bridge is a suspension bridge between England and Wales. " +
      "Its towers are high. The bridge has a span of 988 metres.\n",
    "tea.md": "# How to make tea\n\nBoil the water first. A gaiwan is a lidded bowl without a handle.\n",
    "灯塔.md": "# 灯塔\n\n## 如何到达\n\n从码头乘船前往。灯塔高度为 45 米。透镜是一种聚光的玻璃装置。\n",
  });
  const args = ["文档 docs", "--language", "en"];
  const { code, stdout, stderr } = await place.run`eval draft ${args}`;
  deepEqual([code, /^\d+ questions proposed\. Check them/m.test(stderr)], [0, true], stderr);
  const drafted = stdout.trim().split("\n").map((line) => JSON.parse(line));
  const found = drafted.map(({ kind, question, reference }) => `${kind}: ${question} ${reference}`);
  deepEqual(found.toSorted(), [
    "definition: What is a gaiwan? A gaiwan is a lidded bowl without a handle.",
    "definition: What is the Severn bridge? The Severn bridge is a suspension bridge between England and Wales.",
    "definition: 什么是透镜？ 透镜是一种聚光的玻璃装置。",
    "heading: How do I make tea? Boil the water first.",
    "heading: 如何到达？ 从码头乘船前往。",
    "number: The bridge has a span of how many metres? The bridge has a span of 988 metres.",
    "number: 灯塔高度为多少米？ 灯塔高度为 45 米。",
  ]);
  deepEqual(drafted.find(({ question }) => question === "What is a gaiwan?"), {
    question: "What is a gaiwan?",
    spans: [{ file: "tea.md", "start_line": 1, "end_line": 3 }],
    reference: "A gaiwan is a lidded bowl without a handle.",
    passage: "# How to make tea\n\nBoil the water first. A gaiwan is a lidded bowl without a handle.",
    kind: "definition",
    accepted: false,
  });

  await writeFiles(place.cwd, { "draft.jsonl": stdout });
  const refused = await place.run`eval draft.jsonl --dir ${args}`;
  deepEqual(refused.code, 2);
  match(
    refused.stderr,
    /No question in .*draft\.jsonl is accepted\. Check the lines, and set accepted to true/,
  );
  await writeFiles(place.cwd, { "draft.jsonl": jsonl({ ...drafted[0], accepted: true }) + stdout });
  const measured = await place.run`eval draft.jsonl --dir ${args} --json --compare hybrid`;
  equal(measured.code, 0, measured.stderr);
  const { collections, answers } = JSON.parse(measured.stdout).data;
  deepEqual([collections[0].queries, collections[0].systems[0].scores.recall.mean], [1, 1]);
  deepEqual(Object.keys(answers[0].judges[0].figures), ["context_precision", "context_recall"]);
});

Deno.test("eval hands answers to the evaluator of the command line, and fails where its figures are too low", async () => {
  await using place = await makeSandbox({});
  const passages = ["The soup needs tomatoes."];
  await writeFiles(place.cwd, {
    "q.jsonl": jsonl({ question: "What does the soup need?", answer: "Tomatoes.", passages }),
    "my evaluator.js": `
      for (const line of (await new Response(Deno.stdin.readable).text()).trim().split("\\n")) {
        const { id, answer } = JSON.parse(line);
        console.log(JSON.stringify({ id, metrics: { "Exact match": answer === Deno.args[0] ? 1 : 0 } }));
      }`,
  });
  const evaluator = (answer: string) => `"${Deno.execPath()}" run --no-config 'my evaluator.js' "${answer}"`;
  const args = ["eval", "q.jsonl", "--language", "en", "--quiet", "--min", "Exact match=1"];
  const right = await place.run`${args} --evaluator ${evaluator("Tomatoes.")} --json`;
  deepEqual([right.code, right.stderr], [0, ""]);
  const [{ judges }] = JSON.parse(right.stdout).data.answers;
  deepEqual(judges.map(({ name }: { name: string }) => name), ["offline", "my evaluator.js"]);
  deepEqual(judges[1].figures["Exact match"].estimate, { mean: 1, low: 1, high: 1 });
  const wrong = await place.run`${args} --evaluator ${evaluator("$(echo Tomatoes.)")}`;
  deepEqual([wrong.code, wrong.stderr], [1, "q.jsonl: Exact match is .000, below 1\n"]);
  match(wrong.stdout, /\n {2}Exact match +\.000 \[\.000, \.000\] +1 +0\n {2}my evaluator\.js\n/);

  const missing = await place.run`${args} --evaluator ${"no-such-program-here x.py"}`;
  deepEqual(missing.code, 1);
  match(missing.stderr, /^Error: x\.py did not finish \(.*no-such-program-here.*gave 0 of 1 results/);
  const unclosed = await place.run`${args} --evaluator ${"python3 'x.py"}`;
  deepEqual(unclosed.code, 2);
  match(unclosed.stderr, /a quote that is not closed/);
});

/** Stand-ins for the packages that the scripts of the guide import. They measure nothing. */
const PACKAGES = {
  "ragas/__init__.py": `
class EvaluationDataset(list):
    from_list = classmethod(lambda cls, rows: cls(rows))
class Result:
    pass
def evaluate(dataset, metrics):
    result = Result()
    result.scores = [{name: float("nan") if "?" not in row["user_input"] else 0.5 for name in metrics} for row in dataset]
    return result
`,
  "ragas/metrics.py": 'context_recall, faithfulness = "context_recall", "faithfulness"\n',
  "deepeval/__init__.py": "",
  "deepeval/test_case.py": `
class LLMTestCase:
    def __init__(self, input, actual_output, retrieval_context):
        self.size = len(retrieval_context)
`,
  "deepeval/metrics.py": `
class FaithfulnessMetric:
    __name__ = "Faithfulness"
    def measure(self, case):
        print("a message of the library")
        self.score = case.size / 4
class AnswerRelevancyMetric(FaithfulnessMetric):
    __name__ = "Answer Relevancy"
`,
};

Deno.test({
  name: "the scripts of the guide for Ragas and DeepEval keep to the protocol of evaluators",
  ignore: !hasPython(),
  fn: async () => {
    await using place = await makeSandbox({});
    const fields = { answer: "1 km", passages: ["It is 1 km long.", "Tea."], reference: "1,000 m" };
    const lines = jsonl({ question: "How long?", ...fields }, { question: "How long", ...fields });
    await writeFiles(place.cwd, { ...PACKAGES, "q.jsonl": lines });
    const guide = new URL("../../examples/docs/en/evaluating.md", import.meta.url);
    const scripts = [...Deno.readTextFileSync(guide).matchAll(/^```python\n([^]*?)^```$/gm)].map(([, text]) =>
      text!
    );
    const measured: unknown[] = [];
    for (const script of scripts) {
      await writeFiles(place.cwd, { "evaluator.py": script });
      const { code, stdout, stderr } = await place
        .run`eval q.jsonl --evaluator ${"python3 evaluator.py"} --json --language en --quiet`;
      equal(code, 0, stderr);
      const { perQuestion } = JSON.parse(stdout).data.answers[0];
      measured.push(
        perQuestion.map(({ values }: { values: Record<string, unknown> }) => values["evaluator.py"]),
      );
    }
    deepEqual(measured, [
      [{ "context_recall": 0.5, faithfulness: 0.5 }, { "context_recall": null, faithfulness: null }],
      [{ Faithfulness: 0.5, "Answer Relevancy": 0.5 }, { Faithfulness: 0.5, "Answer Relevancy": 0.5 }],
    ]);
  },
});

function hasPython(): boolean {
  try {
    return new Deno.Command("python3", { args: ["--version"], stdout: "null", stderr: "null" }).outputSync()
      .success;
  } catch {
    return false;
  }
}

Deno.test("eval judges with the language model of the task judge, once, and eval draft lets it ask", async () => {
  await using server = await LanguageServer.start("openai-compatible");
  server.reply = ({ prompt }) => {
    if (prompt.includes('{"statements"')) return { statements: ["Tomatoes are cooked with onions."] };
    if (prompt.includes('"statement": 1')) return { verdicts: [{ statement: 1, verdict: 1 }] };
    if (prompt.includes('"passage": 1')) return { verdicts: [{ passage: 1, verdict: 1 }] };
    if (prompt.includes("noncommittal")) {
      return { questions: ["What is cooked with onions?"], noncommittal: 0 };
    }
    const answer = "cook the tomatoes with onions";
    return {
      questions: [{ question: "What goes into the soup?", answer }, { question: "Why?", answer: "Because." }],
    };
  };
  await using place = await makeSandbox({ "recipe.txt": NOTES["recipe.txt"]! }, {
    env: {
      MUXUE_RAG_LANGUAGE: "en",
      ...server.environment(),
      MUXUE_RAG_LLM_TASKS: "judge",
    },
  });
  const question = "What is cooked with onions?";
  await writeFiles(place.cwd, { "q.jsonl": jsonl({ question, answer: "Tomatoes are cooked with onions." }) });
  const args = ["eval", "q.jsonl", "--dir", "文档 docs", "--json", "--quiet"];
  const first = await place.run`${args}`;
  deepEqual([first.code, first.stderr], [0, ""]);
  const [{ judges }] = JSON.parse(first.stdout).data.answers;
  deepEqual(judges.map(({ name }: { name: string }) => name), [
    "offline",
    `${server.speech}/${server.setup.models[0]}`,
  ]);
  const means = Object.entries<{ estimate: { mean: number } }>(judges[1].figures)
    .map(([metric, { estimate }]) => [metric, Math.round(estimate.mean * 1000) / 1000]);
  deepEqual(means, [["faithfulness", 1], ["answer_relevancy", 1], ["context_precision", 1]]);
  equal(server.requests.length, 4);
  equal((await place.run`${args}`).code, 0);
  equal(server.requests.length, 4);

  const { stdout, stderr } = await place.run`eval draft ${"文档 docs"}`;
  const [drafted] = stdout.trim().split("\n").map((line) => JSON.parse(line));
  deepEqual([drafted.kind, drafted.question, drafted.reference], [
    "model",
    "What goes into the soup?",
    "cook the tomatoes with onions",
  ], stderr);

  const without = await place.run`eval q.jsonl --json`;
  match(without.stderr, /judge in llm\.tasks needs --dir/);
  await server.stop();
  await writeFiles(place.cwd, { "q.jsonl": jsonl({ question, answer: "Onions are green." }) });
  const down = await place.run`${args.slice(0, -1)}`;
  equal(down.code, 0);
  match(down.stderr, /\d requests? without a result: /);
  const [, { figures }] = JSON.parse(down.stdout).data.answers[0].judges;
  deepEqual([figures.faithfulness.estimate, figures.faithfulness.missing], [null, 1]);
});
