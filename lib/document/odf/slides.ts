import type { MarkdownBuilder } from "../writer/markdown_builder.ts";
import { child, children, type XmlElement } from "../xml/mod.ts";
import type { Blocks } from "./blocks.ts";

/** Elements of the master that repeat on every slide. */
const FURNITURE = new Set(["footer", "header", "date-time", "page-number", "page"]);

/** Adds a slide as a page: the title as heading, the content in its order, the speaker's notes. */
export function addSlide(slide: XmlElement, number: number, blocks: Blocks, builder: MarkdownBuilder): void {
  builder.page(number, "slide");
  const shapes = children(slide).filter(isContent);
  const title = shapes.find((one) =>
    one.attributes["presentation:class"] === "title" && blocks.line(one) !== ""
  );
  const name = slide.attributes["draw:name"]?.trim() ?? "";
  if (title !== undefined) builder.heading(1, blocks.line(title));
  else if (!MADE_UP.test(name)) builder.heading(1, name);
  for (const shape of shapes) if (shape !== title) blocks.add(shape, builder);
  for (const shape of children(child(slide, "presentation:notes")).filter(isContent)) {
    blocks.add(shape, builder);
  }
  blocks.finish(builder);
}

/** Matches names that programs give to slides. */
const MADE_UP = /^(?:(?:page|slide|seite|folie|diapo|幻灯片|投影片|页|頁)?[ _]?\d*)$/iu;

function isContent({ name, attributes }: XmlElement): boolean {
  return (name.startsWith("draw:") || name === "office:annotation") &&
    attributes["presentation:placeholder"] !== "true" &&
    !FURNITURE.has(attributes["presentation:class"] ?? "");
}
