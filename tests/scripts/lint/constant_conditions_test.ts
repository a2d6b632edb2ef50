import { deepEqual } from "node:assert/strict";
import { constantConditions } from "../../../scripts/lint/constant_conditions.ts";
import { lint } from "./_lint.ts";

const found = (source: string, file = "lib/a/b.ts") => lint(constantConditions, file, source);

Deno.test("constant-conditions reports expressions that always have the same value", () => {
  const source = [
    "if (rest > width && !endsWithCjk(end.slice(0, 0))) stop();",
    "text.substring(at, at);",
    "if (1 < 2) go();",
    "if (a.b === a.b) go();",
    "const c = a && a;",
  ].join("\n");
  deepEqual(found(source), [
    "1 end.slice(0, 0) is always the same",
    "2 text.substring(at, at) is always the same",
    "3 1 < 2 is always the same",
    "4 a.b === a.b is always the same",
    "5 a && a is always the same",
  ]);
});

Deno.test("constant-conditions leaves computed values, calls with effects and the files of tests alone", () => {
  const source = [
    "text.slice(0, 1);",
    "text.slice(next(), next());",
    "if (take() === take()) go();",
    "if (a < b && b < a) go();",
    "while (true) go();",
  ].join("\n");
  deepEqual(found(source), []);
  deepEqual(found("text.slice(0, 0);", "tests/a_test.ts"), []);
});
