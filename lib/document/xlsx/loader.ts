import type { Loader } from "../loader.ts";
import { Package } from "../ooxml/package.ts";
import { guarded } from "../reader/guarded.ts";
import { Budget } from "../sheet/budget.ts";
import { writeRows } from "../sheet/write.ts";
import type { Document } from "../types.ts";
import { MarkdownBuilder } from "../writer/markdown_builder.ts";
import { readComments } from "./comments.ts";
import { writeDrawing } from "./drawing.ts";
import { readSheet } from "./sheet.ts";
import { Workbook } from "./workbook.ts";

/** Excel workbooks (Office Open XML). Each sheet is a page and a section; hidden sheets are left out. */
export const loader: Loader = { load: (bytes) => guarded(() => loadXlsx(bytes)) };

function loadXlsx(bytes: Uint8Array): Document {
  const file = new Package(bytes);
  const workbook = new Workbook(file);
  const builder = new MarkdownBuilder();
  const budget = new Budget();
  for (const { name, number, part } of workbook.sheets) {
    builder.page(number, "sheet", name);
    builder.heading(2, name);
    const { rows, drawings } = readSheet(workbook, part, budget);
    writeRows(rows, builder, budget);
    for (const id of drawings) {
      const drawing = file.target(part, id);
      if (drawing !== undefined && !drawing.external) writeDrawing(file, drawing.target, builder);
    }
    for (const comment of readComments(workbook, part)) builder.block(comment);
  }
  const { title, metadata } = file.properties();
  return builder.finish({ title, metadata });
}
