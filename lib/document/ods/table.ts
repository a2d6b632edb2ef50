import type { Budget } from "../sheet/budget.ts";
import { columnLetters } from "../sheet/column_letters.ts";
import { Grid } from "../sheet/grid.ts";
import type { Row } from "../sheet/types.ts";
import { commentLabel } from "../writer/comment_label.ts";
import { child, children, descendants, textOf, type XmlElement } from "../xml/mod.ts";
import { cellText, paragraphs } from "./text.ts";

/**
 * Collects the rows of one `table:table`. Repeated cells and rows are counted by the text that they show; empty ones cost
 * nothing.
 */
export class Table {
  /** Comments as quotations, in the order of the cells. */
  readonly comments: string[] = [];
  /** Frames on the sheet: charts, pictures, text boxes. */
  readonly frames: XmlElement[] = [];
  readonly #grid: Grid;
  #row = 0;

  constructor(budget: Budget) {
    this.#grid = new Grid(budget);
  }

  rows(): Row[] {
    return this.#grid.rows();
  }

  addShapes(shapes: XmlElement): void {
    for (const frame of descendants(shapes, "draw:frame")) this.frames.push(frame);
  }

  addRow(row: XmlElement): void {
    const times = repeated(row, "table:number-rows-repeated");
    let column = 0;
    for (const cell of children(row)) {
      if (cell.name !== "table:table-cell" && cell.name !== "table:covered-table-cell") continue;
      const wide = repeated(cell, "table:number-columns-repeated");
      // Cells covered by a merged range are not visible.
      if (
        cell.name === "table:table-cell" && cell.children.length + Object.keys(cell.attributes).length > 0
      ) {
        this.#addCell(cell, column, wide, times);
      }
      column += wide;
    }
    this.#row += times;
  }

  #addCell(cell: XmlElement, column: number, wide: number, times: number): void {
    const text = cellText(cell);
    const top = this.#row;
    if (text.trim() !== "") {
      const [rows, columns] = [Math.min(times, 1_048_576 - top), Math.min(wide, 16_384 - column)];
      for (let i = 0; i < rows; i++) {
        for (let j = 0; j < columns; j++) this.#grid.add(top + i, column + j, text);
      }
      const right = column + repeated(cell, "table:number-columns-spanned") - 1;
      const bottom = top + repeated(cell, "table:number-rows-spanned") - 1;
      if (right > column || bottom > top) this.#grid.merge({ top, left: column, bottom, right });
    }
    for (const note of children(cell, "office:annotation")) {
      const author = textOf(child(note, "dc:creator"));
      const label = commentLabel(
        author,
        textOf(child(note, "dc:date")),
        `${columnLetters(column)}${top + 1}`,
      );
      const said = paragraphs(note).trim();
      if (said !== "") this.comments.push(`${label} ${said.replace(/\s*\n\s*/g, "\n> ")}`);
    }
    for (const frame of descendants(cell, "draw:frame")) this.frames.push(frame);
  }
}

function repeated(element: XmlElement, name: string): number {
  const count = Number(element.attributes[name] ?? 1);
  return Number.isInteger(count) && count > 0 ? count : 1;
}
