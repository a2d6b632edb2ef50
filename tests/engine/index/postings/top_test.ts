import { equal } from "node:assert/strict";
import * as fc from "fast-check";
import { TopScores } from "#engine/index/postings/bm25.ts";

Deno.test("the threshold after each offer is the capacity-th greatest score, 0 while there are fewer", () => {
  const scores = fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 40 });
  fc.assert(fc.property(fc.integer({ min: 1, max: 12 }), scores, (capacity, offered) => {
    const top = new TopScores(capacity);
    const seen: number[] = [];
    for (const score of offered) {
      seen.push(score);
      seen.sort((a, b) => b - a);
      equal(top.offer(score), seen[capacity - 1] ?? 0);
    }
  }));
});
