/**
 * Writes the sheets of a workbook as Markdown. The loaders of xlsx, xls and ods share it.
 * Below it: blocks of cells, merged cells, and the limits of size.
 */
import { format as formatNumber } from "numfmt";
import type { MarkdownBuilder } from "../markdown_builder.ts";
import { DocumentError, kept } from "../types.ts";

/** A cell with text. */
interface Cell {
  /** Counted from 0. */
  readonly column: number;
  readonly text: string;
  /** Whether the text repeats that of the merged range around it. */
  readonly merged?: true | undefined;
}

/** A row with its cells that have text, by ascending column. */
export interface Row {
  /** Counted from 0. */
  readonly index: number;
  readonly cells: readonly Cell[];
}

/** A merged range, counted from 0. The ends are inclusive. */
export interface Range {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

/** Most titles above a table. */
const TITLES = 10;

/** Writes a sheet: its blocks as tables, and single texts, which are mostly titles of tables, as paragraphs. */
export function writeRows(rows: readonly Row[], builder: MarkdownBuilder, budget: SheetBudget): void {
  for (const region of regions(rows)) writeRegion(region, builder, budget, 0);
}

function writeRegion(
  rows: readonly Row[],
  builder: MarkdownBuilder,
  budget: SheetBudget,
  titles: number,
): void {
  const left = rows.reduce((least, { cells }) => Math.min(least, cells[0]!.column), Infinity);
  const right = rows.reduce((most, { cells }) => Math.max(most, cells.at(-1)!.column), -1);
  const width = right - left + 1;
  const text = loneText(rows[0]!, width);
  if (text !== undefined && (rows.length === 1 || (width > 1 && titles < TITLES))) {
    builder.paragraph(text);
    // A title can hold together blocks that are separate without it.
    if (rows.length > 1) {
      for (const region of regions(rows.slice(1))) writeRegion(region, builder, budget, titles + 1);
    }
    return;
  }
  budget.table(rows.length, width);
  builder.table(
    rows.map(({ cells }) => {
      const texts = new Array<string>(cells.at(-1)!.column - left + 1).fill("");
      for (const { column, text } of cells) texts[column - left] = text;
      return texts;
    }),
    rows.map(({ index }) => index + 1),
  );
}

/** Returns the text of a row with a single cell, which may be merged over the whole width. */
function loneText({ cells }: Row, width: number): string | undefined {
  const { text } = cells[0]!;
  const isLone = cells.length === 1 ||
    (cells.length === width && cells.every((cell, i) => cell.text === text && (i === 0 || cell.merged)));
  return isLone ? text : undefined;
}

/** Deepest nesting of blocks. A sheet with deeper nesting is read as one block. */
const DEPTH = 30;

/**
 * Returns the blocks of a sheet in reading order. Blocks are separated by empty rows or columns, or touch only at a corner.
 * Each pass over the cells takes linear time, and there is one pass per level of nesting.
 */
function regions(rows: readonly Row[], depth = 0): (readonly Row[])[] {
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

/** Last row and column of a sheet in Excel and LibreOffice. */
const LAST_ROW = 1_048_575;
const LAST_COLUMN = 16_383;
/** Most cells that merged ranges may add to a sheet. */
const MOST_MERGED = 200_000;
const MOST_MERGES = 50_000;

/** Collects the visible cells of a sheet. Only cells with text take memory, at any position. */
export class Grid {
  readonly #budget: SheetBudget;
  readonly #rows = new Map<number, Cell[]>();
  readonly #merges: Range[] = [];

  constructor(budget: SheetBudget) {
    this.#budget = budget;
  }

  /** Adds a cell. Blank cells, and cells outside the limits of a sheet, are skipped. `merged`: see {@linkcode Cell}. */
  add(row: number, column: number, text: string, merged?: true): void {
    if (!(row >= 0 && row <= LAST_ROW && column >= 0 && column <= LAST_COLUMN) || !/\S/.test(text)) return;
    this.#budget.cell(text);
    kept(this.#rows, row, () => []).push({ column, text, merged });
  }

  merge(range: Range): void {
    if (this.#merges.length < MOST_MERGES) this.#merges.push(range);
  }

  /**
   * Returns the rows in ascending order. The text of a merged range is repeated in each of its cells, so that every row is
   * complete.
   */
  rows(): Row[] {
    this.#fill();
    return [...this.#rows].sort(([a], [b]) => a - b).map(([index, cells]) => ({
      index,
      cells: inOrder(cells),
    }));
  }

  #fill(): void {
    if (this.#merges.length === 0) return;
    const firsts = new Map<string, string>();
    for (const { top, left } of this.#merges) {
      const first = this.#rows.get(top)?.find(({ column }) => column === left);
      if (first !== undefined) firsts.set(`${top},${left}`, first.text);
    }
    let left = MOST_MERGED;
    const bottom = this.#rows.keys().reduce((last, row) => Math.max(last, row), 0);
    for (const range of this.#merges) {
      const text = firsts.get(`${range.top},${range.left}`);
      if (text === undefined) continue;
      // A merge of whole columns ends at the last row with text.
      const last = Math.min(range.bottom, Math.max(bottom, range.top));
      const size = (last - range.top + 1) * (range.right - range.left + 1);
      if (!(size > 1 && size <= left)) continue;
      left -= size;
      for (let row = range.top; row <= last; row++) {
        for (let column = range.left; column <= range.right; column++) {
          if (row > range.top || column > range.left) this.add(row, column, text, true);
        }
      }
    }
    this.#merges.length = 0;
  }
}

/** Returns cells by column. Of several cells in one position, the first is kept. */
function inOrder(cells: readonly Cell[]): Cell[] {
  let sorted = true;
  for (let i = 1; i < cells.length && sorted; i++) sorted = cells[i - 1]!.column < cells[i]!.column;
  if (sorted) return [...cells];
  return [...cells].sort((a, b) => a.column - b.column)
    .filter(({ column }, i, all) => i === 0 || all[i - 1]!.column !== column);
}

/** Most cells with text in all sheets. */
const MOST_CELLS = 4_000_000;
/** Most text in them, in UTF-16 units. A string that is stored once may be shown in every cell. */
const MOST_TEXT = 100_000_000;
/** Most cells of the written tables, including empty ones. One wide row widens all others of its table. */
const MOST_WRITTEN = 20_000_000;

/** Counts cells and text of one workbook against its limits. */
export class SheetBudget {
  #cells = 0;
  #text = 0;
  #written = 0;

  /** Counts a cell. Throws {@linkcode DocumentError} `too_complex` beyond the limits. */
  cell(text: string): void {
    this.#text += text.length;
    if (++this.#cells > MOST_CELLS || this.#text > MOST_TEXT) {
      throw new DocumentError("too_complex", "the sheets contain more than the limit for reading");
    }
  }

  /** Counts a table. Throws like {@linkcode cell}. */
  table(rows: number, columns: number): void {
    this.#written += rows * columns;
    if (this.#written > MOST_WRITTEN) {
      throw new DocumentError("too_complex", `a table has ${rows} rows of ${columns} columns`);
    }
  }
}

/** Returns the letters of a column: 0 is `A`, 27 is `AB`. */
export function columnLetters(column: number): string {
  const first = Math.floor(column / 26);
  return (first > 0 ? columnLetters(first - 1) : "") + String.fromCharCode(65 + column % 26);
}

/** Longest number format in characters. Excel allows 255; a longer one is meant to cost time. */
const LONGEST_FORMAT = 500;

/**
 * Number formats that Excel knows by number. Dates that depend on the user's country are shown in ISO 8601. 27 to 58 are
 * those of China.
 */
export const BUILT_IN: Readonly<Record<number, string>> = {
  ...from(1, "0|0.00|#,##0|#,##0.00"),
  ...from(9, "0%|0.00%|0.00E+00|# ?/?|# ??/??|yyyy-mm-dd|d-mmm-yy|d-mmm|mmm-yy"),
  ...from(18, "h:mm AM/PM|h:mm:ss AM/PM|h:mm|h:mm:ss|yyyy-mm-dd h:mm"),
  ...from(
    27,
    'yyyy"年"m"月"|m"月"d"日"|m"月"d"日"|yyyy-mm-dd|yyyy"年"m"月"d"日"|h"时"mm"分"|h"时"mm"分"ss"秒"',
  ),
  ...from(34, 'h"时"mm"分"|h"时"mm"分"ss"秒"|yyyy"年"m"月"'),
  ...from(37, "#,##0 ;(#,##0)|#,##0 ;(#,##0)|#,##0.00;(#,##0.00)|#,##0.00;(#,##0.00)"),
  ...from(45, "mm:ss|[h]:mm:ss|mm:ss.0|##0.0E+0"),
  ...from(50, 'yyyy"年"m"月"|m"月"d"日"|yyyy"年"m"月"|m"月"d"日"|m"月"d"日"|h"时"mm"分"|h"时"mm"分"ss"秒"'),
  ...from(57, 'yyyy"年"m"月"|m"月"d"日"'),
};

function from(first: number, formats: string): Record<number, string> {
  return Object.fromEntries(formats.split("|").map((format, i) => [first + i, format]));
}

/**
 * Returns a number as its format shows it. If the format fails, hides the value or leaves nothing of it, returns the plain
 * number. `offset`: days to add to dates, 1462 if they count from 1904.
 */
export function shownNumber(value: number, pattern: string | undefined, offset = 0): string {
  const plain = String(Number(value.toPrecision(15)));
  if (pattern === undefined || /^(?:general|@)?$/i.test(pattern) || pattern.length > LONGEST_FORMAT) {
    return plain;
  }
  const isDate = offset !== 0 && /[dymhs]/i.test(pattern.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, ""));
  const text = formatNumber(pattern, isDate ? value + offset : value, { throws: false, nbsp: false }).trim();
  return text === "" || /^#+$/.test(text) ? plain : text;
}
