import { PREFIXES } from "../odf/namespaces.ts";
import type { MarkdownBuilder } from "../writer/markdown_builder.ts";
import { child, children, descendants, parseXml, textOf, type XmlElement } from "../xml/mod.ts";
import type { Zip } from "../zip/mod.ts";
import { cellText, paragraphs } from "./text.ts";

/** Most rows of a chart's data that are shown. */
const MOST_POINTS = 1000;

/** Writes a chart with its data, a text box, or the description of a picture. */
export function writeFrame(zip: Zip | undefined, frame: XmlElement, builder: MarkdownBuilder): void {
  const href = child(frame, "draw:object")?.attributes["xlink:href"];
  const part = `${href?.replace(/^\.\//, "").replace(/\/$/, "")}/content.xml`;
  if (href !== undefined && zip?.has(part)) {
    const chart = descendants(parseXml(zip.pieces(part), { prefixes: PREFIXES }), "chart:chart")[0];
    if (chart !== undefined) writeChart(chart, builder);
  } else if (child(frame, "draw:text-box") !== undefined) {
    builder.paragraph(paragraphs(child(frame, "draw:text-box")));
  } else if (child(frame, "draw:image") !== undefined) {
    builder.image(textOf(child(frame, "svg:title")) || textOf(child(frame, "svg:desc")));
  }
}

function writeChart(chart: XmlElement, builder: MarkdownBuilder): void {
  const kind = (chart.attributes["chart:class"] ?? "").replace(/^.*:/, "");
  const title = paragraphs(child(chart, "chart:title"));
  builder.paragraph(title === "" ? `Chart (${kind})` : `${title} (${kind} chart)`);
  const rows = descendants(child(chart, "table:table"), "table:table-row").slice(0, MOST_POINTS);
  builder.table(rows.map((row) => children(row, "table:table-cell").map(cellText)));
}
