import { deepEqual } from "node:assert/strict";
import { worstQueries } from "#library/evaluate/evaluate.ts";

const scores = (ndcg: number) => ({ ndcg, recall: ndcg, mrr: ndcg, hit: ndcg });
const corpus = { labelOf: (document: string) => `<${document}>` };
const query = (id: string) => ({ id, text: `${id}?`, targets: [{ document: "a", gain: 1 }] });

Deno.test("worstQueries() returns the lowest nDCG first, and no query with nDCG 1", () => {
  const run = { scores: [scores(1), scores(0.5), scores(0), scores(0.5)], rankings: [[], [], [], []] };
  const queries = ["p", "q", "r", "s"].map(query);
  deepEqual(worstQueries(queries, run, corpus, 10).map(({ id }) => id), ["r", "q", "s"]);
  deepEqual(worstQueries(queries, run, corpus, 1).map(({ id }) => id), ["r"]);
  deepEqual(worstQueries(queries, run, corpus, 0), []);
});

Deno.test("worstQueries() names the three best targets and hits, passages with their lines", () => {
  const targets = [
    { document: "a", gain: 1, lines: { first: 3, last: 4 } },
    { document: "b", gain: 2 },
    { document: "c", gain: 0 },
  ];
  const ranking = ["x", "y", "z", "w"].map((document, at) => ({ document, first: at + 1, last: at + 2 }));
  deepEqual(
    worstQueries([{ id: "1", text: "t", targets }], { scores: [scores(0)], rankings: [ranking] }, corpus, 1),
    [{
      id: "1",
      query: "t",
      scores: scores(0),
      expected: ["<b>", "<a>:3-4"],
      found: ["<x>:1-2", "<y>:2-3", "<z>:3-4"],
    }],
  );
});
