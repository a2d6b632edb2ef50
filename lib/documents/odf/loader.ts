/**
 * Loads OpenDocument texts and presentations, zipped or flat, block by block.
 * Below it: slides, the blocks of a text, tables, embedded formulas and charts, and places of frames.
 */
import { type Document, DocumentError, type FileName, guarded, type Loader, words } from "../types.ts";
import { loadSheets } from "./spreadsheet.ts";
import { alternative, type BlockSink, MarkdownBuilder } from "../markdown_builder.ts";
import { type PictureBox, USUAL_PAGE } from "../pictures/types.ts";
import { child, children, descendants, textOf, type XmlElement } from "../xml.ts";
import { countOf, Package, readMetadata } from "./package.ts";
import { Numbering, type OdfStyle, type OpenList, OUTLINE, Styles } from "./styles.ts";
import {
  addLabelledItem,
  addQuotation,
  addRows,
  Blocks,
  commentLabel,
  MOST_COLUMNS,
  plainHeading,
} from "../office/text.ts";
import { formulaIn, formulaText, type Inline, InlineReader, noteMark } from "./inline.ts";

/** Most slides of a presentation. */
const MOST_SLIDES = 20_000;

const STYLES = words("office:styles office:automatic-styles office:font-face-decls");
/** Elements without text to show: indexes repeat the text, and tracked deletions are gone. */
const SILENT = words(
  "office:master-styles office:settings office:scripts office:forms text:tracked-changes text:table-of-content",
  "text:illustration-index text:table-index text:object-index text:user-index text:alphabetical-index text:variable-decls",
  "text:sequence-decls presentation:settings",
);
const BLOCKS = words(
  "text:p text:h text:list table:table draw:frame draw:g draw:custom-shape draw:rect draw:ellipse draw:circle draw:line",
  "draw:polygon draw:a",
);
const WANTED = ["office:meta", ...STYLES, ...SILENT, ...BLOCKS, "draw:page"];

/** OpenDocument texts, presentations and spreadsheets, their templates and their flat XML variants. */
export const loader: Loader = guarded((bytes, name) => {
  const file = new Package(bytes);
  return file.kind === "spreadsheet" ? loadSheets(file, name) : loadBlocks(file, name);
});

/** Reads a text or presentation block by block. */
function loadBlocks(file: Package, name: FileName): Document {
  const styles = new Styles();
  const shared = file.part("styles.xml");
  for (const name of STYLES) styles.add(child(shared, name));
  let meta: XmlElement | undefined = child(file.part("meta.xml"), "office:meta");
  const blocks = new BodyBlocks(file, styles);
  const builder = new MarkdownBuilder(name);
  let slides = 0;
  for (const { element, ancestors } of file.elements(WANTED)) {
    if (SILENT.has(element.name)) continue;
    if (element.name === "office:meta") meta = element;
    else if (STYLES.has(element.name)) styles.add(element);
    else if (element.name === "draw:page") {
      if (++slides > MOST_SLIDES) {
        throw new DocumentError("too_complex", `it has more than ${MOST_SLIDES} slides`);
      }
      addSlide(element, slides, blocks, builder);
    } else if (ancestors.every((one) => one.attributes["text:display"] !== "none")) {
      blocks.add(element, builder);
    }
  }
  blocks.finish(builder);
  const { title, metadata } = readMetadata(meta);
  return builder.finish({ title: blocks.headings.title ?? title, metadata });
}

/** Elements of the master that repeat on every slide. */
const FURNITURE = new Set(["footer", "header", "date-time", "page-number", "page"]);

/** Adds a slide as a page: the title as heading, the content in its order, the speaker's notes. */
function addSlide(slide: XmlElement, number: number, blocks: BodyBlocks, builder: MarkdownBuilder): void {
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

/** Deepest nesting of text boxes, tables and lists; deeper ones are left out. */
const DEEPEST = 60;
const MOST_OBJECTS = 5000;

/** Elements that only contain blocks. */
const WRAPPERS = words(
  "text:section text:index-body text:bibliography text:numbered-paragraph draw:text-box draw:g draw:a text:soft-page-break",
);

/** Turns the blocks of a text or slide into Markdown. */
class BodyBlocks extends Blocks {
  readonly #package: Package;
  readonly #styles: Styles;
  readonly #numbering: Numbering;
  readonly #inline: InlineReader;
  readonly #notes: XmlElement[] = [];
  /** Number of embedded objects that were read. */
  #objects = 0;
  #outline: OpenList | undefined;

  constructor(file: Package, styles: Styles) {
    super(DEEPEST);
    this.#package = file;
    this.#styles = styles;
    this.#numbering = new Numbering(styles);
    this.#inline = new InlineReader(styles, (frame) => this.#formula(frame));
  }

  /** Returns the text of an element's paragraphs on one line. */
  line(element: XmlElement): string {
    return descendants(element, "text:p").map((one) => this.#inline.read(one, {}).text).join(" ")
      .replace(/\s+/g, " ").trim();
  }

  protected override one(block: XmlElement, sink: BlockSink): void {
    const { name, attributes } = block;
    if (name === "text:p" || name === "text:h") return this.#paragraph(block, sink);
    this.endCode(sink);
    if (name === "text:list") this.#list(block, undefined, sink);
    else if (name === "table:table") addTable(block, sink, this);
    else if (name === "draw:frame") this.#frame(block, sink);
    else if (name === "office:annotation") this.#notes.push(block);
    else if (WRAPPERS.has(name)) {
      if (attributes["text:display"] !== "none") this.within(block, sink);
    } else if (name.startsWith("draw:")) this.within(block, sink);
  }

  #paragraph(block: XmlElement, sink: BlockSink): void {
    const style = this.#styles.get("paragraph", block.attributes["text:style-name"]);
    const inline = this.#inline.read(block, style);
    this.#notes.push(...inline.notes);
    if (style.kind === "contents" || style.hidden) return;
    if (block.name === "text:h" || style.heading !== undefined) {
      this.endCode(sink);
      this.#heading(block, inline, style, undefined, sink);
    } else if (style.kind === "code" || (inline.monospaced && this.code.length > 0)) {
      this.code.push(inline.text.trimEnd());
    } else if (inline.text.trim() !== "") {
      this.endCode(sink);
      if (style.kind === "quotation") addQuotation(sink, inline.text);
      else sink.paragraph(inline.text);
    } else if (this.code.length > 0) this.code.push("");
    this.#addShapes(inline, sink);
  }

  /** Adds a heading. `label` is its number if it is a list item. */
  #heading(
    block: XmlElement,
    inline: Inline,
    style: OdfStyle,
    label: string | undefined,
    sink: BlockSink,
  ): void {
    const text = plainHeading(inline.text.replace(/\[\^e?\w+\]/g, ""));
    if (text === "") return;
    if (style.heading === 0) return this.headings.add(sink, 0, text);
    const level = Number(block.attributes["text:outline-level"] ?? style.heading ?? 1);
    const at = level >= 1 && level <= 10 ? level : 1;
    const isCounted = label === undefined && block.name === "text:h" &&
      block.attributes["text:is-list-header"] !== "true" && style.list !== "";
    const mark = isCounted ? this.#outlineNumber(at, block.attributes["text:start-value"]) : label;
    this.headings.add(sink, at, `${mark ?? ""} ${text}`.trim());
  }

  #outlineNumber(level: number, start: string | undefined): string | undefined {
    this.#outline ??= { style: OUTLINE, level: 0, counts: [] };
    if (this.#styles.level(OUTLINE, level - 1) === undefined) return undefined;
    return this.#numbering.next({ ...this.#outline, level: level - 1 }, start);
  }

  #list(list: XmlElement, outer: OpenList | undefined, sink: BlockSink): void {
    this.nested(() => {
      const first = descendants(list, "text:p")[0]?.attributes["text:style-name"];
      const open = this.#numbering.open(list, outer, this.#styles.get("paragraph", first).list);
      for (const item of children(list)) {
        if (item.name === "text:list-item") this.#item(item, open, sink);
        else if (item.name === "text:list-header") this.within(item, sink);
      }
    });
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
        else this.one(block, sink);
      }
    }
    flush();
  }

  #addShapes(inline: Inline, sink: BlockSink): void {
    this.nested(() => inline.shapes.forEach((shape) => this.one(shape, sink)));
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
        return this.within(first, sink);
      case "table:table":
        return addTable(first, sink, this);
      case "draw:object": {
        const formula = this.#formula(frame);
        return formula === "" ? this.#chart(this.#rootOf(first), sink) : sink.paragraph(formula);
      }
      case "draw:image":
        return sink.image(
          alternative(text("svg:desc")) ?? alternative(text("svg:title")),
          {
            ...this.#package.picture(first),
            // In a text it is counted from the paragraph.
            box: this.#package.kind === "presentation" ? boxOf(frame) : undefined,
            share: shareOf(frame),
          },
        );
    }
  }

  /** Returns the formula in a frame as TeX; empty for any other frame. */
  #formula(frame: XmlElement): string {
    const object = child(frame, "draw:object");
    return object === undefined ? "" : formulaText(formulaIn(this.#rootOf(object)));
  }

  /** Returns the root of an embedded document: a part of the ZIP archive, or a child of the element in flat files. */
  #rootOf(object: XmlElement): XmlElement | undefined {
    const inside = children(object).find(({ name }) => name === "math:math" || name === "office:document");
    if (inside !== undefined) return inside;
    const folder = (object.attributes["xlink:href"] ?? "").replace(/^\.\//, "").replace(/\/$/, "");
    if (folder === "" || ++this.#objects > MOST_OBJECTS) return undefined;
    return this.#package.part(`${folder}/content.xml`);
  }

  #chart(root: XmlElement | undefined, sink: BlockSink): void {
    const chart = child(root, "office:body", "office:chart", "chart:chart");
    if (chart === undefined) return;
    const title = child(chart, "chart:title");
    if (title !== undefined) sink.paragraph(this.line(title));
    const table = child(chart, "table:table");
    if (table !== undefined) addTable(table, sink, this);
  }

  protected override addNotes(sink: BlockSink): void {
    for (const note of this.#notes.splice(0)) {
      const isComment = note.name === "office:annotation";
      const text = this.line(isComment ? note : child(note, "text:note-body") ?? note);
      if (text === "") continue;
      const value = (name: string) => textOf(child(note, name));
      const label = isComment ? commentLabel(value("dc:creator"), value("dc:date")) : `[^${noteMark(note)}]:`;
      sink.block(`${label} ${text}`);
    }
  }
}

/** Most repetitions of a row. Rows that are repeated to fill a page are empty. */
const MOST_REPEATED = 100;

const GROUPS = words("table:table-header-rows table:table-rows table:table-row-group");

/**
 * Adds a table. The text of a cell that spans rows is repeated in each of them, so that every row has its label. The text of
 * a cell that spans columns appears once.
 */
function addTable(table: XmlElement, sink: BlockSink, blocks: Blocks): void {
  const rows = rowsOf(table);
  const cells = (row: XmlElement) =>
    children(row).filter(({ name }) => name === "table:table-cell" || name === "table:covered-table-cell");
  const only = rows.length === 1 ? cells(rows[0]!) : [];
  // A table with a single cell is a frame around text.
  if (only.length === 1) return blocks.within(only[0]!, sink);
  const lines: string[][] = [];
  /** Texts of cells that extend into the rows below, by column. */
  const below = new Map<number, { text: string; rows: number }>();
  for (const row of rows) {
    const line: string[] = [];
    const own = cells(row);
    for (const cell of own) {
      const covered = cell.name === "table:covered-table-cell";
      const height = countOf(cell, "table:number-rows-spanned");
      const repeated = Math.min(countOf(cell, "table:number-columns-repeated"), MOST_COLUMNS - line.length);
      const text = covered ? "" : blocks.cell(cell);
      for (let i = 0; i < repeated; i++) {
        const at = line.length;
        const above = below.get(at);
        if (covered) line.push(above?.text ?? "");
        else line.push(text);
        if (above !== undefined && --above.rows <= 0) below.delete(at);
        if (covered || text === "") continue;
        if (height > 1) below.set(at, { text, rows: height - 1 });
      }
    }
    const isEmpty = line.every((cell) => cell === "");
    const repeat = isEmpty ? 1 : Math.min(countOf(row, "table:number-rows-repeated"), MOST_REPEATED);
    for (let i = 0; i < repeat; i++) lines.push(line);
  }
  addRows(sink, lines);
  blocks.endTable(sink);
}

function rowsOf(parent: XmlElement): XmlElement[] {
  return children(parent).flatMap((one) =>
    one.name === "table:table-row" ? [one] : GROUPS.has(one.name) ? rowsOf(one) : []
  );
}

/** Points in a unit of length. */
const UNITS: Readonly<Record<string, number>> = { pt: 1, in: 72, cm: 72 / 2.54, mm: 72 / 25.4 };

/** Returns the part of a usual page that a frame takes; `undefined` for one without a size. */
function shareOf({ attributes }: XmlElement): number | undefined {
  const share = pointsIn(attributes["svg:width"]) * pointsIn(attributes["svg:height"]) / USUAL_PAGE;
  return Number.isFinite(share) ? share : undefined;
}

function pointsIn(length = ""): number {
  const [, number, unit = ""] = /^(-?[\d.]{1,20})(\w\w)$/.exec(length) ?? [];
  return Number(number) * (UNITS[unit] ?? NaN);
}

/** Returns the place of a frame on its slide; `undefined` for one that is turned, or that has no size. */
function boxOf({ attributes }: XmlElement): PictureBox | undefined {
  const points = (name: string) => pointsIn(attributes[`svg:${name}`]);
  const box = { left: points("x"), top: points("y"), width: points("width"), height: points("height") };
  return Object.values(box).every(Number.isFinite) ? box : undefined;
}
