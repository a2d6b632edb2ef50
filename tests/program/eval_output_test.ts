import { equal } from "node:assert/strict";
import { evaluationText, shortfallText } from "#program/commands/eval_text.ts";
import type { Estimate, EvaluationResult, Metric } from "#library/evaluate/mod.ts";
import { PLAIN as plain } from "./_hits.ts";

const all = (estimate: Estimate): Record<Metric, Estimate> => ({
  ndcg: estimate,
  recall: estimate,
  mrr: estimate,
  hit: { mean: 1, low: 1, high: 1 },
});
const none = { ndcg: [], recall: [], mrr: [], hit: [] };

const RESULT: EvaluationResult = {
  name: "笔记\u001b[31m",
  documents: 240,
  queries: 1190,
  k: 5,
  systems: [
    {
      name: "keyword",
      scores: all({ mean: 0.5, low: 0.45, high: 0.551 }),
      byDepth: none,
      degrees: [],
      milliseconds: { mean: 0.8, p50: 0.5, p95: 123.4 },
      indexSeconds: 1.5,
      notices: [],
    },
    {
      name: "hybrid",
      scores: all({ mean: 0.6, low: 0.55, high: 0.65 }),
      difference: {
        ...all({ mean: 0.1, low: 0.001, high: 0.199 }),
        mrr: { mean: -0.002, low: -0.01, high: 0.0001 },
        hit: { mean: 0, low: 0, high: 0 },
      },
      byDepth: none,
      degrees: [{
        query: "en",
        text: "zh",
        degrees: {
          high: { hits: 8, right: 6 },
          medium: { hits: 0, right: 0 },
          low: { hits: 100, right: 5 },
        },
      }],
      milliseconds: { mean: 3, p50: 2.75, p95: 5 },
      indexSeconds: 1.5,
      notices: [],
    },
  ],
  worst: [{
    id: "q1",
    query: "how to\nback up",
    scores: { ndcg: 0.25, recall: 1, mrr: 0.25, hit: 1 },
    expected: ["a.md", "b.md"],
    found: [],
  }],
  perQuery: [],
};

Deno.test("evaluationText() compares systems with intervals, differences and the worst queries", () => {
  equal(
    evaluationText(RESULT, "en", plain),
    `笔记␛[31m: 240 documents, 1190 queries
  System              nDCG@5           Recall@5              MRR@5                 Hit@5  ms mean   p50   p95
  keyword  .500 [.450, .551]  .500 [.450, .551]  .500 [.450, .551]  1.000 [1.000, 1.000]     0.80  0.50   123
  hybrid   .600 [.550, .650]  .600 [.550, .650]  .600 [.550, .650]  1.000 [1.000, 1.000]     3.00  2.75  5.00
  in brackets: 95% confidence interval (bootstrap)

  Less keyword                 nDCG@5               Recall@5                  MRR@5                  Hit@5  ms p50
  hybrid        +.100 [+.001, +.199]*  +.100 [+.001, +.199]*  -.002 [-.010,  .000]    .000 [ .000,  .000]    +2.25
  * significant: the interval does not contain 0
  index built in 1.5 s (keyword)

  Right hits of hybrid by degree      high  medium         low
  en → zh                         6/8 .750       –  5/100 .050

Worst queries of hybrid
   .250  how to back up
         expected  a.md · b.md
         found     nothing
`,
  );
});

Deno.test("evaluationText() aligns Chinese and leaves out empty parts", () => {
  const [keyword] = RESULT.systems;
  equal(
    evaluationText({ ...RESULT, name: "笔记", systems: [keyword!], worst: [] }, "zh", plain),
    `笔记：240 个文档，1190 个查询
  系统                nDCG@5           Recall@5              MRR@5                 Hit@5  毫秒 均值   p50  p95
  keyword  .500 [.450, .551]  .500 [.450, .551]  .500 [.450, .551]  1.000 [1.000, 1.000]       0.80  0.50  123
  方括号内为 95% 置信区间（自助法）
  建索引 1.5 s（keyword）
`,
  );
});

Deno.test("shortfallText() shows enough digits to distinguish the figure from its threshold", () => {
  const told = (reached: number) =>
    shortfallText(
      { collection: "notes", system: "hybrid", metric: "ndcg", at: 10, value: 0.4, reached },
      "en",
    );
  equal(told(0.3), "notes: nDCG@10 of hybrid is 0.300, below 0.4");
  equal(told(0.39999), "notes: nDCG@10 of hybrid is 0.39999, below 0.4");
});
