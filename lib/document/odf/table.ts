import { type BlockSink, CellBuilder } from "../writer/cell_builder.ts";
import { children, type XmlElement } from "../xml/mod.ts";

/** Most columns of a table; others are left out. */
const MOST_COLUMNS = 200;
/** Most repetitions of a row. Rows that are repeated to fill a page are empty. */
const MOST_REPEATED = 100;

const GROUPS = new Set([
  "table:table-header-rows",
  "table:table-rows",
  "table:table-row-group",
]);

/**
 * Adds a table. The text of a cell that spans rows is repeated in each of them, so that every row has its label. The text of
 * a cell that spans columns appears once.
 */
export function addTable(
  table: XmlElement,
  sink: BlockSink,
  within: (parent: XmlElement, sink: BlockSink) => void,
): void {
  const rows = rowsOf(table);
  const cells = (row: XmlElement) =>
    children(row).filter(({ name }) => name === "table:table-cell" || name === "table:covered-table-cell");
  const only = rows.length === 1 ? cells(rows[0]!) : [];
  // A table with a single cell is a frame around text.
  if (only.length === 1) return within(only[0]!, sink);
  const lines: string[][] = [];
  /** Texts of cells that extend into the rows below, by column. */
  const below = new Map<number, { text: string; rows: number }>();
  for (const row of rows) {
    const line: string[] = [];
    const own = cells(row);
    for (const cell of own) {
      const covered = cell.name === "table:covered-table-cell";
      const height = span(cell, "table:number-rows-spanned");
      const repeated = Math.min(span(cell, "table:number-columns-repeated"), MOST_COLUMNS - line.length);
      let text = "";
      if (!covered) {
        const builder = new CellBuilder();
        within(cell, builder);
        text = builder.toString();
      }
      for (let i = 0; i < repeated; i++) {
        const at = line.length;
        const above = below.get(at);
        if (covered) line.push(above?.text ?? "");
        else line.push(text);
        if (above !== undefined && --above.rows <= 0) below.delete(at);
        if (covered || text === "") continue;
        if (height > 1) below.set(at, { text, rows: height - 1 });
      }
    }
    const isEmpty = line.every((cell) => cell === "");
    const repeat = isEmpty ? 1 : Math.min(span(row, "table:number-rows-repeated"), MOST_REPEATED);
    for (let i = 0; i < repeat; i++) lines.push(line);
  }
  if (lines.some((line) => line.some((cell) => cell !== ""))) sink.table(lines);
}

function rowsOf(parent: XmlElement): XmlElement[] {
  return children(parent).flatMap((one) =>
    one.name === "table:table-row" ? [one] : GROUPS.has(one.name) ? rowsOf(one) : []
  );
}

function span({ attributes }: XmlElement, name: string): number {
  const value = Number(attributes[name] ?? 1);
  return Number.isInteger(value) && value >= 1 ? value : 1;
}
