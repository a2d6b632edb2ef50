import { deepEqual, equal } from "node:assert/strict";
import fc from "fast-check";
import { jsonSyntaxError } from "../../lib/config/_json_syntax.ts";

Deno.test("jsonSyntaxError() takes what JSON.parse() takes, and refuses what it refuses", () => {
  const damaged = fc.tuple(
    fc.json(),
    fc.nat(),
    fc.constantFrom("", ",", "}", "[", '"', "\\", "1", " ", "x", ":"),
  )
    .map(([text, at, insert]) => {
      const cut = at % (text.length + 1);
      return text.slice(0, cut) + insert + text.slice(cut + (at % 2));
    });
  fc.assert(fc.property(fc.oneof(fc.json(), damaged, fc.string()), (text) => {
    let valid = true;
    try {
      JSON.parse(text);
    } catch {
      valid = false;
    }
    equal(jsonSyntaxError(text) === null, valid, text);
  }));
});

Deno.test("jsonSyntaxError() points at the first character that cannot be", () => {
  deepEqual(jsonSyntaxError('{"a": [1, 2,]}'), { offset: 12, expected: "config_json_value" });
  deepEqual(jsonSyntaxError('{"a" 1}'), { offset: 5, expected: "config_json_colon" });
  deepEqual(jsonSyntaxError("[1 2]"), { offset: 3, expected: "config_json_comma_or_bracket" });
  deepEqual(jsonSyntaxError("{} {}"), { offset: 3, expected: "config_json_end" });
  deepEqual(jsonSyntaxError("[01]"), { offset: 1, expected: "config_json_value_or_end" });
  deepEqual(jsonSyntaxError("[".repeat(500_000))?.offset, 500_000);
});
