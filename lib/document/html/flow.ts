import { type BlockSink, CellBuilder } from "../writer/cell_builder.ts";
import { MarkdownBuilder } from "../writer/markdown_builder.ts";
import { codeLanguage, codeText } from "./code.ts";
import { mathText, tex } from "./math.ts";
import { BLOCKS } from "./names.ts";
import { QuoteSink } from "./quote_sink.ts";
import { attribute, classes, type Element, elements, lineOf, textOf } from "./tree.ts";
import type { FlowOptions, Walk } from "./walk.ts";
import { writeFigure, writeImage } from "./write_figure.ts";
import { writeLink, writeMarked, writeRuby, writeScript, writeSpan } from "./write_inline.ts";
import { writeDefinitions, writeList } from "./write_lists.ts";
import { writeTable } from "./write_table.ts";
import { Writer } from "./writer.ts";

/** Longer headings, in characters, are text in large letters. */
const LONGEST_HEADING = 400;
const DEEPEST_QUOTE = 8;
const SIGNS: Readonly<Record<string, string>> = {
  b: "**",
  strong: "**",
  em: "*",
  i: "*",
  code: "`",
  tt: "`",
  kbd: "`",
  samp: "`",
};

/** Writes elements as blocks of Markdown. */
export class Flow implements Walk {
  readonly sink: BlockSink;
  readonly options: FlowOptions;
  readonly writer: Writer;
  depth = -1;
  readonly hasTargets: boolean;
  #quotes = 0;

  constructor(sink: BlockSink, options: FlowOptions, hasTargets = true) {
    this.sink = sink;
    this.writer = new Writer(sink);
    this.options = options;
    this.hasTargets = hasTargets;
  }

  /** Writes an element, and ends the last block. */
  write(element: Element): void {
    this.visit(element);
    this.writer.endItem();
  }

  children(element: Element): void {
    for (const child of element.children) {
      if (typeof child === "string") this.writer.text(child);
      else this.visit(child);
    }
  }

  block(element: Element): void {
    this.writer.endLine();
    this.children(element);
    this.writer.endLine();
  }

  isOmitted(element: Element): boolean {
    return this.options.omitted.has(element) || !this.options.measures.has(element);
  }

  cell(cell: Element, hasTargets: boolean): string {
    if (this.isOmitted(cell)) return "";
    const sink = new CellBuilder();
    new Flow(sink, this.options, hasTargets).write(cell);
    return sink.toString();
  }

  visit(element: Element): void {
    if (this.isOmitted(element)) return;
    const { name } = element;
    switch (name) {
      case "h1":
      case "h2":
      case "h3":
      case "h4":
      case "h5":
      case "h6":
        return this.#heading(element, Number(name[1]));
      case "br":
        return this.writer.breakLine();
      case "ul":
      case "ol":
      case "menu":
      case "dir":
        return writeList(element, this);
      case "dl":
        return writeDefinitions(element, this);
      case "table":
        return writeTable(element, this);
      case "pre":
      case "xmp":
      case "listing":
      case "plaintext":
      case "textarea":
        return this.#code(element);
      case "blockquote":
        return this.#quote(element);
      case "figure":
        return writeFigure(element, this);
      case "img":
        return writeImage(element, this);
      case "math":
        return this.writer.push(mathText(element));
      case "script":
        return this.writer.push(tex(textOf(element)));
      case "ruby":
        return writeRuby(element, this);
      case "sup":
      case "sub":
        return writeScript(element, this);
      case "q":
        this.writer.push("“");
        this.children(element);
        this.writer.push("”");
        return;
      case "input":
        return this.writer.push("checked" in element.attributes ? "[x] " : "[ ] ");
      case "a":
        return writeLink(element, this);
      case "span":
      case "mjx-container":
        return writeSpan(element, this);
    }
    if (attribute(element, "role") === "heading") {
      const level = Number.parseInt(attribute(element, "aria-level"), 10);
      return this.#heading(element, level >= 1 && level <= 6 ? level : 2);
    }
    if (name === "div") {
      const names = classes(element);
      // Doxygen marks its titles and listings up with `div` elements only.
      if (names.includes("headertitle")) return this.#heading(element, 1);
      if (
        names.includes("fragment") && [...elements(element)].some((child) => classes(child).includes("line"))
      ) {
        return this.#code(element);
      }
    }
    const sign = SIGNS[name];
    if (sign !== undefined && !this.options.measures.get(element)!.hasBlock) {
      return writeMarked(element, sign, this);
    }
    if (BLOCKS.has(name)) this.block(element);
    else this.children(element);
  }

  #heading(element: Element, level: number): void {
    const { text, hasTable, hasBlock } = this.options.measures.get(element)!;
    this.writer.endItem();
    if (text > LONGEST_HEADING || hasTable) return this.block(element);
    if (!hasBlock) this.children(element);
    const line = hasBlock ? lineOf(element) : this.writer.takePlain();
    this.sink.heading(level + (this.options.headingOffset ?? 0), line);
  }

  #code(element: Element): void {
    this.writer.endItem();
    const text = codeText(element, (inner) => this.isOmitted(inner));
    this.sink.code(text, codeLanguage(element));
  }

  #quote(element: Element): void {
    const { hasHeading } = this.options.measures.get(element)!;
    this.writer.endItem();
    if (hasHeading || this.#quotes >= DEEPEST_QUOTE) {
      this.children(element);
      this.writer.endItem();
      return;
    }
    const builder = new MarkdownBuilder();
    const flow = new Flow(new QuoteSink(builder), this.options);
    flow.#quotes = this.#quotes + 1;
    flow.children(element);
    flow.writer.endItem();
    const { text } = builder.finish();
    this.sink.block(
      text.trimEnd().split("\n").map((line) => line === "" ? ">" : `> ${line}`).join("\n").replace(/^>$/, ""),
    );
  }
}
