import { deepEqual, rejects } from "node:assert/strict";
import { userProcess } from "#foundation/boundary/mod.ts";
import { evaluateAnswers, externalJudge, type Sample } from "#library/evaluate/mod.ts";

const SAMPLES: readonly Sample[] = [
  {
    id: "a",
    question: "How long is it?",
    answer: "1 km",
    passages: ["It is 1 km long."],
    reference: "1,000 m",
  },
  { id: "a", question: "桥有多长？", answer: "一公里" },
];

/** Measures the samples with a program of JavaScript that gets the lines of the input as `lines`. */
async function measured(script: string, options: { silenceMs?: number; signal?: AbortSignal } = {}) {
  const whole = `
    const text = await new Response(Deno.stdin.readable).text();
    const lines = text.trim().split("\\n").map((line) => JSON.parse(line));
    const say = (value) => console.log(typeof value === "string" ? value : JSON.stringify(value));
    ${script}`;
  const open = userProcess([Deno.execPath(), "eval", "--no-config", "--ext=js", whole]);
  const problems: unknown[] = [];
  const onProblems = (...problem: unknown[]) => void problems.push(problem);
  const judge = externalJudge("mine.py", { open, onProblems, ...options });
  const { judges, perQuestion } = await evaluateAnswers("set", SAMPLES, [judge], options);
  return {
    figures: judges[0]!.figures,
    values: perQuestion.map(({ values }) => values["mine.py"]),
    problems,
  };
}

Deno.test("an evaluator gets a line for each question, and may answer in any order and leave values out", async () => {
  const { values, figures } = await measured(`
    for (const { id, question, ...fields } of lines.reverse()) {
      say({ id, metrics: { length: question.length, fields: Object.keys(fields).length } });
    }`);
  deepEqual(values, [{ length: 15, fields: 3 }, { length: 5, fields: 1 }]);
  deepEqual([figures["length"]!.estimate!.mean, figures["length"]!.questions], [10, 2]);
});

Deno.test("NaN of an evaluator, null, and a question that failed are counted and not part of the mean", async () => {
  const { values, figures, problems } = await measured(`
    say('{"id": 1, "metrics": {"faithfulness": NaN, "bias": 0.5}}\\n');
    say({ id: "2", error: "rate limit" });`);
  deepEqual(values, [{ faithfulness: null, bias: 0.5 }, { faithfulness: null, bias: null }]);
  deepEqual(figures["faithfulness"], { estimate: null, questions: 2, missing: 2 });
  deepEqual(problems, [[1, "rate limit"]]);
});

Deno.test("a line that an evaluator must not write is named with its number", async () => {
  for (
    const line of [
      "Loading the model …",
      '{"id": "3", "metrics": {}}',
      '{"id": "1"}',
      '{"id": "1", "metrics": {"bias": "low"}}',
      '{"id": "1", "metrics": {"bias": 1e999}}',
      "[]",
    ]
  ) {
    await rejects(measured(`say({ id: "2", metrics: {} }); say(${JSON.stringify(line)})`), {
      key: "eval_evaluator_line",
      params: {
        name: "mine.py",
        line: 2,
        text: line,
        expected: '{"id": "1", "metrics": {"faithfulness": 0.9}}',
      },
    });
  }
  await rejects(measured(`say({ id: "1", metrics: {} }); say({ id: "1", metrics: {} })`), {
    key: "eval_evaluator_line",
  });
});

Deno.test("an evaluator that fails, ends too early, hangs, or does not exist is an error, and is ended", async () => {
  const ended = (reason: string, done: number) => ({
    key: "eval_evaluator_ended" as const,
    params: { name: "mine.py", reason, done, total: 2 },
  });
  await rejects(measured(`say({ id: "1", metrics: {} })`), ended("its process ended with code 0", 1));
  await rejects(measured("Deno.exit(7)"), ended("its process ended with code 7", 0));
  await rejects(measured("await new Promise((end) => setTimeout(end, 1e6))", { silenceMs: 3000 }), {
    key: "eval_evaluator_silent",
  });
  const signal = AbortSignal.timeout(500);
  await rejects(measured("await new Promise((end) => setTimeout(end, 1e6))", { signal }), {
    name: "TimeoutError",
  });
  const missing = externalJudge("no", { open: userProcess(["/no/such/program"]) });
  await rejects(missing.measure(SAMPLES, {}), { key: "eval_evaluator_ended" });
});
