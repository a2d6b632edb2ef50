import { deepEqual } from "node:assert/strict";
import { Generator } from "#library/generate/mod.ts";
import { type LanguageModel, openLanguageModel } from "#models/language/mod.ts";
import { evaluateAnswers, modelJudge, type Sample } from "#library/evaluate/mod.ts";
import { loadConfig } from "#foundation/configuration/mod.ts";
import { type Asked, LanguageServer } from "../../models/language/_servers/mod.ts";
import { MemoryStore } from "../store/memory/memory_store.ts";

const SAMPLE: Sample = {
  id: "1",
  question: "How long is the bridge?",
  answer: "It is 1,149 m long and red.",
  passages: ["The bridge is 1,149 m long.", "Cheese.", "It has a length of 1,149 metres."],
  reference: "1,149 m. It opened in 1966.",
};

/** The verdicts of a model by what the request asks for. */
function verdicts({ prompt }: Asked): unknown {
  if (prompt.includes('{"statements"')) {
    return {
      statements: prompt.includes("opened")
        ? ["It is 1,149 m long.", "It opened in 1966."]
        : ["It is 1,149 m long.", "It is red."],
    };
  }
  if (prompt.includes('"passage": 1')) {
    return { verdicts: [{ passage: 3, verdict: 1 }, { passage: 1, verdict: 1 }, { passage: 2, verdict: 0 }] };
  }
  if (prompt.includes('"statement": 1')) {
    return { verdicts: [{ statement: 2, verdict: 0 }, { statement: 1, verdict: 1 }] };
  }
  if (prompt.includes("noncommittal")) return { questions: ["How long is the bridge?"], noncommittal: 0 };
  return { tp: [1], fp: [2], fn: [2] };
}

/** Measures the sample with a model that answers so. */
async function judged(reply: (asked: Asked) => unknown, sample: Sample = SAMPLE) {
  await using server = await LanguageServer.start("openai-compatible");
  server.reply = reply;
  const { config } = await loadConfig({ cwd: "/", env: {} });
  const model: LanguageModel = await openLanguageModel({ ...config.llm, ...server.llm() });
  const store = new MemoryStore("/notes");
  await (await store.lock())[Symbol.asyncDispose]();
  const measure = async () => {
    const generator = new Generator(store.generated, model);
    const { perQuestion } = await evaluateAnswers("set", [sample], [modelJudge(generator)]);
    const values = Object.entries(perQuestion[0]!.values[model.id]!);
    return {
      values: Object.fromEntries(
        values.map(([metric, value]) => [metric, value && Math.round(value * 1e6) / 1e6]),
      ),
      failures: Object.fromEntries(generator.failures),
    };
  };
  const first = await measure();
  const calls = server.requests.length;
  return { ...first, calls, again: await measure(), more: server.requests.length - calls };
}

Deno.test("a model's verdicts give the metrics of ragas, and are asked for once", async () => {
  const { values, failures, calls, again, more } = await judged(verdicts);
  deepEqual(values, {
    faithfulness: 0.5,
    answer_relevancy: 1,
    context_precision: Math.round((1 + 2 / 3) / 2 * 1e6) / 1e6,
    context_recall: 0.5,
    // The similarity of the texts counts a quarter.
    answer_correctness: values["answer_correctness"],
  });
  deepEqual([failures, calls, again.values, more], [{}, 7, values, 0]);
});

Deno.test("verdicts that are not one for each statement or passage make no value, and are counted", async () => {
  const { values, failures } = await judged((asked) => {
    if (asked.prompt.includes('"statement": 1')) return { verdicts: [{ statement: 1, verdict: 1 }] };
    if (asked.prompt.includes('"passage": 1')) {
      return { verdicts: [1, 1, 2].map((passage) => ({ passage, verdict: 1 })) };
    }
    if (asked.prompt.includes('"tp"')) return { tp: [1, 7], fp: [2], fn: [] };
    return verdicts(asked);
  });
  deepEqual(values, {
    faithfulness: null,
    answer_relevancy: 1,
    context_precision: null,
    context_recall: null,
    answer_correctness: null,
  });
  deepEqual(failures, { llm_not_grounded: 4 });
});

Deno.test("an answer without statements has no faithfulness, and a noncommittal one no relevancy", async () => {
  const reply = ({ prompt }: Asked) =>
    prompt.includes("noncommittal")
      ? { questions: ["How long is it?"], noncommittal: 1 }
      : { statements: [] };
  const { reference: _, ...sample } = SAMPLE;
  const { values } = await judged(
    (asked) => asked.prompt.includes('"passage": 1') ? verdicts(asked) : reply(asked),
    sample,
  );
  deepEqual([values["faithfulness"], values["answer_relevancy"]], [null, 0]);
});
