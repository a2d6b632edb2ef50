import assert from "node:assert/strict";
import { alignedTables, gridsOf, tableIn } from "#documents/pdf/layout.ts";
import { type Box, linesOf, type Run } from "#documents/pdf/lines.ts";
import { run } from "./_runs.ts";

function aligned(runs: readonly Run[]): readonly (readonly string[])[][] {
  return alignedTables(linesOf(runs), false).tables.map(({ rows }) => [...rows]);
}

function row(cells: readonly string[], baseline: number, step = 100): Run[] {
  return cells.flatMap((text, i) => text === "" ? [] : [run(text, i * step, baseline)]);
}

Deno.test("a cell that continues in the next line is one cell", () => {
  assert.deepEqual(
    aligned([
      ...row(["Key", "Use", "Price"], 100),
      ...row(["Front", "opens the", "3"], 120),
      ...row(["", "front door", ""], 131),
      ...row(["Spare", "nothing", "4"], 151),
    ]),
    [[["Key", "Use", "Price"], ["Front", "opens the front door", "3"], ["Spare", "nothing", "4"]]],
  );
});

Deno.test("empty cells stay empty", () => {
  assert.deepEqual(
    aligned([
      ...row(["", "2023", "2024"], 100),
      ...row(["Keys", "3", ""], 114),
      ...row(["Locks", "", "4"], 128),
    ]),
    [[["", "2023", "2024"], ["Keys", "3", ""], ["Locks", "", "4"]]],
  );
});

Deno.test("lists, tables of contents, numbered formulas and code are not tables", () => {
  for (
    const rows of [
      [["•", "one"], ["•", "two"], ["•", "three"]],
      [["1. Keys", "3"], ["2. Locks", "14"], ["3. Doors", "25"]],
      [["a = b", "(1)"], ["b = c", "(2)"], ["c = d", "(3)"]],
    ]
  ) {
    assert.deepEqual(
      aligned(rows.flatMap((cells, i) => row(cells, 100 + 14 * i, cells[0] === "•" ? 20 : 100))),
      [],
    );
  }
});

/** Returns ruling lines at these positions, from the first to the last. */
function grid(xs: readonly number[], ys: readonly number[]): Box[] {
  return [
    ...xs.map((x) => ({ left: x, right: x, top: ys[0]!, bottom: ys.at(-1)! })),
    ...ys.map((y) => ({ left: xs[0]!, right: xs.at(-1)!, top: y, bottom: y })),
  ];
}

Deno.test("lines that meet form a grid; a frame does not", () => {
  assert.deepEqual(
    gridsOf([...grid([0, 100, 200], [0, 20, 40]), ...grid([300, 400], [0, 40])]).map((
      { xs, ys },
    ) => [xs, ys]),
    [[[0, 100, 200], [0, 20, 40]]],
  );
});

Deno.test("cells contain their lines, whatever the gaps between the columns", () => {
  const [found] = gridsOf(grid([0, 60, 200], [0, 20, 60]));
  assert.deepEqual(
    tableIn(
      found!,
      [
        run("Key", 2, 14),
        run("Use", 62, 14),
        run("a long key", 2, 34),
        run("opens", 62, 34),
        run("doors", 62, 46),
      ],
      0,
      false,
    )
      ?.rows,
    [["Key", "Use"], ["a long key", "opens doors"]],
  );
});

Deno.test("rows without ruling lines between them are separate rows", () => {
  const [found] = gridsOf(grid([0, 100, 200], [0, 20, 80]));
  const body = [0, 1, 2].flatMap((i) => [run(`key ${i}`, 2, 34 + 14 * i), run(`${i} €`, 102, 34 + 14 * i)]);
  assert.deepEqual(
    tableIn(found!, [run("Key", 2, 14), run("Price", 102, 14), ...body], 0, false)?.rows,
    [["Key", "Price"], ["key 0", "0 €"], ["key 1", "1 €"], ["key 2", "2 €"]],
  );
});
