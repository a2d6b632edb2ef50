/**
 * Writes HTML elements as blocks of Markdown.
 * Below it, one kind of element after the other: quotations, lists, inline elements, figures, formulas.
 */
import { alternative, type BlockSink, CellBuilder, MarkdownBuilder, scripted } from "../markdown_builder.ts";
import { attribute, BLOCKS, classes, type Element, elements, find, lineOf, textOf } from "./parse.ts";
import { codeLanguage, codeText, isLineNumbers, writeTable } from "./table.ts";
import { type FlowOptions, type Walk, Writer } from "./writer.ts";
import { byWord } from "../types.ts";

/** Longer headings, in characters, are text in large letters. */
const LONGEST_HEADING = 400;
const DEEPEST_QUOTE = 8;
const SIGNS: Readonly<Record<string, string>> = byWord({
  "**": "b strong",
  "*": "em i",
  "`": "code tt kbd samp",
});

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
    const builder = new QuoteBuilder();
    const flow = new Flow(builder, this.options);
    flow.#quotes = this.#quotes + 1;
    flow.children(element);
    flow.writer.endItem();
    const { text } = builder.finish();
    this.sink.block(
      text.trimEnd().split("\n").map((line) => line === "" ? ">" : `> ${line}`).join("\n").replace(/^>$/, ""),
    );
  }
}

/** Builds a quotation. Its headings become bold paragraphs, since they must not open sections. */
class QuoteBuilder extends MarkdownBuilder {
  override heading(_level: number, title: string): void {
    this.paragraph(`**${title}**`);
  }
}

/** Writes `<ul>` and `<ol>`. */
function writeList(list: Element, walk: Walk): void {
  const { writer } = walk;
  writer.endItem();
  if (walk.depth < 0) writer.endLine();
  walk.depth++;
  let number = Number.parseInt(attribute(list, "start"), 10);
  if (!Number.isFinite(number)) number = 1;
  for (const child of list.children) {
    if (typeof child === "string") {
      if (child.trim() !== "") writer.text(child);
    } else if (child.name === "li") {
      const value = Number.parseInt(attribute(child, "value"), 10);
      if (list.name === "ol" && Number.isFinite(value)) number = value;
      if (!walk.isOmitted(child)) writeItem(child, list.name === "ol" ? number++ : undefined, walk);
    } else walk.visit(child);
  }
  writer.endItem();
  walk.depth--;
}

function writeItem(element: Element, number: number | undefined, walk: Walk): void {
  walk.writer.openItem(walk.depth, number);
  walk.children(element);
  walk.writer.endItem();
}

/** Writes `<dl>`: a term and its descriptions make one list item, the term in bold. */
function writeDefinitions(list: Element, walk: Walk): void {
  const { writer } = walk;
  writer.endItem();
  walk.depth++;
  const visit = (parent: Element) => {
    for (const child of elements(parent)) {
      if (walk.isOmitted(child)) continue;
      if (child.name === "dt") writeTerm(child, walk);
      else if (child.name === "dd") {
        if (writer.inItem) writer.endLine();
        else writer.openItem(walk.depth);
        walk.children(child);
        writer.endLine();
      } else if (child.name === "div") visit(child);
      else walk.visit(child);
    }
  };
  visit(list);
  writer.endItem();
  walk.depth--;
}

function writeTerm(term: Element, walk: Walk): void {
  walk.writer.endItem();
  const { hasBlock, hasHeading } = walk.options.measures.get(term)!;
  if (hasHeading) return walk.children(term);
  walk.writer.openItem(walk.depth);
  if (hasBlock) walk.children(term);
  else writeMarked(term, "**", walk);
  walk.writer.endLine();
}

/** Longest target of a link in characters. Longer ones are dropped. */
const LONGEST_TARGET = 300;

/** Writes the content of an element between marks of Markdown: `**`, a backquote, or `[` with the target of a link. */
function writeMarked(element: Element, sign: string, walk: Walk, target?: string): void {
  walk.writer.push({ end: false, sign, target });
  walk.children(element);
  walk.writer.push({ end: true, sign });
}

/** Writes a link. A target that is of no use to a reader is dropped. */
function writeLink(element: Element, walk: Walk): void {
  const target = attribute(element, "href").trim();
  const { hasBlock } = walk.options.measures.get(element)!;
  if (hasBlock || !isWorthKeeping(target, walk)) walk.children(element);
  else writeMarked(element, "[", walk, target);
}

/**
 * Returns whether to keep the target of a link. Targets on the same site are paths, which say nothing to a reader of the
 * text.
 */
function isWorthKeeping(target: string, { hasTargets, options: { host } }: Walk): boolean {
  if (
    !hasTargets || target.length > LONGEST_TARGET || !/^(?:https?:\/\/|mailto:)[^\s()<>]+$/i.test(target)
  ) return false;
  return host === undefined || !target.toLowerCase().startsWith(host, target.indexOf("//") + 2);
}

/** Writes a `<span>`. A rendered formula is replaced by its TeX, and line numbers are left out. */
function writeSpan(element: Element, walk: Walk): void {
  const names = classes(element);
  if (
    names.some((name) => name === "katex" || name === "mwe-math-element" || name === "mjx-chtml") ||
    element.name === "mjx-container"
  ) {
    const formula = formulaWithin(element);
    if (formula !== undefined) return walk.writer.push(formula);
  }
  if (!isLineNumbers(element) || lineOf(element) === "") walk.children(element);
}

/** Writes `<sup>` and `<sub>` in small digits, except for numbers of notes. */
function writeScript(element: Element, walk: Walk): void {
  const text = lineOf(element);
  const small = scripted(text, element.name === "sup" ? "superscript" : "subscript");
  if (small !== text && walk.options.measures.get(element)!.links === 0) walk.writer.push(small);
  else walk.children(element);
}

/** Writes `<ruby>` with its reading in parentheses. */
function writeRuby(element: Element, walk: Walk): void {
  const readings: string[] = [];
  for (const child of element.children) {
    if (typeof child === "string") walk.writer.text(child.trim());
    else if (child.name === "rt" || child.name === "rtc") readings.push(lineOf(child));
    else if (child.name !== "rp") walk.children(child);
  }
  const reading = readings.join("");
  if (reading !== "") walk.writer.push(`(${reading})`);
}

/** Writes `<figure>`: a picture with its caption, or any other content as blocks. */
function writeFigure(element: Element, walk: Walk): void {
  walk.writer.endItem();
  const caption = find(element, "figcaption");
  const image = find(element, "img");
  const hasMore = ["pre", "table", "ul", "ol", "blockquote", "p"].some((name) => {
    const found = find(element, name);
    return found !== undefined && !isWithin(found, caption);
  });
  if (image === undefined || hasMore) return walk.block(element);
  const alternative = alternativeOf(image);
  const text = caption === undefined ? "" : lineOf(caption);
  if (text === "" || (alternative !== "" && !text.includes(alternative))) walk.sink.image(alternative);
  else walk.sink.image();
  if (caption !== undefined) walk.block(caption);
}

/** Writes `<img>`: a rendered formula as TeX, any other picture by its alternative text. */
function writeImage(element: Element, { sink, writer }: Walk): void {
  const text = alternativeOf(element);
  if (text === "") return;
  if (/\b(?:tex|latex|math|mwe-math-fallback-image-inline)\b/.test(attribute(element, "class"))) {
    return writer.push(tex(text));
  }
  const isInBody = sink instanceof MarkdownBuilder && !(sink instanceof QuoteBuilder);
  const isAlone = isInBody && !writer.inItem && writer.isBlank && isOnlyChild(element);
  if (isAlone) sink.image(text);
  else writer.push(`![${text}]()`);
}

/** Returns whether a picture is the only content of its block. */
function isOnlyChild(image: Element): boolean {
  let element = image;
  for (let parent = image.parent; parent !== undefined; parent = parent.parent) {
    for (const child of parent.children) {
      if (child !== element && (typeof child !== "string" || child.trim() !== "")) return false;
    }
    if (BLOCKS.has(parent.name)) return true;
    element = parent;
  }
  return true;
}

/** Returns whether an element is `outer` or lies inside it. */
function isWithin(element: Element, outer: Element | undefined): boolean {
  for (let at: Element | undefined = element; at !== undefined; at = at.parent) if (at === outer) return true;
  return false;
}

/** Returns the alternative text of a picture. Empty if it is a file name. */
function alternativeOf(image: Element): string {
  const text =
    alternative(attribute(image, "alt") || attribute(image, "title"))?.replace(/[\s[\]]+/g, " ").trim() ?? "";
  return text.length > 2_000 || /^(?:img|photo|logo|icon|spacer|\*)$/i.test(text) ? "" : text;
}

/** Returns a formula as TeX if the page contains that, else as text: `a^2`, `(a)/(b)`. */
export function mathText(math: Element): string {
  for (const annotation of annotations(math)) {
    if (/tex/i.test(attribute(annotation, "encoding"))) return tex(lineOf(annotation));
  }
  const alternative = attribute(math, "alttext").replace(/\s+/g, " ").trim();
  if (alternative !== "") return tex(alternative);
  return linear(math).replace(/\s+/g, " ").trim();
}

/** Returns TeX between dollar signs, without the wrapper of MediaWiki. */
export function tex(source: string): string {
  const inner = source.replace(/\s+/g, " ").trim().replace(/^\{\\displaystyle\s+(.*)\}$/, "$1").replace(
    /^\$+|\$+$/g,
    "",
  ).trim();
  return inner === "" ? "" : `$${inner}$`;
}

function* annotations(element: Element): Generator<Element, void, undefined> {
  for (const child of elements(element)) {
    if (child.name === "annotation") yield child;
    else if (child.name === "semantics" || child.name === "mrow") yield* annotations(child);
  }
}

/** Returns MathML on one line. */
function linear(element: Element): string {
  const parts = () => [...elements(element)].map((child) => linear(child));
  const grouped = (part = "") => [...part].length > 1 ? `(${part})` : part;
  const name = element.name.replace(/^\w+:/, "");
  switch (name) {
    case "annotation":
    case "annotation-xml":
      return "";
    case "msup":
    case "mover": {
      const [base, above] = parts();
      return `${base}^${grouped(above)}`;
    }
    case "msub":
    case "munder": {
      const [base, below] = parts();
      return `${base}_${grouped(below)}`;
    }
    case "msubsup":
    case "munderover": {
      const [base, below, above] = parts();
      return `${base}_${grouped(below)}^${grouped(above)}`;
    }
    case "mfrac": {
      const [above, below] = parts();
      return `${grouped(above)}/${grouped(below)}`;
    }
    case "msqrt":
      return `√(${parts().join("")})`;
    case "mroot": {
      const [base, root] = parts();
      return `${root}√(${base})`;
    }
    case "mtr":
      return `${parts().join(", ")}; `;
    case "mspace":
      return " ";
    case "mo":
    case "mi":
    case "mn":
    case "mtext":
    case "ms": {
      const text = lineOf(element).replace(/[\u2061-\u2064]/g, "");
      return name === "mo" && /^[=<>≤≥≠≈±+−×→∈⊂]$/.test(text) ? ` ${text} ` : text;
    }
    default:
      return element.children.map((child) => typeof child === "string" ? child.trim() : linear(child)).join(
        "",
      );
  }
}

/** Returns the formula in an element that a script renders, such as KaTeX's, if there is one. */
function formulaWithin(element: Element): string | undefined {
  const math = find(element, "math");
  return math === undefined ? undefined : mathText(math);
}
