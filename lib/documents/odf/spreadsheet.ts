/**
 * Reads the sheets of OpenDocument spreadsheets row by row.
 * Below it: rows and cells, frames with charts and pictures, and the texts of cells.
 */
import { type Document, DocumentError, type FileName, words } from "../types.ts";
import { countOf, type Package, readMetadata } from "./package.ts";
import { columnLetters, Grid, type Row, SheetBudget, writeRows } from "../office/sheet.ts";
import { MarkdownBuilder } from "../markdown_builder.ts";
import { child, children, descendants, textOf, type XmlElement } from "../xml.ts";
import { commentLabel } from "../office/text.ts";

/** Deleted rows look like other rows, so the tracked changes around them are read too. */
const WANTED = words(
  "style:style office:meta table:table-row table:shapes table:tracked-changes office:text office:presentation",
);

/** Returns the document of a spreadsheet. Each sheet is a page and a section; hidden sheets are left out. */
export function loadSheets(file: Package, name: FileName): Document {
  const builder = new MarkdownBuilder(name);
  const budget = new SheetBudget();
  const hidden = new Set<string>();
  // In a flat file (`.fods`) the content also holds the metadata.
  let about = child(file.part("meta.xml"), "office:meta");
  let open: { readonly element: XmlElement; readonly number: number; readonly table: Table } | undefined;
  const write = () => {
    if (open === undefined) return;
    const { element: { attributes }, number, table } = open;
    if (hidden.has(attributes["table:style-name"] ?? "")) return;
    const title = attributes["table:name"] ?? "";
    builder.page(number, "sheet", title);
    builder.heading(2, title);
    writeRows(table.rows(), builder, budget);
    for (const frame of table.frames) writeFrame(file, frame, builder);
    for (const comment of table.comments) builder.block(comment);
  };
  for (const { element, ancestors } of file.elements(WANTED)) {
    if (element.name === "office:text" || element.name === "office:presentation") {
      throw new DocumentError("unsupported", "the file is not a spreadsheet");
    }
    if (element.name === "office:meta") about = element;
    if (element.name === "style:style") {
      const isHidden = child(element, "style:table-properties")?.attributes["table:display"] === "false";
      if (isHidden) hidden.add(element.attributes["style:name"] ?? "");
    }
    const sheet = ancestors.findLast(({ name }) => name === "table:table");
    if (sheet === undefined) continue;
    if (sheet !== open?.element) {
      write();
      open = { element: sheet, number: (open?.number ?? 0) + 1, table: new Table(budget) };
    }
    if (element.name === "table:shapes") open.table.addShapes(element);
    else if (element.name === "table:table-row") open.table.addRow(element);
  }
  if (open === undefined) throw new DocumentError("damaged", "the file has no sheets");
  write();
  return builder.finish(readMetadata(about));
}

/**
 * Collects the rows of one `table:table`. Repeated cells and rows are counted by the text that they show; empty ones cost
 * nothing.
 */
class Table {
  /** Comments as quotations, in the order of the cells. */
  readonly comments: string[] = [];
  /** Frames on the sheet: charts, pictures, text boxes. */
  readonly frames: XmlElement[] = [];
  readonly #grid: Grid;
  #row = 0;

  constructor(budget: SheetBudget) {
    this.#grid = new Grid(budget);
  }

  rows(): Row[] {
    return this.#grid.rows();
  }

  addShapes(shapes: XmlElement): void {
    for (const frame of descendants(shapes, "draw:frame")) this.frames.push(frame);
  }

  addRow(row: XmlElement): void {
    const times = countOf(row, "table:number-rows-repeated");
    let column = 0;
    for (const cell of children(row)) {
      if (cell.name !== "table:table-cell" && cell.name !== "table:covered-table-cell") continue;
      const wide = countOf(cell, "table:number-columns-repeated");
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
      const right = column + countOf(cell, "table:number-columns-spanned") - 1;
      const bottom = top + countOf(cell, "table:number-rows-spanned") - 1;
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

/** Most rows of a chart's data that are shown. */
const MOST_POINTS = 1000;

/** Writes a chart with its data, a text box, or the description of a picture. */
function writeFrame(file: Package, frame: XmlElement, builder: MarkdownBuilder): void {
  const folder = child(frame, "draw:object")?.attributes["xlink:href"]?.replace(/^\.\//, "").replace(
    /\/$/,
    "",
  );
  const object = folder === undefined ? undefined : file.part(`${folder}/content.xml`);
  if (object !== undefined) {
    const chart = descendants(object, "chart:chart")[0];
    if (chart !== undefined) writeChart(chart, builder);
  } else if (child(frame, "draw:text-box") !== undefined) {
    builder.paragraph(paragraphs(child(frame, "draw:text-box")));
  } else if (child(frame, "draw:image") !== undefined) {
    const alternative = textOf(child(frame, "svg:title")) || textOf(child(frame, "svg:desc"));
    builder.image(alternative, file.picture(child(frame, "draw:image")));
  }
}

function writeChart(chart: XmlElement, builder: MarkdownBuilder): void {
  const kind = (chart.attributes["chart:class"] ?? "").replace(/^.*:/, "");
  const title = paragraphs(child(chart, "chart:title"));
  builder.paragraph(title === "" ? `Chart (${kind})` : `${title} (${kind} chart)`);
  const rows = descendants(child(chart, "table:table"), "table:table-row").slice(0, MOST_POINTS);
  builder.table(rows.map((row) => children(row, "table:table-cell").map(cellText)));
}

/** Most spaces that one element stands for. */
const MOST_SPACES = 20;

/** Returns the paragraphs of a cell, comment or shape. */
function paragraphs(element: XmlElement | undefined): string {
  return children(element, "text:p").map(inline).join("\n");
}

function inline(element: XmlElement): string {
  return element.children.map((node) => {
    if (typeof node === "string") return node.replace(/\s+/g, " ");
    switch (node.name) {
      case "text:s":
        return " ".repeat(Math.min(MOST_SPACES, Number(node.attributes["text:c"] ?? 1) || 1));
      case "text:tab":
        return " ";
      case "text:line-break":
        return "\n";
      case "office:annotation":
      case "text:ruby-text":
        return "";
      default:
        return inline(node);
    }
  }).join("");
}

/** Returns the text that a cell shows. Programs store it with the value; without it the value is returned. */
function cellText(cell: XmlElement): string {
  const text = paragraphs(cell);
  if (text.trim() !== "") return text;
  const value = (name: string) => cell.attributes[`office:${name}`];
  if (value("value-type") === "percentage" && value("value") !== undefined) {
    return `${Number((Number(value("value")) * 100).toPrecision(12))}%`;
  }
  return value("string-value") ?? value("date-value") ?? value("time-value") ??
    value("boolean-value")?.toUpperCase() ?? value("value") ?? "";
}
