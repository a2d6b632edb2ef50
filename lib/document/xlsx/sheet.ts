import { PREFIXES } from "../ooxml/namespaces.ts";
import type { Budget } from "../sheet/budget.ts";
import { Grid } from "../sheet/grid.ts";
import type { Row } from "../sheet/types.ts";
import { child, children, readElements, textOf, type XmlElement } from "../xml/mod.ts";
import { cellReference, rangeOf } from "./reference.ts";
import { richText, type Workbook } from "./workbook.ts";

/** The visible content of a sheet. */
export interface Sheet {
  readonly rows: readonly Row[];
  /** Ids of the relations to its drawings. */
  readonly drawings: readonly string[];
}

/** Reads a sheet row by row. Its declared dimension is ignored. */
export function readSheet(workbook: Workbook, part: string, budget: Budget): Sheet {
  const grid = new Grid(budget);
  const drawings: string[] = [];
  let row = -1;
  const wanted = ["x:row", "x:mergeCell", "x:drawing"];
  for (const { element } of readElements(workbook.file.zip.pieces(part), wanted, { prefixes: PREFIXES })) {
    const { attributes } = element;
    if (element.name === "x:row") row = readRow(workbook, element, row + 1, grid);
    else if (element.name === "x:mergeCell") {
      const range = rangeOf(attributes["ref"]);
      if (range !== undefined) grid.merge(range);
    } else if (attributes["r:id"] !== undefined) drawings.push(attributes["r:id"]);
  }
  return { rows: grid.rows(), drawings };
}

/** Rows and cells without a position follow the one before. */
function readRow(workbook: Workbook, element: XmlElement, next: number, grid: Grid): number {
  const said = Number(element.attributes["r"]) - 1;
  const row = Number.isInteger(said) && said >= 0 ? said : next;
  let column = -1;
  for (const cell of children(element, "x:c")) {
    column = cellReference(cell.attributes["r"])?.column ?? column + 1;
    grid.add(row, column, shown(workbook, cell));
  }
  return row;
}

/** Returns the visible text of a cell. For a formula that is its last result, or the formula if it was never calculated. */
function shown(workbook: Workbook, cell: XmlElement): string {
  const { t: type = "n", s: style } = cell.attributes;
  if (type === "inlineStr") return richText(child(cell, "x:is"));
  const value = textOf(child(cell, "x:v"));
  if (value === "") {
    const formula = textOf(child(cell, "x:f")).trim();
    return formula === "" || type === "str" ? "" : `=${formula}`;
  }
  switch (type) {
    case "s":
      return workbook.string(Number(value));
    case "b":
      return value.trim() === "0" ? "FALSE" : "TRUE";
    case "n": {
      const number = Number(value);
      return Number.isFinite(number) ? workbook.number(number, Number(style ?? 0)) : value;
    }
    case "d":
      return value.replace("T", " ").replace(/ 00:00:00(?:\.0+)?Z?$/, "");
    default:
      return value;
  }
}
