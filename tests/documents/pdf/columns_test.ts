import assert from "node:assert/strict";
import { columnsOf } from "#documents/pdf/layout.ts";
import { linesOf, type Run, textOf } from "#documents/pdf/lines.ts";
import { run } from "./_runs.ts";

/** Returns the first words of the lines in reading order, one list per column. */
function order(runs: readonly Run[], rightToLeft = false): string[][] {
  return columnsOf(linesOf(runs), rightToLeft).map(({ items }) =>
    items.map((item) => "rows" in item ? "table" : textOf(item).split(" ")[0]!)
  );
}

/** Returns lines of text that fill a column. */
function column(name: string, left: number, top: number, count: number, width = 40): Run[] {
  return Array.from({ length: count }, (_, i) => run(`${name}${i} `.padEnd(width, "x "), left, top + 12 * i));
}

const names = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name}${i}`);

Deno.test("three columns are read from left to right", () => {
  const runs = [...column("a", 0, 100, 6), ...column("b", 220, 100, 6), ...column("c", 440, 100, 6)];
  assert.deepEqual(order(runs), [names("a", 6), names("b", 6), names("c", 6)]);
});

Deno.test("columns of a right-to-left script are read from right to left", () => {
  const runs = [...column("a", 0, 100, 6), ...column("b", 220, 100, 6)];
  assert.deepEqual(order(runs, true), [names("b", 6), names("a", 6)]);
});

Deno.test("a line across both columns divides them from top to bottom", () => {
  const runs = [
    ...column("title", 0, 80, 1, 80),
    ...column("a", 0, 100, 4),
    ...column("b", 220, 100, 4),
    ...column("wide", 0, 160, 2, 80),
    ...column("c", 0, 200, 4),
    ...column("d", 220, 200, 4),
  ];
  assert.deepEqual(order(runs), [
    ["title0"],
    names("a", 4),
    names("b", 4),
    names("wide", 2),
    names("c", 4),
    names("d", 4),
  ]);
});

Deno.test("the short last line of a wide paragraph stays with it", () => {
  const runs = [
    ...column("wide", 0, 76, 2, 80),
    run("short end.", 0, 100),
    ...column("a", 0, 124, 4),
    ...column("b", 220, 124, 4),
  ];
  assert.deepEqual(order(runs), [["wide0", "wide1", "short"], names("a", 4), names("b", 4)]);
});

Deno.test("rows of a table that the file draws one by one are not columns", () => {
  const rows = Array.from(
    { length: 5 },
    (_, i) => [run(`key${i}`, 0, 100 + 12 * i), run(`value${i}`, 220, 100 + 12 * i)],
  );
  assert.deepEqual(order(rows.flat()), [names("key", 5).flatMap((key, i) => [key, `value${i}`])]);
});
