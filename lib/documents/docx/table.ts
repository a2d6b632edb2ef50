/**
 * Reads the tables of Word documents as rows of columns.
 * Below it: merged cells on the grid of a table, and the columns and rows that are written.
 */
import { type BlockSink, PAGE_END } from "../markdown_builder.ts";
import { addRows, type Blocks, MOST_COLUMNS } from "../office/text.ts";
import { isSecondHead } from "../tables.ts";
import { child, children, type XmlElement } from "../xml.ts";

/** Adds a table. Rows above its first row of several cells are its title if they span columns: they stand before it. */
export function addTable(table: XmlElement, sink: BlockSink, blocks: Blocks): void {
  const rows = rowsOf(table).map((row) => ({ row, cells: cellsOf(row) }));
  const isFrame = rows.length === 1 && rows[0]!.cells.length === 1;
  const head = isFrame ? 1 : rows.findIndex(({ cells }) => cells.length !== 1 || columnsOf(cells[0]!) === 1);
  for (const { cells } of rows.splice(0, Math.max(0, head))) blocks.within(cells[0]!, sink);
  const grid: Cell[][] = [];
  for (const { row, cells } of rows) grid.push(onGrid(row, cells, grid.at(-1) ?? [], blocks));
  addRows(sink, written(grid));
  blocks.endTable(sink);
}

/** Returns the rows that are not deleted. */
function rowsOf(table: XmlElement): XmlElement[] {
  return wrapped(table, "w:tr").filter((row) => child(row, "w:trPr", "w:del") === undefined);
}

/** Returns the cells that are not deleted. */
function cellsOf(row: XmlElement): XmlElement[] {
  return wrapped(row, "w:tc").filter((cell) => child(cell, "w:tcPr", "w:cellDel") === undefined);
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

/** A cell of a row. The same object stands in each column of the grid that the cell covers. */
interface Cell {
  readonly text: string;
}

/** Returns the cells of a row by column. `above`: those of the row before. */
function onGrid(
  row: XmlElement,
  cells: readonly XmlElement[],
  above: readonly Cell[],
  blocks: Blocks,
): Cell[] {
  const line: Cell[] = [];
  const skipped = span(child(row, "w:trPr", "w:gridBefore"), 0);
  for (let i = 0; i < skipped && i < MOST_COLUMNS; i++) line.push({ text: "" });
  for (const cell of cells) {
    const properties = child(cell, "w:tcPr");
    const left = goesOn(child(properties, "w:hMerge")) ? line.at(-1) : undefined;
    const shown = left ?? {
      text: goesOn(child(properties, "w:vMerge"))
        ? (above[line.length]?.text ?? "").replaceAll(PAGE_END, "")
        : blocks.cell(cell),
    };
    for (let i = columnsOf(cell); i > 0 && line.length < MOST_COLUMNS; i--) line.push(shown);
  }
  return line;
}

/** Whether a cell continues the merged cell to its left or above it. */
function goesOn(merge: XmlElement | undefined): boolean {
  return merge !== undefined && merge.attributes["w:val"] !== "restart";
}

function columnsOf(cell: XmlElement): number {
  return span(child(cell, "w:tcPr", "w:gridSpan"), 1);
}

function span(element: XmlElement | undefined, usual: number): number {
  const value = Number(element?.attributes["w:val"] ?? usual);
  return Number.isInteger(value) && value >= usual ? Math.min(value, MOST_COLUMNS) : usual;
}

/**
 * Returns the rows with text. A merged cell repeats its text in the head, and below it where the head has another cell. Columns in
 * which no cell with text begins are left out: programs that convert to Word draw tables on a grid of far more columns than are seen.
 *
 *     | Name | 2024 (2 columns) |       | Name | 2024 | 2024 |
 *     | Name | Q1     | Q2      |   →   | Name | Q1   | Q2   |
 *     | Ann  | on leave         |       | Ann  | on leave | on leave |
 */
function written(grid: readonly (readonly Cell[])[]): string[][] {
  const texts = (row: readonly Cell[] = []) => row.map(({ text }) => text);
  const heads = isSecondHead(texts(grid[0]), texts(grid[1])) ? 2 : 1;
  const names = grid[heads - 1] ?? [];
  const used = new Set<number>();
  for (const row of grid) row.forEach((cell, i) => cell.text !== "" && cell !== row[i - 1] && used.add(i));
  const columns = [...used].sort((a, b) => a - b);
  return grid.map((row, at) => {
    const isWhole = row.every((cell) => cell === row[0]);
    return columns.map((i, n) => {
      const text = row[i]?.text ?? "";
      if (n === 0 || row[i] !== row[columns[n - 1]!]) return text;
      const isRepeated = !isWhole && (at < heads || names[i] !== names[columns[n - 1]!]);
      return isRepeated ? text.replaceAll(PAGE_END, "") : "";
    });
  }).filter((row) => row.some((text) => text !== ""));
}
