import { readChart } from "../ooxml/chart.ts";
import { readDiagram } from "../ooxml/diagram.ts";
import type { Package } from "../ooxml/package.ts";
import { inReadingOrder } from "../reader/reading_order.ts";
import { alternative } from "../writer/alternative_text.ts";
import { commentLabel } from "../writer/comment_label.ts";
import type { MarkdownBuilder } from "../writer/markdown_builder.ts";
import { child, children, descendants, textOf, type XmlElement } from "../xml/mod.ts";
import { bulletsOf, type Layouts, placeholder, positionOf } from "./layout.ts";
import { addBody, addTable, bodyText } from "./text.ts";

/** Types of placeholders that repeat on every slide. */
const FURNITURE = new Set(["dt", "ftr", "sldNum", "hdr"]);

/** Adds slides: the title as heading, the content in reading order, notes and comments. */
export class SlideReader {
  readonly #package: Package;
  readonly #layouts: Layouts;
  /** Names of the authors of comments, by id. */
  readonly #authors: ReadonlyMap<string, string>;

  constructor(file: Package, layouts: Layouts, authors: ReadonlyMap<string, string>) {
    this.#package = file;
    this.#layouts = layouts;
    this.#authors = authors;
  }

  add(part: string, builder: MarkdownBuilder): void {
    const slide = this.#package.part(part);
    const layouts = this.#layouts.of(part);
    const shapes = shapesOf(child(slide, "p:cSld", "p:spTree"));
    const isTitle = (shape: XmlElement) => /^(?:title|ctrTitle)$/.test(placeholder(shape)?.type ?? "");
    const title = shapes.find((shape) => isTitle(shape) && bodyText(child(shape, "p:txBody")) !== "");
    if (title !== undefined) builder.heading(1, bodyText(child(title, "p:txBody")));
    const show = slide?.attributes["show"];
    if (show === "0" || show === "false") builder.paragraph("(hidden slide)");
    let last = { x: 0, y: 0, height: 0 };
    const rest = shapes.filter((shape) => shape !== title).map((shape) => {
      // A shape without a position follows the one before it.
      last = positionOf(shape, layouts) ?? last;
      return { shape, position: last };
    });
    for (const { shape } of inReadingOrder(rest, ({ position }) => position)) {
      this.#shape(shape, part, layouts, builder);
    }
    this.#notes(part, builder);
    this.#comments(part, builder);
  }

  #shape(shape: XmlElement, part: string, layouts: readonly XmlElement[], builder: MarkdownBuilder): void {
    const isFurniture = FURNITURE.has(placeholder(shape)?.type ?? "");
    if (isFurniture) return;
    switch (shape.name) {
      case "p:sp":
        return addBody(child(shape, "p:txBody"), bulletsOf(shape, layouts), builder);
      case "p:pic":
        return builder.image(alternative(child(shape, "p:nvPicPr", "p:cNvPr")?.attributes["descr"] ?? ""));
      case "p:grpSp": {
        const inside = shapesOf(shape).map((one) => ({
          one,
          position: positionOf(one, []) ?? { x: 0, y: 0, height: 0 },
        }));
        for (const { one } of inReadingOrder(inside, ({ position }) => position)) {
          this.#shape(one, part, layouts, builder);
        }
        return;
      }
      case "p:graphicFrame":
        return this.#graphic(child(shape, "a:graphic", "a:graphicData"), part, builder);
    }
  }

  #graphic(data: XmlElement | undefined, part: string, builder: MarkdownBuilder): void {
    for (const one of children(data)) {
      if (one.name === "a:tbl") addTable(one, builder);
      else if (one.name === "c:chart") {
        const chart = readChart(
          this.#package.part(this.#package.target(part, one.attributes["r:id"])?.target),
        );
        builder.paragraph(chart?.caption ?? "");
        if (chart !== undefined) builder.table(chart.rows);
      } else if (one.name === "dgm:relIds") {
        const model = this.#package.part(this.#package.target(part, one.attributes["r:dm"])?.target);
        for (const item of readDiagram(model)) builder.item(item);
      }
    }
  }

  /** Adds the speaker's notes. */
  #notes(part: string, builder: MarkdownBuilder): void {
    const notes = this.#package.part(this.#package.related(part, "notesSlide"));
    for (const shape of shapesOf(child(notes, "p:cSld", "p:spTree"))) {
      if (placeholder(shape)?.type === "body") addBody(child(shape, "p:txBody"), () => "none", builder);
    }
  }

  /** Adds comments of both kinds: those of PowerPoint until 2019, and threaded ones. */
  #comments(part: string, builder: MarkdownBuilder): void {
    for (const { type, target } of this.#package.relations(part)) {
      if (type !== "comments") continue;
      const add = (comment: XmlElement, text: string) => {
        const { authorId = "", dt, created } = comment.attributes;
        const line = text.replace(/\s+/g, " ").trim();
        if (line !== "") builder.block(`${commentLabel(this.#authors.get(authorId), dt ?? created)} ${line}`);
      };
      for (const comment of children(this.#package.part(target))) {
        if (comment.name === "p:cm") add(comment, textOf(child(comment, "p:text")));
        else if (comment.name === "p188:cm") {
          add(comment, bodyText(child(comment, "p188:txBody")));
          for (const reply of descendants(comment, "p188:reply")) {
            add(reply, bodyText(child(reply, "p188:txBody")));
          }
        }
      }
    }
  }
}

/** Returns the shapes of a tree or group, including those in alternatives. */
function shapesOf(tree: XmlElement | undefined): XmlElement[] {
  return children(tree).flatMap((one) =>
    one.name === "mc:AlternateContent"
      ? shapesOf(child(one, "mc:Choice") ?? child(one, "mc:Fallback"))
      : /^p:(?:sp|pic|grpSp|graphicFrame)$/.test(one.name)
      ? [one]
      : []
  );
}
