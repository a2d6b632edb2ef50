import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { type HitSpan, judge, scoresAt } from "#library/evaluate/metrics.ts";
import type { Target } from "#library/evaluate/types.ts";

const span = (document: string, first = 1, last = 10): HitSpan => ({ document, first, last });
const ranking = (documents: string) => [...documents].map((document) => span(document));
const targets = (gains: Record<string, number>): Target[] =>
  Object.entries(gains).map(([document, gain]) => ({ document, gain }));

Deno.test("scoresAt() returns hand-computed values for graded judgements", () => {
  // DCG: 0/log2(2) + 2/log2(3) + 0/log2(4) + 1/log2(5); ideal: 3/log2(2) + 2/log2(3) + 1/log2(4)
  const dcg = 2 / Math.log2(3) + 1 / Math.log2(5);
  const ideal = 3 + 2 / Math.log2(3) + 0.5;
  deepEqual(scoresAt(judge(ranking("xbya"), targets({ a: 1, b: 2, c: 3, x: 0, y: -1 })), 10), {
    ndcg: dcg / ideal,
    recall: 2 / 3,
    mrr: 1 / 2,
    hit: 1,
  });
});

Deno.test("scoresAt() compares the first k hits with the ideal ranking of k hits", () => {
  const judged = judge(ranking("xab"), targets({ a: 1, b: 1 }));
  deepEqual(scoresAt(judged, 1), { ndcg: 0, recall: 0, mrr: 0, hit: 0 });
  deepEqual(scoresAt(judged, 2), {
    ndcg: 1 / Math.log2(3) / (1 + 1 / Math.log2(3)),
    recall: 1 / 2,
    mrr: 1 / 2,
    hit: 1,
  });
  equal(scoresAt(judge(ranking("a"), targets({ a: 1, b: 1 })), 1).ndcg, 1);
});

Deno.test("scoresAt() returns 0 if no target is relevant or found", () => {
  const none = { ndcg: 0, recall: 0, mrr: 0, hit: 0 };
  deepEqual(scoresAt(judge(ranking("ab"), targets({ a: 0 })), 10), none);
  deepEqual(scoresAt(judge([], targets({ a: 1 })), 10), none);
});

Deno.test("judge() credits a hit with the passages that it overlaps, each passage once", () => {
  const passages: Target[] = [
    { document: "a", gain: 1, lines: { first: 5, last: 8 } },
    { document: "a", gain: 2, lines: { first: 20, last: 20 } },
    { document: "b", gain: 1 },
  ];
  const hits = [
    span("a", 1, 4),
    span("a", 8, 20),
    span("a", 5, 5),
    span("b", 90, 99),
    span("c", 5, 8),
  ];
  deepEqual(judge(hits, passages), { gains: [0, 3, 0, 1, 0], found: [0, 2, 0, 1, 0], ideal: [2, 1, 1] });
});

Deno.test("judge() checks page and heading, and all positions of a hit", () => {
  const wanted: Target[] = [
    { document: "a.pdf", gain: 1, pages: { first: 3, last: 4 } },
    { document: "a.html", gain: 1, section: "Partial checkout" },
  ];
  const onPage = (page: number) => ({ ...span("a.pdf", 1, 9), page });
  const below = (heading: string) => ({ ...span("a.html", 1, 9), section: ["Guide", heading] });
  const found = (hit: HitSpan) => judge([hit], wanted).found[0];
  deepEqual([2, 3, 4, 5].map((page) => found(onPage(page))), [0, 1, 1, 0]);
  equal(found(span("a.pdf", 1, 9)), 0);
  deepEqual(["3.2 partial  Checkout", "Checkout"].map((heading) => found(below(heading))), [1, 0]);
  equal(found({ ...span("a.txt", 1, 9), also: [below("Partial checkout"), onPage(3)] }), 2);
});

Deno.test("nDCG is at most 1 even if one hit covers two passages", () => {
  const passages: Target[] = [
    { document: "a", gain: 1, lines: { first: 1, last: 2 } },
    { document: "a", gain: 1, lines: { first: 3, last: 4 } },
  ];
  deepEqual(scoresAt(judge([span("a", 1, 4)], passages), 10), { ndcg: 1, recall: 1, mrr: 1, hit: 1 });
});

const documents = ["a", "b", "c", "d", "e", "f", "g", "h"];
const anyRanking = fc.shuffledSubarray(documents).map((names) => names.map((name) => span(name)));
const anyTargets = fc.dictionary(fc.constantFrom(...documents), fc.integer({ min: -1, max: 3 })).map(targets);
const anyDepth = fc.integer({ min: 1, max: 10 });

Deno.test("all metrics are between 0 and 1, and only nDCG can fall with the depth", () => {
  fc.assert(fc.property(anyRanking, anyTargets, anyDepth, (hits, judgements, k) => {
    const judged = judge(hits, judgements);
    const [here, deeper] = [scoresAt(judged, k), scoresAt(judged, k + 1)];
    for (const value of Object.values(here)) ok(value >= 0 && value <= 1 + 1e-12);
    ok(deeper.recall >= here.recall && deeper.mrr >= here.mrr && deeper.hit >= here.hit);
  }));
});

Deno.test("the metrics do not depend on the order of the judgements", () => {
  const both = anyTargets.chain((judgements) =>
    fc.tuple(
      fc.constant(judgements),
      fc.shuffledSubarray(judgements, { minLength: judgements.length, maxLength: judgements.length }),
    )
  );
  fc.assert(fc.property(anyRanking, both, anyDepth, (hits, [one, other], k) => {
    deepEqual(scoresAt(judge(hits, one), k), scoresAt(judge(hits, other), k));
  }));
});

Deno.test("the ranking by gain has nDCG 1, and moving a better hit up never lowers nDCG", () => {
  fc.assert(fc.property(anyRanking, anyTargets, anyDepth, (hits, judgements, k) => {
    const gain = new Map(judgements.map(({ document, gain }) => [document, Math.max(0, gain)]));
    const gainOf = ({ document }: HitSpan) => gain.get(document) ?? 0;
    const score = (order: readonly HitSpan[]) => scoresAt(judge(order, judgements), k).ndcg;
    const best = documents.map((document) => span(document)).sort((a, b) => gainOf(b) - gainOf(a));
    equal(score(best), Math.max(...gain.values(), 0) > 0 ? 1 : 0);
    const at = hits.findIndex((hit, index) => index > 0 && gainOf(hit) > gainOf(hits[index - 1]!));
    if (at < 0) return;
    const swapped = hits.with(at - 1, hits[at]!).with(at, hits[at - 1]!);
    ok(score(swapped) >= score(hits) - 1e-12);
  }));
});
