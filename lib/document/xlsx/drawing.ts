import { readChart } from "../ooxml/chart.ts";
import { readDiagram } from "../ooxml/diagram.ts";
import type { Package } from "../ooxml/package.ts";
import type { MarkdownBuilder } from "../writer/markdown_builder.ts";
import { child, children, descendants, textOf, type XmlElement } from "../xml/mod.ts";

/** Writes the charts, diagrams, text boxes and pictures of a sheet, by row. */
export function writeDrawing(file: Package, part: string, builder: MarkdownBuilder): void {
  const anchors = children(file.part(part)).map((anchor) => ({
    anchor,
    row: Number(textOf(child(anchor, "xdr:from", "xdr:row"))) || 0,
    column: Number(textOf(child(anchor, "xdr:from", "xdr:col"))) || 0,
  }));
  anchors.sort((a, b) => a.row - b.row || a.column - b.column);
  for (const { anchor } of anchors) writeShapes(file, part, anchor, builder);
}

function writeShapes(file: Package, part: string, parent: XmlElement, builder: MarkdownBuilder): void {
  for (const element of children(parent)) {
    if (element.name === "xdr:sp") {
      const paragraphs = descendants(child(element, "xdr:txBody"), "a:p");
      builder.paragraph(
        paragraphs.map((one) => descendants(one, "a:t").map(textOf).join("")).join("\n"),
      );
    } else if (element.name === "xdr:pic") {
      builder.image(child(element, "xdr:nvPicPr", "xdr:cNvPr")?.attributes["descr"]);
    } else if (element.name === "xdr:graphicFrame") writeFrame(file, part, element, builder);
    else if (/^(?:xdr:grpSp|mc:AlternateContent|mc:Choice)$/.test(element.name)) {
      writeShapes(file, part, element, builder);
    }
  }
}

function writeFrame(file: Package, part: string, frame: XmlElement, builder: MarkdownBuilder): void {
  for (const { attributes } of descendants(frame, "c:chart")) {
    const target = file.target(part, attributes["r:id"]);
    const chart = target === undefined ? undefined : readChart(file.part(target.target));
    if (chart === undefined) continue;
    builder.paragraph(chart.caption);
    builder.table(chart.rows);
  }
  for (const { attributes } of descendants(frame, "dgm:relIds")) {
    const target = file.target(part, attributes["r:dm"]);
    if (target === undefined) continue;
    for (const item of readDiagram(file.part(target.target))) builder.item(item);
  }
}
