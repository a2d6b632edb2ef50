import { type BlockSink, CellBuilder } from "../writer/cell_builder.ts";
import { PAGE_END } from "../writer/markdown_builder.ts";
import { child, children, type XmlElement } from "../xml/mod.ts";

/** Most columns of a table; others are left out. Word allows 63. */
const MOST_COLUMNS = 200;

/**
 * Adds a table. The text of a merged cell is repeated in every position that it covers, but appears once if it spans the
 * whole row.
 */
export function addTable(
  table: XmlElement,
  sink: BlockSink,
  within: (parent: XmlElement, sink: BlockSink) => void,
): void {
  const rows = rowsOf(table).map((row) => ({ row, cells: wrapped(row, "w:tc") }));
  const only = rows.length === 1 && rows[0]!.cells.length === 1 ? rows[0]!.cells[0] : undefined;
  // A table with a single cell is a frame around text.
  if (only !== undefined) return within(only, sink);
  const lines: string[][] = [];
  for (const { row, cells } of rows) {
    const above = lines.at(-1) ?? [];
    const line: string[] = [];
    const skipped = span(child(row, "w:trPr", "w:gridBefore"), 0);
    for (let i = 0; i < skipped && i < MOST_COLUMNS; i++) line.push("");
    for (const cell of cells) {
      const properties = child(cell, "w:tcPr");
      const merge = child(properties, "w:vMerge");
      const columns = span(child(properties, "w:gridSpan"), 1);
      const goesOn = merge !== undefined && merge.attributes["w:val"] !== "restart";
      let text = (above[line.length] ?? "").replaceAll(PAGE_END, "");
      if (!goesOn) {
        const builder = new CellBuilder();
        within(cell, builder);
        text = builder.toString();
      }
      for (let i = 0; i < columns && line.length < MOST_COLUMNS; i++) {
        line.push(i === 0 ? text : cells.length > 1 ? text.replaceAll(PAGE_END, "") : "");
      }
    }
    lines.push(line);
  }
  if (lines.some((line) => line.some((cell) => cell !== ""))) sink.table(lines);
}

/** Returns the rows that are not deleted. */
function rowsOf(table: XmlElement): XmlElement[] {
  return wrapped(table, "w:tr").filter((row) => child(row, "w:trPr", "w:del") === undefined);
}

/** Returns the children of a name, including those inside content controls. */
function wrapped(parent: XmlElement, name: string): XmlElement[] {
  return children(parent).flatMap((one) =>
    one.name === name
      ? [one]
      : one.name === "w:sdt" || one.name === "w:sdtContent" || one.name === "w:customXml" ||
          one.name === "w:ins"
      ? wrapped(one, name)
      : []
  );
}

function span(element: XmlElement | undefined, usual: number): number {
  const value = Number(element?.attributes["w:val"] ?? usual);
  return Number.isInteger(value) && value >= usual ? Math.min(value, MOST_COLUMNS) : usual;
}
