import type { Cell, Row } from "./types.ts";

/** Deepest nesting of blocks. A sheet with deeper nesting is read as one block. */
const DEPTH = 30;

/**
 * Returns the blocks of a sheet in reading order. Blocks are separated by empty rows or columns, or touch only at a corner.
 * Each pass over the cells takes linear time, and there is one pass per level of nesting.
 */
export function regions(rows: readonly Row[], depth = 0): (readonly Row[])[] {
  const bands = byRows(rows);
  const found: (readonly Row[])[] = [];
  for (const band of bands) {
    const parts = byColumns(band);
    if (parts.length === 1 || depth >= DEPTH) found.push(band);
    else for (const part of parts) for (const inner of regions(part, depth + 1)) found.push(inner);
  }
  return found;
}

function byRows(rows: readonly Row[]): (readonly Row[])[] {
  // The leftmost and rightmost column in all rows from a row to the last.
  const least = new Array<number>(rows.length);
  const most = new Array<number>(rows.length);
  let [left, right] = [Infinity, -1];
  for (let i = rows.length - 1; i >= 0; i--) {
    const { cells } = rows[i]!;
    left = least[i] = Math.min(left, cells[0]!.column);
    right = most[i] = Math.max(right, cells.at(-1)!.column);
  }
  const bands: (readonly Row[])[] = [];
  let start = 0;
  [left, right] = [Infinity, -1];
  for (let i = 0; i < rows.length; i++) {
    const { index, cells } = rows[i]!;
    const isApart = i > start &&
      (index > rows[i - 1]!.index + 1 || most[i]! < left || least[i]! > right);
    if (isApart) {
      bands.push(rows.slice(start, i));
      start = i;
      [left, right] = [Infinity, -1];
    }
    left = Math.min(left, cells[0]!.column);
    right = Math.max(right, cells.at(-1)!.column);
  }
  if (start < rows.length) bands.push(rows.slice(start));
  return bands;
}

function byColumns(rows: readonly Row[]): (readonly Row[])[] {
  const used = new Set<number>();
  for (const { cells } of rows) for (const { column } of cells) used.add(column);
  const columns = [...used].sort((a, b) => a - b);
  /** Number of the part for each column. */
  const part = new Map<number, number>();
  let parts = 0;
  for (const [i, column] of columns.entries()) {
    if (i > 0 && column > columns[i - 1]! + 1) parts++;
    part.set(column, parts);
  }
  if (parts === 0) return [rows];
  const found = Array.from({ length: parts + 1 }, (): { index: number; cells: Cell[] }[] => []);
  for (const { index, cells } of rows) {
    for (const cell of cells) {
      const list = found[part.get(cell.column)!]!;
      if (list.at(-1)?.index === index) list.at(-1)!.cells.push(cell);
      else list.push({ index, cells: [cell] });
    }
  }
  return found;
}
