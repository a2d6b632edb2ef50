import { deepEqual, equal, ok } from "node:assert/strict";
import {
  answerShortfalls,
  evaluateAnswers,
  offlineJudge,
  parseAnswerThreshold,
  type Sample,
} from "#library/evaluate/mod.ts";

const BRIDGE = [
  "The bridge is 1,149 m long and has eight lanes.",
  "Cheese is made of milk.",
  "Repairs of the bridge began in 2019.",
];

/** Values of one sample without a model. */
async function measured(sample: Omit<Sample, "id">) {
  const { perQuestion } = await evaluateAnswers("set", [{ id: "1", ...sample }], [offlineJudge()]);
  return perQuestion[0]!.values["offline"]!;
}

Deno.test("without a model, faithfulness is the share of sentences that the passages support", async () => {
  const question = "How long is the bridge?";
  const of = async (answer: string) =>
    (await measured({ question, answer, passages: BRIDGE }))["faithfulness"];
  equal(await of("The bridge is 1,149 m long."), 1);
  equal(await of("The bridge is 1,149 m long. It was built by the Romans."), 0.5);
  equal(await of("The bridge is 1,194 m long."), 0);
  equal(await of("这座桥长1149米。"), 1);
});

Deno.test("without a model, an answer that states nothing has no faithfulness and a relevancy of 0", async () => {
  const values = await measured({
    question: "How long is the bridge?",
    answer: "The documents do not say how long the bridge is.",
    passages: BRIDGE,
  });
  deepEqual([values["faithfulness"], values["answer_relevancy"]], [null, 0]);
});

Deno.test("without a model, an answer to the question is more relevant than an answer to another one", async () => {
  const relevancy = async (question: string, answer: string) =>
    (await measured({ question, answer }))["answer_relevancy"]!;
  for (
    const [question, right, wrong] of [
      ["How long is the bridge?", "The bridge is 1,149 m long.", "Cheese is made of milk."],
      ["这座桥有多长？", "这座桥长1149米。", "奶酪由牛奶制成。"],
      ["这座桥有多长？", "The bridge is 1,149 m long.", "Cheese is made of milk."],
    ] as const
  ) {
    const [of, other] = [await relevancy(question, right), await relevancy(question, wrong)];
    ok(of > other + 0.1, `${question} ${of} ${other}`);
  }
});

Deno.test("without a model, context precision and recall are those of the reference's sentences", async () => {
  const values = await measured({
    question: "How long is the bridge, and when was it repaired?",
    reference: "The bridge is 1,149 m long. Repairs began in 2019. It cost nine million.",
    passages: BRIDGE,
  });
  deepEqual(values, { context_precision: (1 + 2 / 3) / 2, context_recall: 2 / 3 });
});

Deno.test("without a model, correctness counts the statements of answer and reference that the other has", async () => {
  const question = "In which year were repairs of the bridge finished?";
  const correctness = async (answer: string, reference: string) =>
    (await measured({ question, answer, reference }))["answer_correctness"]!;
  const same = await correctness("2019", "2019");
  ok(Math.abs(same - 1) < 1e-6, String(same));
  // A short reference answers in the words of the question.
  ok(await correctness("Repairs of the bridge were finished in 2019.", "2019") > 0.7);
  ok(await correctness("Repairs of the bridge were finished in 2018.", "2019") <= 0.25);
});

Deno.test("a value that does not exist is counted and not part of the mean", async () => {
  const question = "How long is the bridge?";
  const answers = ["The bridge is 1,149 m long.", "The documents do not say it.", "The bridge is 9 m long."];
  const samples = answers.map((answer, i) => ({ id: String(i), question, answer, passages: BRIDGE }));
  const result = await evaluateAnswers("set", [...samples, { id: "x", question, answer: "1 m" }], [
    offlineJudge(),
  ]);
  const { faithfulness } = result.judges[0]!.figures;
  deepEqual([faithfulness!.estimate!.mean, faithfulness!.questions, faithfulness!.missing], [0.5, 3, 1]);
  const min = (text: string) => answerShortfalls([parseAnswerThreshold(text)!], result);
  deepEqual(min("faithfulness=0.5"), []);
  deepEqual(min("Faithfulness=.51"), [{ name: "set", metric: "faithfulness", value: 0.51, reached: 0.5 }]);
  deepEqual(min("context_recall=0"), [{ name: "set", metric: "context_recall", value: 0, reached: null }]);
  deepEqual(["ndcg=1", "faithfulness=2", "faithfulness"].map((text) => parseAnswerThreshold(text)), [
    undefined,
    undefined,
    undefined,
  ]);
});
