import { deepEqual, equal, ok } from "node:assert/strict";
import { trimmedHit } from "#library/answer/fitted_search.ts";
import { hit } from "../../server/_session.ts";

const LINES = Array.from({ length: 40 }, (_, i) => `Line ${i + 1} of the manual.`);

Deno.test("trimmedHit shows the window with the weightiest marks, its lines, and … at both cut ends", () => {
  const content = LINES.with(19, "Descale the machine.").with(21, "Use vinegar.").join("\n");
  const mark = (term: string, weight: number) => ({
    start: content.indexOf(term),
    end: content.indexOf(term) + term.length,
    term,
    weight,
  });
  const marks = [mark("Line", 0.5), mark("Descale", 4), mark("vinegar", 3)];
  const shown = trimmedHit(hit({ content, startLine: 101, endLine: 140, marks }), 100);
  deepEqual(
    [shown.content, shown.startLine, shown.endLine, shown.truncated],
    [
      "…Descale the machine.\nLine 21 of the manual.\nUse vinegar.\nLine 23 of the manual.\nLine 24 of the manua…",
      120,
      124,
      true,
    ],
  );
});

Deno.test("trimmedHit shows the beginning of a text without marks, and never half a character", () => {
  const { content } = trimmedHit(hit({ content: `${"😀".repeat(30)}tea` }), 7);
  equal(content, "😀😀😀…");
});

Deno.test("trimmedHit leaves a short text as it is", () => {
  const short = hit();
  equal(trimmedHit(short, 1000), short);
  ok(!("truncated" in short));
});
