import { type BlockSink, CellBuilder } from "../writer/cell_builder.ts";
import { MarkdownBuilder } from "../writer/markdown_builder.ts";
import { scripted } from "../writer/small_digits.ts";
import { codeLanguage, codeText, isLineNumbers } from "./code.ts";
import { alternativeOf, isOnlyChild, isWithin } from "./image.ts";
import { formulaWithin, mathText, tex } from "./math.ts";
import type { Measure } from "./measure.ts";
import { BLOCKS } from "./names.ts";
import { QuoteSink } from "./quote_sink.ts";
import { captionOf, gridOf, isLayout, numberedCode, rowsOf } from "./table.ts";
import { Writer } from "./writer.ts";
import { attribute, classes, type Element, elements, find, lineOf, textOf } from "./tree.ts";

/** Options for writing a page as Markdown. */
export interface FlowOptions {
  readonly measures: ReadonlyMap<Element, Measure>;
  readonly left: ReadonlySet<Element>;
  /** Added to the levels of headings. */
  readonly headingOffset?: number;
  /** Host whose links are left out, since they lead to the same site. */
  readonly host?: string | undefined;
}

/** Longer headings are text in large letters. */
const LONGEST_HEADING = 400;
const LONGEST_TARGET = 300;
const DEEPEST_QUOTE = 8;
/** In a table with more links their targets would outweigh its text. */
const MOST_LINKS = 30;
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
export class Flow {
  readonly #sink: BlockSink;
  readonly #options: FlowOptions;
  readonly #writer: Writer;
  #depth = -1;
  #quotes = 0;
  #hasTargets = true;

  constructor(sink: BlockSink, options: FlowOptions) {
    this.#sink = sink;
    this.#writer = new Writer(sink);
    this.#options = options;
  }

  /** Writes an element, and ends the last block. */
  write(element: Element): void {
    this.#visit(element);
    this.#writer.endItem();
  }

  #children(element: Element): void {
    for (const child of element.children) {
      if (typeof child === "string") {
        this.#writer.text(child);
      } else this.#visit(child);
    }
  }

  #isLeft(element: Element): boolean {
    return this.#options.left.has(element) || !this.#options.measures.has(element);
  }

  #visit(element: Element): void {
    if (this.#isLeft(element)) return;
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
        this.#writer.breakLine();
        return;
      case "ul":
      case "ol":
      case "menu":
      case "dir":
        return this.#list(element);
      case "dl":
        return this.#definitions(element);
      case "table":
        return this.#table(element);
      case "pre":
      case "xmp":
      case "listing":
      case "plaintext":
      case "textarea":
        return this.#code(element);
      case "blockquote":
        return this.#quote(element);
      case "figure":
        return this.#figure(element);
      case "img":
        return this.#image(element);
      case "math": {
        this.#writer.push(mathText(element));
        return;
      }
      case "script":
        this.#writer.push(tex(textOf(element)));
        return;
      case "ruby":
        return this.#ruby(element);
      case "sup":
      case "sub":
        return this.#script(element);
      case "q":
        this.#writer.push("“");
        this.#children(element);
        this.#writer.push("”");
        return;
      case "input":
        this.#writer.push("checked" in element.attributes ? "[x] " : "[ ] ");
        return;
      case "a":
        return this.#link(element);
      case "span":
      case "mjx-container":
        return this.#span(element);
    }
    if (attribute(element, "role") === "heading") {
      const level = Number.parseInt(attribute(element, "aria-level"), 10);
      return this.#heading(element, level >= 1 && level <= 6 ? level : 2);
    }
    if (name === "div") {
      const names = classes(element);
      // Doxygen has its titles and its listings in nothing but divisions.
      if (names.includes("headertitle")) return this.#heading(element, 1);
      if (
        names.includes("fragment") && [...elements(element)].some((child) => classes(child).includes("line"))
      ) {
        return this.#code(element);
      }
    }
    const sign = SIGNS[name];
    if (sign !== undefined && !this.#options.measures.get(element)!.hasBlock) {
      return this.#marked(element, sign);
    }
    if (!BLOCKS.has(name)) return this.#children(element);
    this.#writer.endLine();
    this.#children(element);
    this.#writer.endLine();
  }

  #marked(element: Element, sign: string, target?: string): void {
    this.#writer.push({ end: false, sign, ...(target === undefined ? {} : { target }) });
    this.#children(element);
    this.#writer.push({ end: true, sign });
  }

  #span(element: Element): void {
    const names = classes(element);
    if (
      names.some((name) => name === "katex" || name === "mwe-math-element" || name === "mjx-chtml") ||
      element.name === "mjx-container"
    ) {
      const formula = formulaWithin(element);
      if (formula !== undefined) {
        this.#writer.push(formula);
        return;
      }
    }
    if (!isLineNumbers(element) || lineOf(element) === "") this.#children(element);
  }

  #link(element: Element): void {
    const target = attribute(element, "href").trim();
    const hasBlock = this.#options.measures.get(element)!.hasBlock;
    if (hasBlock || !this.#isWorthKeeping(target)) this.#children(element);
    else this.#marked(element, "[", target);
  }

  /** Links to other sites. Targets within the site are paths that say nothing to a reader of the text. */
  #isWorthKeeping(target: string): boolean {
    if (
      !this.#hasTargets || target.length > LONGEST_TARGET ||
      !/^(?:https?:\/\/|mailto:)[^\s()<>]+$/i.test(target)
    ) return false;
    const { host } = this.#options;
    return host === undefined || !target.toLowerCase().startsWith(host, target.indexOf("//") + 2);
  }

  /** Small digits, unless they are the number of a note. */
  #script(element: Element): void {
    const text = lineOf(element);
    const small = scripted(text, element.name === "sup" ? "superscript" : "subscript");
    if (small !== text && this.#options.measures.get(element)!.links === 0) this.#writer.push(small);
    else this.#children(element);
  }

  #ruby(element: Element): void {
    const readings: string[] = [];
    for (const child of element.children) {
      if (typeof child === "string") this.#writer.text(child.trim());
      else if (child.name === "rt" || child.name === "rtc") readings.push(lineOf(child));
      else if (child.name !== "rp") this.#children(child);
    }
    const reading = readings.join("");
    if (reading !== "") this.#writer.push(`(${reading})`);
  }

  #heading(element: Element, level: number): void {
    const { text, hasTable, hasBlock } = this.#options.measures.get(element)!;
    this.#writer.endItem();
    if (text > LONGEST_HEADING || hasTable) return this.#plainBlock(element);
    if (!hasBlock) this.#children(element);
    const line = hasBlock ? lineOf(element) : this.#writer.takePlain();
    this.#sink.heading(level + (this.#options.headingOffset ?? 0), line);
  }

  #list(list: Element): void {
    this.#writer.endItem();
    if (this.#depth < 0) this.#writer.endLine();
    this.#depth++;
    let number = Number.parseInt(attribute(list, "start"), 10);
    if (!Number.isFinite(number)) number = 1;
    for (const child of list.children) {
      if (typeof child === "string") {
        if (child.trim() !== "") this.#writer.text(child);
      } else if (child.name === "li") {
        const value = Number.parseInt(attribute(child, "value"), 10);
        if (list.name === "ol" && Number.isFinite(value)) number = value;
        if (!this.#isLeft(child)) this.#listItem(child, list.name === "ol" ? number++ : undefined);
      } else this.#visit(child);
    }
    this.#writer.endItem();
    this.#depth--;
  }

  #listItem(element: Element, number: number | undefined): void {
    this.#writer.openItem(this.#depth, number);
    this.#children(element);
    this.#writer.endItem();
  }

  /** A term and what is said of it make one item, the term in bold. */
  #definitions(list: Element): void {
    this.#writer.endItem();
    this.#depth++;
    const visit = (parent: Element) => {
      for (const child of elements(parent)) {
        if (this.#isLeft(child)) continue;
        if (child.name === "dt") this.#term(child);
        else if (child.name === "dd") {
          if (this.#writer.inItem) this.#writer.endLine();
          else this.#writer.openItem(this.#depth);
          this.#children(child);
          this.#writer.endLine();
        } else if (child.name === "div") visit(child);
        else this.#visit(child);
      }
    };
    visit(list);
    this.#writer.endItem();
    this.#depth--;
  }

  #term(term: Element): void {
    this.#writer.endItem();
    const { hasBlock, hasHeading } = this.#options.measures.get(term)!;
    if (hasHeading) return this.#children(term);
    this.#writer.openItem(this.#depth);
    if (hasBlock) this.#children(term);
    else this.#marked(term, "**");
    this.#writer.endLine();
  }

  #table(table: Element): void {
    const rows = rowsOf(table).filter((row) => !this.#isLeft(row));
    const lines = numberedCode(rows);
    if (lines !== undefined) {
      this.#writer.endItem();
      for (const cell of lines.cells) if (lines.isWhole) this.#children(cell);
      if (!lines.isWhole) {
        const text = lines.cells.map((cell) =>
          codeText(cell, (inner) => this.#isLeft(inner)).replace(/\n+$/, "")
        );
        this.#sink.code(text.join("\n"), codeLanguage(table));
      }
      return;
    }
    if (isLayout(table, rows, this.#options.measures)) return this.#layout(table);
    this.#writer.endItem();
    const caption = captionOf(table);
    if (caption !== "") this.#sink.paragraph(caption);
    const hasTargets = this.#hasTargets && this.#options.measures.get(table)!.links <= MOST_LINKS;
    this.#sink.table(gridOf(rows, (cell) => this.#cell(cell, hasTargets)));
  }

  #cell(cell: Element, hasTargets: boolean): string {
    if (this.#isLeft(cell)) return "";
    const sink = new CellBuilder();
    const flow = new Flow(sink, this.#options);
    flow.#hasTargets = hasTargets;
    flow.write(cell);
    return sink.toString();
  }

  #layout(table: Element): void {
    this.#writer.endLine();
    for (const child of table.children) {
      if (typeof child === "string") this.#writer.text(child);
      else this.#visit(child);
    }
    this.#writer.endLine();
  }

  #code(element: Element): void {
    this.#writer.endItem();
    const text = codeText(element, (inner) => this.#isLeft(inner));
    this.#sink.code(text, codeLanguage(element));
  }

  #quote(element: Element): void {
    const { hasHeading } = this.#options.measures.get(element)!;
    this.#writer.endItem();
    if (hasHeading || this.#quotes >= DEEPEST_QUOTE) {
      this.#children(element);
      this.#writer.endItem();
      return;
    }
    const builder = new MarkdownBuilder();
    const flow = new Flow(new QuoteSink(builder), this.#options);
    flow.#quotes = this.#quotes + 1;
    flow.#children(element);
    flow.#writer.endItem();
    const { text } = builder.finish();
    this.#sink.block(
      text.trimEnd().split("\n").map((line) => line === "" ? ">" : `> ${line}`).join("\n").replace(/^>$/, ""),
    );
  }

  #figure(element: Element): void {
    this.#writer.endItem();
    const caption = find(element, "figcaption");
    const image = find(element, "img");
    const hasMore = ["pre", "table", "ul", "ol", "blockquote", "p"].some((name) => {
      const found = find(element, name);
      return found !== undefined && !isWithin(found, caption);
    });
    if (image === undefined || hasMore) return this.#plainBlock(element);
    const alternative = alternativeOf(image);
    const text = caption === undefined ? "" : lineOf(caption);
    if (text === "" || (alternative !== "" && !text.includes(alternative))) this.#sink.image(alternative);
    else this.#sink.image();
    if (caption !== undefined) this.#plainBlock(caption);
  }

  #plainBlock(element: Element): void {
    this.#writer.endLine();
    this.#children(element);
    this.#writer.endLine();
  }

  #image(element: Element): void {
    const text = alternativeOf(element);
    if (
      /\b(?:tex|latex|math|mwe-math-fallback-image-inline)\b/.test(attribute(element, "class")) && text !== ""
    ) {
      this.#writer.push(tex(text));
      return;
    }
    if (text === "") return;
    const isAlone = !this.#writer.inItem && this.#writer.isBlank &&
      this.#sink instanceof MarkdownBuilder && isOnlyChild(element);
    if (isAlone) this.#sink.image(text);
    else this.#writer.push(`![${text}]()`);
  }
}
