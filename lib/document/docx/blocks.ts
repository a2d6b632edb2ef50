import { readChart } from "../ooxml/chart.ts";
import { readDiagram } from "../ooxml/diagram.ts";
import type { Package } from "../ooxml/package.ts";
import type { BlockSink } from "../writer/cell_builder.ts";
import { PAGE_END } from "../writer/markdown_builder.ts";
import { plainHeading } from "../writer/plain_heading.ts";
import { child, children, descendants, type XmlElement } from "../xml/mod.ts";
import type { Attachment } from "./drawing.ts";
import { type Inline, InlineReader } from "./inline.ts";
import { Notes } from "./notes.ts";
import { Numbering } from "./numbering.ts";
import { flag, listOf, outlineLevel, type Style, Styles } from "./styles.ts";
import { addTable } from "./table.ts";

/** Deepest nesting of text boxes and tables; deeper ones are left out. */
const DEEPEST = 20;
/** Matches characters of code that prose in a monospaced font lacks. */
const CODE_SIGNS = /[{}();=<>[\]|\\$#_]|^\s{2,}\S|:$/m;

/** Turns the blocks of a document's body into Markdown. */
export class Blocks {
  /** Text of the first paragraph with the style of a document title. */
  title: string | undefined;
  readonly #package: Package;
  readonly #part: string;
  readonly #styles: Styles;
  readonly #numbering: Numbering;
  readonly #notes: Notes;
  readonly #inline: InlineReader;
  readonly #pageEnds: ReadonlySet<XmlElement>;
  /** Lines of consecutive code paragraphs. */
  #code: string[] = [];
  #depth = 0;

  /** `pageEnds`: breaks between pages that stand after text of their block. */
  constructor(file: Package, part: string, pageEnds: ReadonlySet<XmlElement>) {
    this.#package = file;
    this.#part = part;
    this.#pageEnds = pageEnds;
    const related = (type: string) => file.part(file.related(part, type));
    this.#styles = new Styles(related("styles"));
    this.#numbering = new Numbering(related("numbering"));
    this.#notes = new Notes(related("footnotes"), related("endnotes"), related("comments"));
    this.#inline = new InlineReader(this.#styles, (id) => file.target(part, id)?.target, pageEnds);
  }

  /** Whether a paragraph begins a page, by its own properties or by those of its style. */
  breaksPage(paragraph: XmlElement): boolean {
    const properties = child(paragraph, "w:pPr");
    const style = this.#styles.get(child(properties, "w:pStyle")?.attributes["w:val"]);
    return flag(properties, "w:pageBreakBefore") ?? style.breaksPage ?? false;
  }

  /** Notes that a page ends in the code that is still pending; returns false if there is none. */
  endPage(): boolean {
    const line = this.#code.pop();
    if (line !== undefined) this.#code.push(line + PAGE_END);
    return line !== undefined;
  }

  /** Whether lines of code are pending, whose ends of pages are not yet written. */
  get hasPending(): boolean {
    return this.#code.length > 0;
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

  /** Adds the blocks of a text box, a cell or a note. */
  readonly within = (parent: XmlElement, sink: BlockSink): void => {
    if (this.#depth >= DEEPEST) return;
    this.#depth++;
    this.#endCode(sink);
    for (const block of children(parent)) this.#one(block, sink);
    this.#endCode(sink);
    this.#depth--;
  };

  #one(block: XmlElement, sink: BlockSink): void {
    switch (block.name) {
      case "w:p":
        return this.#paragraph(block, sink);
      case "w:tbl":
        this.#endCode(sink);
        return addTable(block, sink, this.within);
      case "w:sdt": {
        const properties = child(block, "w:sdtPr");
        const gallery = child(properties, "w:docPartObj", "w:docPartGallery")?.attributes["w:val"];
        if (gallery === "Table of Contents") return;
        const isEmpty = child(properties, "w:showingPlcHdr") !== undefined;
        for (const one of isEmpty ? [] : children(child(block, "w:sdtContent"))) this.#one(one, sink);
        return;
      }
      case "w:ins":
      case "w:moveTo":
      case "w:customXml":
      case "w:smartTag":
        for (const one of children(block)) this.#one(one, sink);
        return;
      case "mc:AlternateContent":
        for (const one of children(child(block, "mc:Choice") ?? child(block, "mc:Fallback"))) {
          this.#one(one, sink);
        }
        return;
      case "m:oMathPara":
      case "m:oMath":
        return this.#paragraph({ name: "w:p", attributes: {}, children: [block] }, sink);
    }
  }

  #paragraph(paragraph: XmlElement, sink: BlockSink): void {
    const properties = child(paragraph, "w:pPr");
    const style = this.#styles.get(child(properties, "w:pStyle")?.attributes["w:val"]);
    const inline = this.#inline.read(paragraph, style);
    if (this.#pageEnds.has(paragraph) && !this.endPage()) sink.paragraph(PAGE_END);
    if (style.kind === "contents") return;
    const text = inline.text;
    const isCode = style.kind === "code" ||
      (inline.monospaced && (CODE_SIGNS.test(text) || this.#code.length > 0));
    if (isCode && listOf(properties) === undefined) this.#code.push(text.trimEnd());
    else if (text.replaceAll(PAGE_END, "").trim() !== "" || inline.equations.length > 0) {
      this.#endCode(sink);
      this.#text(inline, properties, style, sink);
    } else if (this.#code.length > 0) this.#code.push(text.trim());
    else if (text.includes(PAGE_END)) sink.paragraph(text);
    for (const one of inline.attachments) this.#attach(one, sink);
  }

  #text(inline: Inline, properties: XmlElement | undefined, style: Style, sink: BlockSink): void {
    const text = inline.text.replaceAll("\t", " ");
    for (const equation of inline.equations) sink.paragraph(`$$${equation}$$`);
    if (text.trim() === "") return;
    const own = listOf(properties);
    const { list, level = 0 } = { ...style.list, ...own };
    const mark = list === undefined || list === "0" ? undefined : this.#numbering.next({ list, level });
    const direct = outlineLevel(properties);
    const heading = direct === undefined ? style.heading : direct < 0 ? undefined : direct;
    if (heading !== undefined) {
      const isTitle = heading === 0;
      const label = mark === undefined || mark.label === "" ? "" : `${mark.label} `;
      // All other sections lie inside the section of the title.
      sink.heading(isTitle ? 1 : heading + (this.title === undefined ? 0 : 1), label + plainHeading(text));
      if (isTitle) this.title ??= plainHeading(text.replaceAll(PAGE_END, ""));
    } else if (mark !== undefined) {
      const number = /^(\d{1,9})[.)、．]?$/.exec(mark.label)?.[1];
      if (number !== undefined) sink.item({ depth: mark.level, number: Number(number), text });
      else sink.item({ depth: mark.level, text: mark.label === "" ? text : `${mark.label} ${text}` });
    } else if (style.kind === "quotation") {
      sink.block(text.trim().split(/\n+/).map((line) => `> ${line}`).join("\n"));
    } else sink.paragraph(text);
  }

  #attach(attachment: Attachment, sink: BlockSink): void {
    switch (attachment.kind) {
      case "text box":
        return this.within(attachment.content, sink);
      case "image":
        this.#endCode(sink);
        return sink.image(attachment.caption);
      case "chart": {
        const chart = readChart(this.#related(attachment.relation));
        if (chart === undefined) return;
        this.#endCode(sink);
        sink.paragraph(chart.caption);
        sink.table(chart.rows);
        return;
      }
      case "diagram":
        for (const item of readDiagram(this.#related(attachment.relation))) sink.item(item);
        return;
      default:
        this.#notes.refer(attachment.kind, attachment.id);
    }
  }

  #related(relation: string | undefined): XmlElement | undefined {
    return this.#package.part(this.#package.target(this.#part, relation)?.target);
  }

  /** Adds notes and comments after the block that refers to them. */
  #addNotes(sink: BlockSink): void {
    for (const { label, element } of this.#notes.taken()) {
      const parts: string[] = [];
      for (const p of descendants(element, "w:p")) {
        parts.push(this.#inline.read(p, {}).text.replace(/\s+/g, " ").trim());
      }
      const text = parts.filter((part) => part !== "").join(" ");
      if (text === "") continue;
      sink.block(`${label} ${text}`.trim());
    }
  }

  #endCode(sink: BlockSink): void {
    if (this.#code.length === 0) return;
    const code = this.#code.join("\n");
    this.#code = [];
    sink.code(code);
  }
}
