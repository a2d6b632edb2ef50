import { deepEqual } from "node:assert/strict";
import { citationsIn } from "../../../lib/library/ask/citations.ts";

Deno.test("the numbers of passages are taken out of a sentence in every form that models write", () => {
  const cases: readonly [sentence: string, text: string, numbers: number[], unknown: number[]][] = [
    ["It is long [1].", "It is long.", [1], []],
    ["It is long.[2][1]", "It is long.", [2, 1], []],
    ["It is long [1, 3; 9].", "It is long.", [1, 3], [9]],
    ["It is long [1-3].", "It is long.", [1, 2, 3], []],
    ["It is long [^2] and high [passage 3].", "It is long and high.", [2, 3], []],
    ["It opens at 2 a.m. [1][2].", "It opens at 2 a.m.", [1, 2], []],
    ["它很长[1]。", "它很长。", [1], []],
    ["它很长【2†source】。", "它很长。", [2], []],
    ["它很长［3］（来源2）。", "它很长。", [3, 2], []],
    ["It is long [0][4].", "It is long.", [], [0, 4]],
    ["It was built in [2019].", "It was built in [2019].", [], []],
    ["Write `list[1]` [1].", "Write `list[1]`.", [1], []],
    ["See [1](http://e.test).", "See [1](http://e.test).", [], []],
  ];
  deepEqual(
    cases.map(([sentence]) => citationsIn(sentence, 3)),
    cases.map(([, text, numbers, unknown]) => ({ text, numbers, unknown })),
  );
});
