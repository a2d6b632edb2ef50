import assert from "node:assert/strict";
import { linesOf, type Run, textOf } from "#documents/pdf/lines.ts";
import { BOLD, run } from "./_runs.ts";

function texts(runs: readonly Run[]): string[] {
  return linesOf(runs).map(textOf);
}

Deno.test("runs that follow each other are a line, with blanks at the gaps", () => {
  assert.deepEqual(texts([run("The", 0, 100), run("keys", 18, 100), run("s", 38, 100)]), ["The keyss"]);
});

Deno.test("a wide gap separates two lines on one baseline", () => {
  assert.deepEqual(texts([run("left", 0, 100), run("right", 60, 100)]), ["left", "right"]);
});

Deno.test("runs that the file draws out of order are joined to a line", () => {
  assert.deepEqual(texts([run("keys", 18, 100), run("below", 0, 112), run("The", 0, 100)]), [
    "The keys",
    "below",
  ]);
});

Deno.test("raised and lowered characters belong to the line, and marks of footnotes stand apart", () => {
  const raised = (text: string, left: number) => run(text, left, 96, { size: 6 });
  assert.deepEqual(texts([run("area in m", 0, 100), raised("2", 45), run("is", 51, 100)]), ["area in m2 is"]);
  assert.deepEqual(texts([run("the keys", 0, 100), raised("3", 40)]), ["the keys 3"]);
});

Deno.test("text drawn twice to look bold appears once", () => {
  assert.deepEqual(texts([run("Keys", 0, 100), run("Keys", 0.4, 100)]), ["Keys"]);
});

Deno.test("Chinese runs are joined without blanks, and Latin words between them keep theirs", () => {
  assert.deepEqual(
    texts([
      run("安装", 0, 100, { right: 20 }),
      run("系统", 22, 100, { right: 42, face: BOLD }),
      run("Debian", 45, 100),
    ]),
    ["安装系统 Debian"],
  );
  assert.deepEqual(texts([run("目 录", 0, 100)]), ["目录"]);
});

Deno.test("right-to-left lines are in reading order, with left-to-right words in theirs", () => {
  const rtl = (text: string, left: number) => run(text, left, 100, { rtl: true });
  assert.deepEqual(
    texts([rtl("مفتاح", 100), run("Python", 60, 100), run("3", 92, 100), rtl("جديد", 36)]),
    ["مفتاح Python 3 جديد"],
  );
});
