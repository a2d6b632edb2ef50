import { joinLines, toMarkdown } from "./join_lines.ts";
import { piecesOf } from "./line_text.ts";
import { linesOf, rowsOf } from "./lines.ts";
import type { Box, Run, TableBox } from "./types.ts";

/** Largest distance of two ruling lines that meet, in points. */
const NEAR = 3;
const MOST_CELLS = 10_000;
/** Longest text of a merged cell that is repeated, in characters. */
const LONGEST_REPEATED = 30;
/** Most ruled rows of a table in which one ruled row may contain several rows of text. */
const MOST_BANDS = 3;

/** Positions of the ruling lines of a table. */
export interface Grid extends Box {
  /** Positions of the vertical lines, at least two, in ascending order. */
  readonly xs: readonly number[];
  /** Positions of the horizontal lines, at least two, in ascending order. */
  readonly ys: readonly number[];
  readonly rules: readonly Box[];
}

/** Returns the grids of ruling lines with at least two columns: sets of lines that meet each other. */
export function gridsOf(rules: readonly Box[]): Grid[] {
  if (rules.length < 4) return [];
  const parent = rules.map((_, i) => i);
  const find = (i: number): number => {
    while (parent[i] !== i) i = parent[i] = parent[parent[i]!]!;
    return i;
  };
  const sorted = rules.map((_, i) => i).sort((a, b) => rules[a]!.top - rules[b]!.top);
  for (let i = 0; i < sorted.length; i++) {
    const a = rules[sorted[i]!]!;
    for (let j = i + 1; j < sorted.length; j++) {
      const b = rules[sorted[j]!]!;
      if (b.top > a.bottom + NEAR) break;
      if (b.left <= a.right + NEAR && a.left <= b.right + NEAR) parent[find(sorted[i]!)] = find(sorted[j]!);
    }
  }
  const sets = new Map<number, Box[]>();
  rules.forEach((rule, i) => {
    const key = find(i);
    const set = sets.get(key);
    if (set === undefined) sets.set(key, [rule]);
    else set.push(rule);
  });
  const grids: Grid[] = [];
  for (const set of sets.values()) {
    const vertical = set.filter(isVertical), horizontal = set.filter((rule) => !isVertical(rule));
    const xs = positions(vertical.map(({ left }) => left)), ys = positions(horizontal.map(({ top }) => top));
    if (xs.length < 2 || ys.length < 2 || (xs.length - 1) * (ys.length - 1) > MOST_CELLS) continue;
    const left = Math.min(...set.map((rule) => rule.left)),
      right = Math.max(...set.map((rule) => rule.right));
    // Tables are often open at their sides.
    if (left < xs[0]! - 3 * NEAR) xs.unshift(left);
    if (right > xs.at(-1)! + 3 * NEAR) xs.push(right);
    if (xs.length < 3) continue;
    grids.push({ left: xs[0]!, right: xs.at(-1)!, top: ys[0]!, bottom: ys.at(-1)!, xs, ys, rules: set });
  }
  return grids.sort((a, b) => area(a) - area(b));
}

/** Returns the table of the runs in a grid; `undefined` if fewer than two columns or rows contain text. */
export function tableIn(
  grid: Grid,
  runs: readonly Run[],
  order: number,
  rightToLeft: boolean,
): TableBox | undefined {
  const columns = grid.xs.length - 1, rows = grid.ys.length - 1;
  const cells = Array.from({ length: rows * columns }, (): Run[] => []);
  const owner = mergedCells(grid);
  for (const run of runs) {
    const row = slot(grid.ys, run.baseline - 0.3 * run.size);
    const column = slot(grid.xs, run.left + Math.min(run.right - run.left, run.size) / 2);
    cells[owner[row * columns + column]!]!.push(run);
  }
  const isTable = owner.filter((from, at) => from !== at).length <= 0.35 * owner.length;
  let table: string[][] = [];
  for (let row = 0; row < rows; row++) {
    // The text of a merged cell is repeated if it is short, such as a heading over several columns.
    const own = Array.from({ length: columns }, (_, column) => {
      const at = row * columns + column, from = cells[owner[at]!]!;
      return owner[at] === at || isTable && lengthOf(from) <= LONGEST_REPEATED ? from : [];
    });
    if (cells.slice(row * columns, (row + 1) * columns).every((runs) => runs.length === 0)) continue;
    table.push(...rowsIn(own, rows <= MOST_BANDS));
  }
  const kept = filledColumns(table);
  if (rightToLeft) kept.reverse();
  table = table.map((row) => kept.map((i) => row[i]!)).filter((row) => row.some((cell) => cell !== ""));
  const filled = table.flat().filter((cell) => cell !== "").length;
  if (table.length < 1 || (table[0]?.length ?? 0) < 2 || filled < 3) return undefined;
  const { left, top, right, bottom } = grid;
  const places = kept.map((i) => ({ left: grid.xs[i]!, right: grid.xs[i + 1]! }));
  return { left, top, right, bottom, rows: table, columns: places, runs, order };
}

/**
 * Returns the rows of text in a ruled row. There are several if all its cells have lines at the same heights, which no
 * ruling line separates.
 */
function rowsIn(cells: readonly (readonly Run[])[], mayDivide: boolean): string[][] {
  const lines = cells.map((runs) =>
    rowsOf(linesOf(runs)).map((row) => row.toSorted((a, b) => a.left - b.left))
  );
  const filled = lines.filter((cell) => cell.length > 0);
  const [first] = filled;
  const together = mayDivide && first !== undefined && filled.length > 1 && first.length > 2 &&
    filled.every((cell) =>
      cell.length === first.length &&
      cell.every((row, i) => Math.abs(row[0]!.baseline - first[i]![0]!.baseline) < 2)
    );
  if (together) return first.map((_, i) => lines.map((cell) => cellText(cell.slice(i, i + 1))));
  return [lines.map((cell) => cellText(cell))];
}

function cellText(rows: ReturnType<typeof rowsOf<ReturnType<typeof linesOf>[number]>>): string {
  return toMarkdown(joinLines(rows.map((row) => piecesOf({ runs: row.flatMap(({ runs }) => runs) }))));
}

/** Returns for each cell the index of the cell that holds its text. Cells without a ruling line between them are merged. */
function mergedCells({ xs, ys, rules }: Grid): number[] {
  const columns = xs.length - 1, rows = ys.length - 1;
  const owner = Array.from({ length: rows * columns }, (_, i) => i);
  const verticals = rules.filter(isVertical), horizontals = rules.filter((rule) => !isVertical(rule));
  const parts = (lines: readonly Box[], covers: (line: Box) => boolean) => lines.some(covers);
  for (let row = 0; row < rows; row++) {
    const middle = (ys[row]! + ys[row + 1]!) / 2;
    const here = verticals.filter((line) => line.top <= middle && middle <= line.bottom);
    for (let column = 1; column < columns; column++) {
      if (here.length > 0 && !parts(here, (line) => Math.abs(line.left - xs[column]!) <= NEAR)) {
        owner[row * columns + column] = owner[row * columns + column - 1]!;
      }
    }
  }
  for (let column = 0; column < columns; column++) {
    const middle = (xs[column]! + xs[column + 1]!) / 2;
    const here = horizontals.filter((line) => line.left <= middle && middle <= line.right);
    for (let row = 1; row < rows; row++) {
      const at = row * columns + column;
      if (owner[at] === at && !parts(here, (line) => Math.abs(line.top - ys[row]!) <= NEAR)) {
        owner[at] = owner[at - columns]!;
      }
    }
  }
  return owner;
}

/** The columns that contain text. */
function filledColumns(table: readonly (readonly string[])[]): number[] {
  return (table[0] ?? []).map((_, i) => i).filter((i) => table.some((row) => row[i] !== ""));
}

function lengthOf(runs: readonly Run[]): number {
  return runs.reduce((sum, { text }) => sum + text.length, 0);
}

function slot(edges: readonly number[], at: number): number {
  let i = 0;
  while (i < edges.length - 2 && at >= edges[i + 1]!) i++;
  return i;
}

function isVertical({ left, right, top, bottom }: Box): boolean {
  return bottom - top > right - left;
}

function positions(values: readonly number[]): number[] {
  const kept: number[] = [];
  for (const value of values.toSorted((a, b) => a - b)) {
    if (kept.length === 0 || value - kept.at(-1)! > NEAR) kept.push(value);
  }
  return kept;
}

function area({ left, right, top, bottom }: Box): number {
  return (right - left) * (bottom - top);
}
