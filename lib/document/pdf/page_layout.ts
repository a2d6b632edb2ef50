import { alignedTables } from "./aligned_tables.ts";
import { type Column, columnsOf } from "./columns.ts";
import { least } from "./least.ts";
import { isRightToLeft } from "./line_text.ts";
import { lineOf, linesOf, rowsOf } from "./lines.ts";
import { gridsOf, tableIn } from "./ruled_tables.ts";
import type { Line, PageLayer, Run, TableBox } from "./types.ts";

/** Returns the columns of a page in reading order. Items on one baseline of a column are joined to one line. */
export function layOut({ runs, rules }: PageLayer): Column[] {
  const rightToLeft = isRightToLeft(runs);
  const tables: TableBox[] = [];
  let rest: readonly Run[] = runs;
  for (const grid of gridsOf(rules)) {
    const inside: Run[] = [], outside: Run[] = [];
    let order = Infinity;
    rest.forEach((run, i) => {
      const x = (run.left + run.right) / 2, y = run.baseline - 0.3 * run.size;
      if (grid.left - 1 <= x && x <= grid.right + 1 && grid.top <= y && y <= grid.bottom) {
        inside.push(run);
        order = Math.min(order, i);
      } else outside.push(run);
    });
    if (inside.length < 3) continue;
    const table = tableIn(grid, inside, order, rightToLeft);
    if (table === undefined) continue;
    tables.push(table);
    rest = outside;
  }
  return columnsOf([...linesOf(rest), ...tables], rightToLeft).map((column) => ({
    ...column,
    items: withTables(column.items, rightToLeft),
  }));
}

/** Returns the items of a column from top to bottom. Items on one baseline become a row of a table, or one line. */
function withTables(items: Column["items"], rightToLeft: boolean): Column["items"] {
  const ruled = items.filter((item): item is TableBox => "rows" in item);
  const { tables, rest } = alignedTables(
    items.filter((item): item is Line => !("rows" in item)),
    rightToLeft,
  );
  const lines = rowsOf(rest).map((row) =>
    row.length === 1 ? row[0]! : lineOf(row.flatMap(({ runs }) => runs), least(row.map(({ order }) => order)))
  );
  return [...lines, ...ruled, ...tables].sort((a, b) => a.top - b.top);
}
