import { isCaption } from "./captions.ts";
import { joinLines, toMarkdown } from "./join_lines.ts";
import { LEADERS } from "./leaders.ts";
import { least } from "./least.ts";
import { piecesOf, textOf } from "./line_text.ts";
import { boundsOf, lineOf, rowsOf } from "./lines.ts";
import type { Interval, Line, Run, TableBox } from "./types.ts";

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
