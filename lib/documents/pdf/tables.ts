/**
 * Finds the tables of a page: by ruling lines, and by rows whose pieces are aligned in columns.
 * Both return cells of inline Markdown; text outside of tables stays as lines.
 */
import {
  boundsOf,
  type Box,
  type Interval,
  isCaption,
  joinLines,
  LEADERS,
  least,
  type Line,
  lineOf,
  linesOf,
  piecesOf,
  rowsOf,
  type Run,
  type TableBox,
  textOf,
  toMarkdown,
} from "./lines.ts";

/** Largest distance of two ruling lines that meet, in points. */
const MEETING_DISTANCE = 3;
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
      if (b.top > a.bottom + MEETING_DISTANCE) break;
      if (b.left <= a.right + MEETING_DISTANCE && a.left <= b.right + MEETING_DISTANCE) {
        parent[find(sorted[i]!)] = find(sorted[j]!);
      }
    }
  }
  const grids: Grid[] = [];
  for (const set of Map.groupBy(rules, (_, i) => find(i)).values()) {
    const vertical = set.filter(isVertical), horizontal = set.filter((rule) => !isVertical(rule));
    const xs = positions(vertical.map(({ left }) => left)), ys = positions(horizontal.map(({ top }) => top));
    if (xs.length < 2 || ys.length < 2 || (xs.length - 1) * (ys.length - 1) > MOST_CELLS) continue;
    const left = Math.min(...set.map((rule) => rule.left)),
      right = Math.max(...set.map((rule) => rule.right));
    // Tables are often open at their sides.
    if (left < xs[0]! - 3 * MEETING_DISTANCE) xs.unshift(left);
    if (right > xs.at(-1)! + 3 * MEETING_DISTANCE) xs.push(right);
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
      if (here.length > 0 && !parts(here, (line) => Math.abs(line.left - xs[column]!) <= MEETING_DISTANCE)) {
        owner[row * columns + column] = owner[row * columns + column - 1]!;
      }
    }
  }
  for (let column = 0; column < columns; column++) {
    const middle = (xs[column]! + xs[column + 1]!) / 2;
    const here = horizontals.filter((line) => line.left <= middle && middle <= line.right);
    for (let row = 1; row < rows; row++) {
      const at = row * columns + column;
      if (owner[at] === at && !parts(here, (line) => Math.abs(line.top - ys[row]!) <= MEETING_DISTANCE)) {
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
    if (kept.length === 0 || value - kept.at(-1)! > MEETING_DISTANCE) kept.push(value);
  }
  return kept;
}

function area({ left, right, top, bottom }: Box): number {
  return (right - left) * (bottom - top);
}

/** Gap, in font sizes, that separates two columns of a table. */
const LEAST_GAP = 0.6;
/** Distance of baselines, in font sizes, beyond which two rows belong to different tables. */
const FARTHEST = 3.2;

/** Most rows of a table on a page. */
const MOST_ROWS = 300;

/**
 * Finds tables without ruling lines: rows whose pieces are aligned in two or more columns. Returns the tables and all other
 * lines.
 */
export function alignedTables(
  lines: readonly Line[],
  rightToLeft: boolean,
): { tables: TableBox[]; rest: Line[] } {
  const rows = rowsOf(lines).map((row) => row.toSorted((a, b) => a.left - b.left));
  divideRows(rows);
  const tables: TableBox[] = [];
  const rest: Line[] = [];
  for (let i = 0; i < rows.length;) {
    const found = rows[i]!.length > 1 ? extent(rows, i) : undefined;
    const table = found === undefined
      ? undefined
      : tableOf(rows.slice(i, found.end), found.columns, rightToLeft);
    if (table === undefined) rest.push(...rows[i++]!);
    else {
      tables.push(table);
      i = found!.end;
    }
  }
  return { tables, rest };
}

/** Splits lines whose words are aligned with the columns of the row above, where the gaps are narrow. */
function divideRows(rows: Line[][]): void {
  for (let i = 1; i < rows.length; i++) {
    const [line, ...more] = rows[i]!, above = rows[i - 1]!;
    if (line === undefined || more.length > 0 || above.length < 2 || line.runs.length < 2) continue;
    const edges = above.slice(1).map(({ left }) => left);
    const parts: Run[][] = [[]];
    for (const run of line.runs.toSorted((a, b) => a.left - b.left)) {
      if (parts.at(-1)!.length > 0 && edges.some((edge) => Math.abs(edge - run.left) < 0.2 * line.size)) {
        parts.push([run]);
      } else parts.at(-1)!.push(run);
    }
    if (parts.length > 1) rows[i] = parts.map((runs) => lineOf(runs, line.order));
  }
}

/** Returns how many rows continue the columns of the row `from`. */
function extent(
  rows: readonly (readonly Line[])[],
  from: number,
): { end: number; columns: Interval[] } | undefined {
  let columns: Interval[] = [];
  let end = from, lastFull = from, widest = 2;
  for (; end < Math.min(rows.length, from + MOST_ROWS); end++) {
    const row = rows[end]!, size = row[0]!.size;
    if (row.length > 1 && isCaption(textOf(row[0]!))) break;
    if (end > from) {
      const apart = row[0]!.baseline - rows[end - 1]![0]!.baseline;
      if (apart > FARTHEST * size || Math.abs(rows[end - 1]![0]!.size - size) > 0.25 * size) break;
    }
    const merged = merge(columns, row, LEAST_GAP * size);
    if (
      merged.length < 2 ||
      merged.length < columns.length && end > from && merged.length < widest
    ) break;
    if (row.length > 1 && !areApart(row, merged)) break;
    columns = merged;
    widest = Math.max(widest, row.length);
    if (row.length > 1) lastFull = end;
  }
  if (columns.length < 2) return undefined;
  // Rows after the last full row continue its cells only if they are close.
  end = lastFull + 1;
  while (end < rows.length && rows[end]!.length === 1) {
    const line = rows[end]![0]!, above = rows[end - 1]![0]!;
    if (line.baseline - above.baseline > 1.35 * line.size || line.left < columns[1]!.left - 1) break;
    if (merge(columns, [line], LEAST_GAP * line.size).length < columns.length) break;
    end++;
  }
  columns = [];
  for (let i = from; i < end; i++) columns = merge(columns, rows[i]!, LEAST_GAP * rows[i]![0]!.size);
  return columns.length < 2 ? undefined : { end, columns };
}

/** Returns the intervals extended by those of a row. Intervals closer than `gap` are merged. */
function merge(columns: readonly Interval[], row: readonly Line[], gap: number): Interval[] {
  const all = [...columns, ...row.map(({ left, right }) => ({ left, right }))].sort((a, b) =>
    a.left - b.left
  );
  const merged: { left: number; right: number }[] = [];
  for (const { left, right } of all) {
    const last = merged.at(-1);
    if (last !== undefined && left < last.right + gap) last.right = Math.max(last.right, right);
    else merged.push({ left, right });
  }
  return merged;
}

/** Returns whether every piece of a row has a separate column. */
function areApart(row: readonly Line[], columns: readonly Interval[]): boolean {
  return new Set(row.map((line) => columnOf(line, columns))).size === row.length;
}

function columnOf(line: Line, columns: readonly Interval[]): number {
  const middle = (line.left + line.right) / 2;
  return columns.findIndex(({ left, right }) => left - 0.5 <= middle && middle <= right + 0.5);
}

function tableOf(
  rows: readonly (readonly Line[])[],
  columns: readonly Interval[],
  rightToLeft: boolean,
): TableBox | undefined {
  const full = rows.filter((row) => row.length > 1);
  const all = rows.flat();
  const wide = rows.filter((row) => row.length > 2);
  if (full.length < 3 && wide.length < 2 || full.length < 0.5 * rows.length) return undefined;
  if (all.every(({ face }) => face.mono)) return undefined;
  const texts = rows.map((row) => row.map(textOf));
  if (
    texts.filter((row) => row.some((text) => LEADERS.test(text))).length >
      0.3 * rows.length
  ) return undefined;
  const size = all[0]!.size;
  const first = all.filter((line) => columnOf(line, columns) === 0);
  if (columns.length === 2) {
    if (
      columns[0]!.right - columns[0]!.left < 2.5 * size && first.every((line) => textOf(line).length <= 5)
    ) return undefined;
    const second = all.filter((line) => columnOf(line, columns) === 1).map(textOf);
    if (second.every((text) => /^[(（]?[A-Z]?\d{1,3}(?:\.\d+)*[)）]$/.test(text))) return undefined;
    // Entries of a table of contents.
    if (
      second.every((text) => /^\d{1,4}$/.test(text)) &&
      first.every((line) => /^(?:[\dA-Z]{1,3}[. ]|第)/.test(textOf(line)))
    ) {
      return undefined;
    }
    const fills = columns.map(({ left, right }, i) => {
      const own = all.filter((line) => columnOf(line, columns) === i);
      return own.reduce((sum, line) => sum + (line.right - line.left) / (right - left), 0) / own.length;
    });
    if (
      Math.min(...fills) > 0.75 && Math.min(...columns.map(({ left, right }) => right - left)) > 12 * size
    ) return undefined;
  }
  const table = together(rows, columns).map((cells) =>
    cells.map((lines) => toMarkdown(joinLines(lines.map((line) => piecesOf(line)))))
  );
  if (table.length < 2) return undefined;
  if (rightToLeft) { for (const row of table) row.reverse(); }
  return {
    ...boundsOf(all),
    rows: table,
    columns: rightToLeft ? columns.toReversed() : columns,
    runs: all.flatMap(({ runs }) => runs),
    order: least(all.map(({ order }) => order)),
  };
}

/** Returns the lines of each cell. A row that is close below another one and lacks cells continues it. */
function together(rows: readonly (readonly Line[])[], columns: readonly Interval[]): Line[][][] {
  const apart = rows.map((row, i) =>
    i === 0 ? Infinity : (row[0]!.baseline - rows[i - 1]![0]!.baseline) / row[0]!.size
  );
  const inner = apart.slice(1);
  const closest = least(inner);
  const wide = inner.filter((gap) => gap > 1.2 * closest).length;
  const byGap = closest < 1.4 && wide > 0 && wide >= 0.3 * inner.length;
  const cells: Line[][][] = [];
  rows.forEach((row, i) => {
    const lacksFirst = row.every((line) => columnOf(line, columns) !== 0);
    const goesOn = i > 0 &&
      (byGap ? apart[i]! <= 1.12 * closest : row.length < columns.length && lacksFirst && apart[i]! < 1.5);
    const target = goesOn ? cells.at(-1)! : columns.map((): Line[] => []);
    for (const line of row) target[Math.max(0, columnOf(line, columns))]!.push(line);
    if (!goesOn) cells.push(target);
  });
  return cells;
}
