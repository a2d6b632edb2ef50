/**
 * Divides a page into columns in reading order, by cutting it at the gaps that divide most lines, and finds its tables.
 * Below the columns: tables by ruling lines, then tables by rows whose pieces are aligned.
 */
import {
  BARE_BULLET,
  boundsOf,
  type Box,
  count,
  type Interval,
  isCaption,
  isRightToLeft,
  joinLines,
  LEADERS,
  least,
  lengthOf,
  type Line,
  lineOf,
  linesOf,
  listMarker,
  type PageLayer,
  piecesOf,
  rowsOf,
  type Run,
  type TableBox,
  textOf,
  together,
  toMarkdown,
} from "./lines.ts";

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
  return [...rowsOf(rest).map(together), ...ruled, ...tables].sort((a, b) => a.top - b.top);
}

/** A unit of the reading order: a line or a whole table. */
type Item = Line | TableBox;

/** Items in reading order from top to bottom. */
export interface Column extends Box {
  readonly items: readonly Item[];
}

/** Deepest recursion. Columns side by side take one cut each. */
const DEEPEST_CUT = 12;
/** Positions of a cut that are tried, the most frequent first. */
const MOST_CANDIDATES = 24;

/**
 * Returns the items of a page in reading order, as columns. The page is cut at the vertical gap that divides most lines.
 * Items that cross the gap, such as headings and wide figures, divide it from top to bottom. Both halves are cut in the same
 * way: a recursive X-Y cut (Nagy and Seth, 1984) whose cuts may end at a box, as in Breuel's layout by whitespace (2002).
 *
 * ```text
 * +---------------------+
 * |  heading            |   crosses the gap: a separate band
 * +----------+----------+
 * | column 1 | column 2 |   divided by the gap: left, then right
 * +----------+----------+
 * |  wide figure        |
 * +---------------------+
 * ```
 */
export function columnsOf(items: readonly Item[], rightToLeft = false): Column[] {
  const groups = split(items, rightToLeft, 0);
  return groups.filter((group) => group.length > 0).map((group) => ({ ...boundsOf(group), items: group }));
}

function split(items: readonly Item[], rightToLeft: boolean, depth: number): Item[][] {
  if (items.length < 4 || depth > DEEPEST_CUT) return [byTop(items)];
  const gutter = bestGutter(items);
  if (gutter === undefined) return [byTop(items)];
  const groups: Item[][] = [];
  let single: Item[] = [];
  const endSingle = () => {
    if (single.length > 0) groups.push(byTop(single));
    single = [];
  };
  for (const band of bandsOf(items, gutter)) {
    if (!band.divided) {
      single.push(...band.items);
      continue;
    }
    const left: Item[] = [], right: Item[] = [];
    for (const item of band.items) (item.left >= gutter.right - 1 ? right : left).push(item);
    // The short last line of a paragraph above stands above both columns.
    const top = least((left.length < right.length ? left : right).map((item) => item.top));
    for (const side of [left, right]) {
      for (const item of byTop(side)) {
        if (item.bottom > top + 1 || !goesOn(single.at(-1), item)) break;
        single.push(item);
        side.splice(side.indexOf(item), 1);
      }
    }
    endSingle();
    if (left.length === 0 || right.length === 0) {
      single.push(...left, ...right);
      continue;
    }
    const sides = rightToLeft ? [right, left] : [left, right];
    for (const side of sides) groups.push(...split(side, rightToLeft, depth + 1));
  }
  endSingle();
  return groups;
}

/** Returns whether a line continues the paragraph that ends in `last`. */
function goesOn(last: Item | undefined, item: Item): boolean {
  if (last === undefined || "rows" in last || "rows" in item) return false;
  return Math.abs(last.size - item.size) < 0.5 && item.baseline - last.baseline < 1.6 * item.size &&
    item.baseline > last.baseline;
}

interface Band {
  readonly items: Item[];
  /** Whether the band has columns on both sides of the gutter. */
  readonly divided: boolean;
}

/** Returns the parts of a page from top to bottom, divided by the gutter or not. */
function bandsOf(items: readonly Item[], gutter: Interval): Band[] {
  const bands: Band[] = [];
  let open: Item[] = [];
  const close = () => {
    if (open.length > 0) bands.push({ items: open, divided: isDivided(open, gutter) });
    open = [];
  };
  for (const item of byTop(items)) {
    if (crosses(item, gutter)) {
      close();
      bands.push({ items: [item], divided: false });
    } else open.push(item);
  }
  close();
  return bands;
}

function crosses(item: Item, { left, right }: Interval): boolean {
  return item.left < right - 1 && item.right > left + 1;
}

/** Returns the gutter that divides most lines, if there is one. */
function bestGutter(items: readonly Item[]): Interval | undefined {
  const size = median(items.map((item) => "rows" in item ? 10 : item.size));
  const lefts = new Map<number, number>();
  for (const { left } of items) count(lefts, Math.round(left));
  const candidates = [...lefts].filter(([, count]) => count > 1).sort((a, b) => b[1] - a[1])
    .slice(0, MOST_CANDIDATES);
  const start = least(items.map(({ left }) => left));
  let best: Interval | undefined, most = 0;
  for (const [edge] of candidates) {
    if (edge < start + 6 * size) continue;
    const gutter = { left: edge - 1 - Math.max(5, 0.7 * size), right: edge - 0.5 };
    const divided = bandsOf(items, gutter).filter((band) => band.divided).flatMap((band) => band.items);
    if (divided.length > most) [best, most] = [gutter, divided.length];
  }
  return best;
}

/**
 * Returns whether the items on both sides of a gutter are columns of text, rather than columns of a table or list markers.
 */
function isDivided(items: readonly Item[], gutter: Interval): boolean {
  const left: Item[] = [], right: Item[] = [];
  for (const item of items) (item.left >= gutter.right - 1 ? right : left).push(item);
  if (left.length < 1 || right.length < 1 || left.length + right.length < 4) return false;
  const [a, b] = [boundsOf(left), boundsOf(right)];
  const size = median(items.map((item) => "rows" in item ? 10 : item.size));
  const areLists = isList(left) && isList(right);
  if (Math.min(a.right - a.left, b.right - b.left) < 7 * size && !areLists) return false;
  // They are side by side, not one below the other.
  const beside = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  if (beside < 1.5 * size) return false;
  if (areLists) return true;
  const fewer = Math.min(left.length, right.length);
  const switches = switchesBetween(left, right);
  const filled = Math.min(fill(left, a), fill(right, b));
  if (fewer >= 3 && switches <= Math.max(2, 0.25 * fewer)) {
    return filled > 0.35 || switches <= 2 && filled > 0.2;
  }
  // The file draws all of one side, then all of the other.
  if (fewer > 1 && switches === 1) return true;
  if (fewer < 3) return switches <= 2 && Math.max(left.length, right.length) >= 4 && filled > 0.4;
  // The file draws line by line across both sides.
  return filled > 0.72 && Math.min(a.right - a.left, b.right - b.left) > 14 * size;
}

/** Returns whether most of the items are list items or their bullets. */
function isList(items: readonly Item[]): boolean {
  const rows = rowsOf(items.filter((item): item is Line => !("rows" in item)));
  if (rows.length < 3) return false;
  const marked = rows.filter((row) => {
    const text = textOf(row.reduce((a, b) => b.left < a.left ? b : a));
    return BARE_BULLET.test(text) || listMarker(text) !== undefined;
  });
  return marked.length >= 0.6 * rows.length;
}

/** Returns how often the order of the file changes from one side to the other: once for columns, at every row for tables. */
function switchesBetween(left: readonly Item[], right: readonly Item[]): number {
  const isRight = new Set(right);
  const sides = [...left, ...right].sort((a, b) => a.order - b.order).map((item) => isRight.has(item));
  return sides.filter((side, i) => i > 0 && side !== sides[i - 1]).length;
}

/** Returns the share of the column's width that its lines fill on average. */
function fill(items: readonly Interval[], { left, right }: Interval): number {
  const width = right - left;
  return items.reduce((sum, item) => sum + (item.right - item.left) / width, 0) / items.length;
}

function byTop(items: readonly Item[]): Item[] {
  return [...items].sort((a, b) => a.top - b.top || a.left - b.left);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

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
  const kept = (table[0] ?? []).map((_, i) => i).filter((i) => table.some((row) => row[i] !== ""));
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

function cellText(rows: readonly (readonly Line[])[]): string {
  return toMarkdown(joinLines(rows.map((row) => piecesOf({ runs: row.flatMap(({ runs }) => runs) }))));
}

/** Returns for each cell the index of the cell that holds its text. Cells without a ruling line between them are merged. */
function mergedCells({ xs, ys, rules }: Grid): number[] {
  const columns = xs.length - 1, rows = ys.length - 1;
  const owner = Array.from({ length: rows * columns }, (_, i) => i);
  const verticals = rules.filter(isVertical), horizontals = rules.filter((rule) => !isVertical(rule));
  for (let row = 0; row < rows; row++) {
    const middle = (ys[row]! + ys[row + 1]!) / 2;
    const here = verticals.filter((line) => line.top <= middle && middle <= line.bottom);
    for (let column = 1; column < columns; column++) {
      if (here.length > 0 && !here.some(({ left }) => Math.abs(left - xs[column]!) <= MEETING_DISTANCE)) {
        owner[row * columns + column] = owner[row * columns + column - 1]!;
      }
    }
  }
  for (let column = 0; column < columns; column++) {
    const middle = (xs[column]! + xs[column + 1]!) / 2;
    const here = horizontals.filter((line) => line.left <= middle && middle <= line.right);
    for (let row = 1; row < rows; row++) {
      const at = row * columns + column;
      if (owner[at] === at && !here.some(({ top }) => Math.abs(top - ys[row]!) <= MEETING_DISTANCE)) {
        owner[at] = owner[at - columns]!;
      }
    }
  }
  return owner;
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
export const FARTHEST = 3.2;

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
    const table = found && tableOf(rows.slice(i, found.end), found.columns, rightToLeft);
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
    const isLess = merged.length < columns.length && end > from && merged.length < widest;
    if (merged.length < 2 || isLess) break;
    if (new Set(row.map((line) => columnOf(line, merged))).size < row.length) break;
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
function merge(columns: readonly Interval[], row: readonly Interval[], gap: number): Interval[] {
  const merged: { left: number; right: number }[] = [];
  for (const { left, right } of [...columns, ...row].sort((a, b) => a.left - b.left)) {
    const last = merged.at(-1);
    if (last !== undefined && left < last.right + gap) last.right = Math.max(last.right, right);
    else merged.push({ left, right });
  }
  return merged;
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
  const isLed = (row: readonly Line[]) => row.some((line) => LEADERS.test(textOf(line)));
  if (rows.filter(isLed).length > 0.3 * rows.length) return undefined;
  if (columns.length === 2 && isTextInTwo(columns, all)) return undefined;
  const table = cellsOf(rows, columns).map((cells) =>
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

/** Returns whether two columns are no table: labels and their texts, numbered formulas, a table of contents, or running text. */
function isTextInTwo(columns: readonly Interval[], lines: readonly Line[]): boolean {
  const size = lines[0]!.size;
  const widths = columns.map(({ left, right }) => right - left);
  const sides = columns.map((_, i) => lines.filter((line) => columnOf(line, columns) === i));
  const [first = [], second = []] = sides.map((side) => side.map(textOf));
  if (widths[0]! < 2.5 * size && first.every((text) => text.length <= 5)) return true;
  if (second.every((text) => /^[(（]?[A-Z]?\d{1,3}(?:\.\d+)*[)）]$/.test(text))) return true;
  const areEntries = second.every((text) => /^\d{1,4}$/.test(text)) &&
    first.every((text) => /^(?:[\dA-Z]{1,3}[. ]|第)/.test(text));
  return areEntries || Math.min(...sides.map((side, i) => fill(side, columns[i]!))) > 0.75 &&
      Math.min(...widths) > 12 * size;
}

/** Returns the lines of each cell. A row that is close below another one and lacks cells continues it. */
function cellsOf(rows: readonly (readonly Line[])[], columns: readonly Interval[]): Line[][][] {
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
