import { ok } from "node:assert/strict";
import {
  answerCorrectness,
  answerRelevancy,
  contextPrecision,
  contextRecall,
  cosine,
  faithfulness,
} from "#library/evaluate/mod.ts";
// Made with the functions of ragas itself: random verdicts, and what it makes of them. null is its NaN.
import RAGAS from "./ragas.json" with { type: "json" };

function same(value: number, expected: number | null, name: string): void {
  const isSame = expected === null ? Number.isNaN(value) : Math.abs(value - expected) <= 1e-9;
  ok(isSame, `${name}: ${value}, ragas: ${expected}`);
}

Deno.test("faithfulness, context recall and context precision are those of ragas for the same verdicts", () => {
  const formulas = {
    faithfulness,
    "context_recall": contextRecall,
    "context_precision": contextPrecision,
  };
  for (const [name, formula] of Object.entries(formulas)) {
    for (const [verdicts, expected] of RAGAS[name as keyof typeof formulas] as [boolean[], number | null][]) {
      same(formula(verdicts), expected, `${name} ${verdicts}`);
    }
  }
});

Deno.test("answer relevancy is that of ragas for the same vectors and the same noncommittal answers", () => {
  for (
    const [question, generated, noncommittal, expected] of RAGAS
      .answer_relevancy as [number[], number[][], boolean[], number | null][]
  ) {
    const compared = generated.map((vector, i) => ({
      similarity: cosine(vector, question),
      isNoncommittal: noncommittal[i]!,
    }));
    same(answerRelevancy(compared), expected, `answer_relevancy ${noncommittal}`);
  }
});

Deno.test("answer correctness is that of ragas for the same counts and similarity", () => {
  for (
    const [both, answerOnly, referenceOnly, similarity, expected] of RAGAS
      .answer_correctness as [number, number, number, number, number][]
  ) {
    const counts = { both, answerOnly, referenceOnly };
    same(answerCorrectness(counts, similarity), expected, `answer_correctness ${JSON.stringify(counts)}`);
  }
});
