import assert from "node:assert/strict";
import { blocksOf } from "#documents/pdf/blocks.ts";
import { columnsOf } from "#documents/pdf/layout.ts";
import { linesOf, type Run, textOf } from "#documents/pdf/lines.ts";
import { BOLD, MONO, run } from "./_runs.ts";

/** Returns the lines of the blocks, preceded by the kind of a block that is not text. */
function blocks(runs: readonly Run[]): string[][] {
  return columnsOf(linesOf(runs)).flatMap(blocksOf).map((block) =>
    block.kind === "table"
      ? ["table"]
      : [...block.kind === "code" ? ["code"] : [], ...block.lines.map(textOf)]
  );
}

const FULL = "a line that is as wide as the column is";

Deno.test("a larger distance begins a paragraph", () => {
  assert.deepEqual(blocks([run(FULL, 0, 100), run("goes on.", 0, 112), run(FULL, 0, 130)]), [[
    FULL,
    "goes on.",
  ], [FULL]]);
});

Deno.test("an indented line begins a paragraph, and the line below continues it", () => {
  assert.deepEqual(
    blocks([run(`${FULL}.`, 0, 100), run(FULL, 20, 112), run(FULL, 0, 124), run("end.", 0, 136)]),
    [[`${FULL}.`], [FULL, FULL, "end."]],
  );
});

Deno.test("a sentence that ends before the margin ends the paragraph", () => {
  assert.deepEqual(blocks([run(FULL, 0, 100), run("It ends.", 0, 112), run("Here it begins.", 0, 124)]), [
    [FULL, "It ends."],
    ["Here it begins."],
  ]);
});

Deno.test("list items, bold lines and code are separate blocks", () => {
  assert.deepEqual(
    blocks([
      run("Keys", 0, 100, { face: BOLD }),
      run(FULL, 0, 112),
      run("- one", 0, 124),
      run("- two", 0, 136),
      run("open(door)", 0, 148, { face: MONO }),
      run(FULL, 0, 160),
    ]),
    [["Keys"], [FULL], ["- one"], ["- two"], ["code", "open(door)"], [FULL]],
  );
});

Deno.test("consecutive centred lines are one block", () => {
  assert.deepEqual(
    blocks([run("A title:", 80, 100), run("second line", 72, 112), run(FULL, 0, 150), run(FULL, 0, 162)]),
    [["A title:", "second line"], [FULL, FULL]],
  );
});
