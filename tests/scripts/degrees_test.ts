import { deepEqual, ok } from "node:assert/strict";
import { fitLogistic, logistic } from "../../research/degrees/logistic.ts";
import { holds } from "../../research/degrees/collections.ts";

Deno.test("fitLogistic() finds the share of right cases at each value of a sign", () => {
  const cases = [0, 1].flatMap((sign) =>
    Array.from({ length: 1000 }, (_, i) => ({
      signs: [sign],
      isRight: i % 10 < (sign === 0 ? 2 : 9),
      weight: 1,
    }))
  );
  const [constant, weight] = fitLogistic(cases);
  ok(Math.abs(logistic(constant!) - 0.2) < 0.01);
  ok(Math.abs(logistic(constant! + weight!) - 0.9) < 0.01);
});

Deno.test("a passage holds an answer if half of one is in the other", () => {
  const answer = "The first sentence. The second one is here. A third one follows.";
  deepEqual([
    holds(`Before. ${answer} After.`, [answer]),
    holds("The second one is here.", ["Another text.", answer]),
    holds("The first sentence. Then something else follows, which is much longer than that.", [answer]),
    holds(answer, []),
  ], [true, true, false, false]);
});
