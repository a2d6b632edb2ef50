import { alternative } from "../writer/alternative_text.ts";
import type { BlockSink } from "../writer/cell_builder.ts";
import { commentLabel } from "../writer/comment_label.ts";
import { addLabelledItem } from "../writer/labelled_item.ts";
import { plainHeading } from "../writer/plain_heading.ts";
import { child, children, descendants, textOf, type XmlElement } from "../xml/mod.ts";
import { type Inline, InlineReader, noteMark } from "./inline.ts";
import { Numbering, type OpenList } from "./numbering.ts";
import { EmbeddedObjects } from "./objects.ts";
import type { Package } from "./package.ts";
import { OUTLINE, type Style, type Styles } from "./styles.ts";
import { addTable } from "./table.ts";

/** Deepest nesting of text boxes, tables and lists; deeper ones are left out. */
const DEEPEST = 60;

/** Elements that only contain blocks. */
const WRAPPERS = new Set([
  "text:section",
  "text:index-body",
  "text:bibliography",
  "text:numbered-paragraph",
  "draw:text-box",
  "draw:g",
  "draw:a",
  "text:soft-page-break",
]);

/** Turns the blocks of a text or slide into Markdown. */
export class Blocks {
  /** Text of the first paragraph with the style of a document title. */
  title: string | undefined;
  readonly #objects: EmbeddedObjects;
  readonly #styles: Styles;
  readonly #numbering: Numbering;
  readonly #inline: InlineReader;
  #outline: OpenList | undefined;
  #notes: XmlElement[] = [];
  #code: string[] = [];
  #depth = 0;

  constructor(file: Package, styles: Styles) {
    this.#objects = new EmbeddedObjects(file);
    this.#styles = styles;
    this.#numbering = new Numbering(styles);
    this.#inline = new InlineReader(styles, (frame) => this.#objects.formula(frame));
  }

  /** Adds an outermost block, and the notes that it refers to. */
  add(block: XmlElement, sink: BlockSink): void {
    this.#one(block, sink);
    if (this.#code.length === 0) this.#addNotes(sink);
  }

  /** Adds the blocks and notes that are still pending at the end. */
  finish(sink: BlockSink): void {
    this.#endCode(sink);
    this.#addNotes(sink);
  }

  /** Returns the text of an element's paragraphs on one line. */
  line(element: XmlElement): string {
    return descendants(element, "text:p").map((one) => this.#inline.read(one, {}).text).join(" ")
      .replace(/\s+/g, " ").trim();
  }

  readonly #within = (parent: XmlElement, sink: BlockSink): void => {
    if (this.#depth >= DEEPEST) return;
    this.#depth++;
    this.#endCode(sink);
    for (const block of children(parent)) this.#one(block, sink);
    this.#endCode(sink);
    this.#depth--;
  };

  #one(block: XmlElement, sink: BlockSink): void {
    const { name, attributes } = block;
    if (name === "text:p" || name === "text:h") return this.#paragraph(block, sink);
    this.#endCode(sink);
    if (name === "text:list") this.#list(block, undefined, sink);
    else if (name === "table:table") addTable(block, sink, this.#within);
    else if (name === "draw:frame") this.#frame(block, sink);
    else if (name === "office:annotation") this.#notes.push(block);
    else if (WRAPPERS.has(name)) {
      if (attributes["text:display"] !== "none") this.#within(block, sink);
    } else if (name.startsWith("draw:")) this.#within(block, sink);
  }

  #paragraph(block: XmlElement, sink: BlockSink): void {
    const style = this.#styles.get("paragraph", block.attributes["text:style-name"]);
    const inline = this.#inline.read(block, style);
    this.#notes.push(...inline.notes);
    if (style.kind === "contents" || style.hidden) return;
    if (block.name === "text:h" || style.heading !== undefined) {
      this.#endCode(sink);
      this.#heading(block, inline, style, undefined, sink);
    } else if (style.kind === "code" || (inline.monospaced && this.#code.length > 0)) {
      this.#code.push(inline.text.trimEnd());
    } else if (inline.text.trim() !== "") {
      this.#endCode(sink);
      if (style.kind === "quotation") {
        sink.block(inline.text.trim().split(/\n+/).map((line) => `> ${line}`).join("\n"));
      } else sink.paragraph(inline.text);
    } else if (this.#code.length > 0) this.#code.push("");
    this.#addShapes(inline, sink);
  }

  /** Adds a heading. `label` is its number if it is a list item. */
  #heading(
    block: XmlElement,
    inline: Inline,
    style: Style,
    label: string | undefined,
    sink: BlockSink,
  ): void {
    const text = plainHeading(inline.text.replace(/\[\^e?\w+\]/g, ""));
    if (text === "") return;
    if (style.heading === 0) {
      this.title ??= text;
      return sink.heading(1, text);
    }
    const level = Number(block.attributes["text:outline-level"] ?? style.heading ?? 1);
    const at = level >= 1 && level <= 10 ? level : 1;
    const isCounted = label === undefined && block.name === "text:h" &&
      block.attributes["text:is-list-header"] !== "true" && style.list !== "";
    const mark = isCounted ? this.#outlineNumber(at, block.attributes["text:start-value"]) : label;
    // All other sections lie inside the section of the title.
    sink.heading(at + (this.title === undefined ? 0 : 1), `${mark ?? ""} ${text}`.trim());
  }

  #outlineNumber(level: number, start: string | undefined): string | undefined {
    this.#outline ??= { style: OUTLINE, level: 0, counts: [] };
    if (this.#styles.level(OUTLINE, level - 1) === undefined) return undefined;
    return this.#numbering.next({ ...this.#outline, level: level - 1 }, start);
  }

  #list(list: XmlElement, outer: OpenList | undefined, sink: BlockSink): void {
    if (this.#depth >= DEEPEST) return;
    this.#depth++;
    const first = descendants(list, "text:p")[0]?.attributes["text:style-name"];
    const open = this.#numbering.open(list, outer, this.#styles.get("paragraph", first).list);
    for (const item of children(list)) {
      if (item.name === "text:list-item") this.#item(item, open, sink);
      else if (item.name === "text:list-header") this.#within(item, sink);
    }
    this.#depth--;
  }

  #item(item: XmlElement, open: OpenList, sink: BlockSink): void {
    let mark: { readonly label: string | undefined } | undefined;
    let lines: string[] = [];
    let held: Inline[] = [];
    const flush = () => {
      const text = lines.join("\n");
      lines = [];
      if (text.trim() !== "") {
        if (mark?.label === undefined) sink.paragraph(text);
        else addLabelledItem(sink, open.level, mark.label, text);
      }
      for (const inline of held) this.#addShapes(inline, sink);
      held = [];
    };
    for (const block of children(item)) {
      if (block.name === "text:p" || block.name === "text:h") {
        const style = this.#styles.get("paragraph", block.attributes["text:style-name"]);
        const inline = this.#inline.read(block, style);
        this.#notes.push(...inline.notes);
        if (style.hidden) continue;
        // An empty item is a blank line between items and is not counted.
        if (inline.text.trim() !== "") {
          mark ??= { label: this.#numbering.next(open, item.attributes["text:start-value"]) };
        }
        if (block.name === "text:h" || style.heading !== undefined) {
          flush();
          this.#heading(block, inline, style, mark?.label ?? "", sink);
          this.#addShapes(inline, sink);
          continue;
        }
        lines.push(inline.text);
        held.push(inline);
      } else {
        flush();
        if (block.name === "text:list") this.#list(block, open, sink);
        else this.#one(block, sink);
      }
    }
    flush();
  }

  #addShapes(inline: Inline, sink: BlockSink): void {
    if (inline.shapes.length === 0 || this.#depth >= DEEPEST) return;
    this.#depth++;
    for (const shape of inline.shapes) this.#one(shape, sink);
    this.#depth--;
  }

  /**
   * Adds the first child of a frame: a text box, table, object or picture. The other children are replacements for programs
   * that do not support it.
   */
  #frame(frame: XmlElement, sink: BlockSink): void {
    const text = (name: string) => textOf(child(frame, name));
    const [first] = children(frame).filter(({ name }) =>
      name !== "svg:title" && name !== "svg:desc" && name !== "office:event-listeners"
    );
    switch (first?.name) {
      case "draw:text-box":
        return this.#within(first, sink);
      case "table:table":
        return addTable(first, sink, this.#within);
      case "draw:object": {
        const formula = this.#objects.formula(frame);
        return formula === "" ? this.#chart(this.#objects.root(first), sink) : sink.paragraph(formula);
      }
      case "draw:image":
        return sink.image(alternative(text("svg:desc")) ?? alternative(text("svg:title")));
    }
  }

  #chart(root: XmlElement | undefined, sink: BlockSink): void {
    const chart = child(root, "office:body", "office:chart", "chart:chart");
    if (chart === undefined) return;
    const title = child(chart, "chart:title");
    if (title !== undefined) sink.paragraph(this.line(title));
    const table = child(chart, "table:table");
    if (table !== undefined) addTable(table, sink, this.#within);
  }

  /** Adds notes and comments after the block that refers to them. */
  #addNotes(sink: BlockSink): void {
    const notes = this.#notes;
    this.#notes = [];
    for (const note of notes) {
      const isComment = note.name === "office:annotation";
      const text = this.line(isComment ? note : child(note, "text:note-body") ?? note);
      if (text === "") continue;
      const value = (name: string) => textOf(child(note, name));
      const label = isComment ? commentLabel(value("dc:creator"), value("dc:date")) : `[^${noteMark(note)}]:`;
      sink.block(`${label} ${text}`);
    }
  }

  #endCode(sink: BlockSink): void {
    if (this.#code.length === 0) return;
    const code = this.#code.join("\n");
    this.#code = [];
    sink.code(code);
  }
}
