import { DocumentError } from "../types.ts";

/** Most cells with text in all sheets. */
const MOST_CELLS = 4_000_000;
/** Most text in them, in UTF-16 units. A string that is stored once may be shown in every cell. */
const MOST_TEXT = 100_000_000;
/** Most cells of the written tables, including empty ones. One wide row widens all others of its table. */
const MOST_WRITTEN = 20_000_000;

/** Counts cells and text of one workbook against its limits. */
export class Budget {
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
