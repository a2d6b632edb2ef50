import { codeLanguage, codeText } from "./code.ts";
import { captionOf, gridOf, isLayout, numberedCode, rowsOf } from "./table.ts";
import type { Element } from "./tree.ts";
import type { Walk } from "./walk.ts";

/** In a table with more links, the targets would be longer than the text. */
const MOST_LINKS = 30;

/** Writes a table. A table that adds line numbers to code becomes code, and a layout table is written block by block. */
export function writeTable(table: Element, walk: Walk): void {
  const { sink, writer, options: { measures } } = walk;
  const rows = rowsOf(table).filter((row) => !walk.isOmitted(row));
  const lines = numberedCode(rows);
  if (lines !== undefined) {
    writer.endItem();
    for (const cell of lines.cells) if (lines.isWhole) walk.children(cell);
    if (!lines.isWhole) {
      const text = lines.cells.map((cell) =>
        codeText(cell, (inner) => walk.isOmitted(inner)).replace(/\n+$/, "")
      );
      sink.code(text.join("\n"), codeLanguage(table));
    }
    return;
  }
  if (isLayout(table, rows, measures)) return walk.block(table);
  writer.endItem();
  const caption = captionOf(table);
  if (caption !== "") sink.paragraph(caption);
  const hasTargets = walk.hasTargets && measures.get(table)!.links <= MOST_LINKS;
  sink.table(gridOf(rows, (cell) => walk.cell(cell, hasTargets)));
}
