import type { MarkdownBuilder } from "../writer/markdown_builder.ts";
import type { Budget } from "./budget.ts";
import { regions } from "./regions.ts";
import type { Row } from "./types.ts";

/** Most titles above a table. */
const TITLES = 10;

/** Writes a sheet: its blocks as tables, and single texts, which are mostly titles of tables, as paragraphs. */
export function writeRows(rows: readonly Row[], builder: MarkdownBuilder, budget: Budget): void {
  for (const region of regions(rows)) writeRegion(region, builder, budget, 0);
}

function writeRegion(rows: readonly Row[], builder: MarkdownBuilder, budget: Budget, titles: number): void {
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
  builder.table(rows.map(({ cells }) => {
    const texts = new Array<string>(cells.at(-1)!.column - left + 1).fill("");
    for (const { column, text } of cells) texts[column - left] = text;
    return texts;
  }));
}

/** Returns the text of a row with a single cell, which may be merged over the whole width. */
function loneText({ cells }: Row, width: number): string | undefined {
  const { text } = cells[0]!;
  const isLone = cells.length === 1 ||
    (cells.length === width && cells.every((cell, i) => cell.text === text && (i === 0 || cell.merged)));
  return isLone ? text : undefined;
}
