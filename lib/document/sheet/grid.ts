import type { Budget } from "./budget.ts";
import type { Cell, Range, Row } from "./types.ts";

/** Last row and column of a sheet in Excel and LibreOffice. */
const LAST_ROW = 1_048_575;
const LAST_COLUMN = 16_383;
/** Most cells that merged ranges may add to a sheet. */
const MOST_MERGED = 200_000;
const MOST_MERGES = 50_000;

/** Collects the visible cells of a sheet. Only cells with text take memory, at any position. */
export class Grid {
  readonly #budget: Budget;
  readonly #rows = new Map<number, Cell[]>();
  readonly #merges: Range[] = [];

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** Adds a cell. Blank cells, and cells outside the limits of a sheet, are skipped. */
  add(row: number, column: number, text: string): void {
    this.#add(row, { column, text });
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

  #add(row: number, cell: Cell): void {
    const { column, text } = cell;
    if (!(row >= 0 && row <= LAST_ROW && column >= 0 && column <= LAST_COLUMN) || !/\S/.test(text)) return;
    this.#budget.cell(text);
    const cells = this.#rows.get(row);
    if (cells === undefined) this.#rows.set(row, [cell]);
    else cells.push(cell);
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
          if (row > range.top || column > range.left) this.#add(row, { column, text, merged: true });
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
