import { deepEqual, throws } from "node:assert/strict";
import { UsageError } from "#foundation/errors.ts";
import {
  checkThresholds,
  type EvaluationResult,
  type Metric,
  parseThreshold,
  shortfalls,
  type SystemResult,
} from "#library/evaluate/mod.ts";

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
