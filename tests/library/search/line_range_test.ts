import { deepEqual } from "node:assert/strict";
import { lineRange } from "#library/search/line_range.ts";
import { assertUserError } from "../../foundation/boundary/helpers.ts";

const TEXT = "one\r\ntwo\n\n四\nfive";

Deno.test("lineRange() returns lines with their ends, both bounds included", () => {
  const parts = [{}, { startLine: 2 }, { endLine: 1 }, { startLine: 2, endLine: 3 }, {
    startLine: 5,
    endLine: 99,
  }]
    .map((range) => lineRange(TEXT, range));
  deepEqual(parts, [
    { text: TEXT, startLine: 1, endLine: 5, totalLines: 5 },
    { text: "two\n\n四\nfive", startLine: 2, endLine: 5, totalLines: 5 },
    { text: "one\r\n", startLine: 1, endLine: 1, totalLines: 5 },
    { text: "two\n\n", startLine: 2, endLine: 3, totalLines: 5 },
    { text: "five", startLine: 5, endLine: 5, totalLines: 5 },
  ]);
});

Deno.test("a line end at the end of a text begins no line, and an empty text has no lines", () => {
  deepEqual(lineRange("a\nb\n", {}), { text: "a\nb\n", startLine: 1, endLine: 2, totalLines: 2 });
  deepEqual(lineRange("\n", {}), { text: "\n", startLine: 1, endLine: 1, totalLines: 1 });
  deepEqual(lineRange("", {}), { text: "", startLine: 1, endLine: 1, totalLines: 0 });
});

Deno.test("lineRange() throws for bounds outside of the text", async () => {
  for (
    const range of [
      { startLine: 0 },
      { startLine: -1, endLine: 2 },
      { startLine: 3, endLine: 2 },
      { startLine: 6 },
      { endLine: 0 },
      { startLine: 1.5 },
      { startLine: NaN },
    ]
  ) {
    await assertUserError(() => Promise.resolve().then(() => lineRange(TEXT, range)), "bad_line_range");
  }
});
