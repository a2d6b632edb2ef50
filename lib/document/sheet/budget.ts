import { DocumentError } from "../types.ts";

/** Cells that show something, in all sheets together. */
const MOST_CELLS = 4_000_000;
/** UTF-16 units in them: a string that is kept once may be shown in every cell. */
const MOST_TEXT = 100_000_000;
/** Cells of the tables written, empty ones included: one wide row widens all others of its table. */
const MOST_WRITTEN = 20_000_000;

/** Counts the cost of the sheets of one workbook. */
export class Budget {
  #cells = 0;
  #text = 0;
  #written = 0;

  /** Counts a cell. Throws {@linkcode DocumentError} `too_complex` beyond the limits. */
  cell(text: string): void {
    this.#text += text.length;
    if (++this.#cells > MOST_CELLS || this.#text > MOST_TEXT) {
      throw new DocumentError("too_complex", "the sheets hold more than the program reads");
    }
  }

  /** Counts a table. Throws as {@linkcode cell} does. */
  table(rows: number, columns: number): void {
    this.#written += rows * columns;
    if (this.#written > MOST_WRITTEN) {
      throw new DocumentError("too_complex", `a table has ${rows} rows of ${columns} columns`);
    }
  }
}
