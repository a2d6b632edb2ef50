/**
 * Writes HTML elements as blocks of Markdown.
 * Below it, one kind of element after the other: quotations, lists, inline elements, figures, tables, code.
 */
import { alternative, type BlockSink, CellBuilder, MarkdownBuilder, scripted } from "../markdown_builder.ts";
import type { Measure } from "./boilerplate.ts";
import { mathText, tex } from "./formula.ts";
import { attribute, BLOCKS, classes, type Element, elements, find, lineOf, textOf, walk } from "./parse.ts";
import { Writer } from "./writer.ts";
import { byName, byWord, words } from "../types.ts";
import { dataSource } from "../pictures/references.ts";
import { pictureAddress } from "./picture_address.ts";
import type { PictureSource } from "../pictures/types.ts";

/** Options for writing a page as Markdown. */
interface FlowOptions {
  readonly measures: ReadonlyMap<Element, Measure>;
  /** Elements to leave out. */
  readonly omitted: ReadonlySet<Element>;
  /** Added to the levels of headings. */
  readonly headingOffset?: number;
  /** Host of the page. Links to it lose their targets, since they stay on the same site. */
  readonly host?: string | undefined;
  /** Where the picture at an address is, and a function that records a picture of the document without showing it. */
  readonly pictureAt?: (address: string) => PictureSource;
  readonly record?: (picture: PictureSource) => void;
}

/** Longer headings, in characters, are text in large letters. */
const LONGEST_HEADING = 400;
const DEEPEST_QUOTE = 8;
const SIGNS: Readonly<Record<string, string>> = byWord({
  "**": "b strong",
  "*": "em i",
  "`": "code tt kbd samp",
});

/** Writes elements as blocks of Markdown. */
export class Flow {
  readonly sink: BlockSink;
  readonly options: FlowOptions;
  readonly writer: Writer;
  /** Nesting level of the open list, from 0; -1 outside of lists. */
  depth = -1;
  /** Nesting level of the open quotation. */
  quotes = 0;
  /** Whether links keep their targets. */
  readonly hasTargets: boolean;

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

  /** Writes the children of an element, starting and ending on separate lines. */
  block(element: Element): void {
    this.writer.endLine();
    this.children(element);
    this.writer.endLine();
  }

  isOmitted(element: Element): boolean {
    return this.options.omitted.has(element) || !this.options.measures.has(element);
  }

  /** Returns the content of a table cell on one line. */
  cell(cell: Element, hasTargets: boolean): string {
    if (this.isOmitted(cell)) return "";
    const sink = new CellBuilder();
    new Flow(sink, this.options, hasTargets).write(cell);
    return sink.toString();
  }

  /** Adds a picture with its text as a block. */
  picture(text: string, source: PictureSource | undefined): void {
    if (isInBody(this.sink)) {
      return source === undefined
        ? this.sink.block(text === "" ? "" : `![${text}]()`)
        : this.sink.image(text, source);
    }
    this.record(source);
    this.sink.image(text);
  }

  /** Records a picture that is not shown, or is shown in a line. */
  record(source: PictureSource | undefined): void {
    if (source !== undefined) this.options.record?.(source);
  }

  visit(element: Element): void {
    if (this.isOmitted(element)) return;
    const { name } = element;
    const write = WRITERS.get(name);
    if (write !== undefined) return write(element, this);
    if (attribute(element, "role") === "heading") {
      const level = Number.parseInt(attribute(element, "aria-level"), 10);
      return writeHeading(element, level >= 1 && level <= 6 ? level : 2, this);
    }
    if (name === "div") {
      const names = classes(element);
      // Doxygen marks its titles and listings up with `div` elements only.
      if (names.includes("headertitle")) return writeHeading(element, 1, this);
      const isListing = names.includes("fragment") &&
        elements(element).some((child) => classes(child).includes("line"));
      if (isListing) return writeCode(element, this);
    }
    const sign = SIGNS[name];
    if (sign !== undefined && !this.options.measures.get(element)!.hasBlock) {
      return writeMarked(element, sign, this);
    }
    if (BLOCKS.has(name)) this.block(element);
    else this.children(element);
  }
}

/** The functions that write elements, by the names of elements. All others are blocks or parts of a line. */
const WRITERS = byName<(element: Element, flow: Flow) => void>({
  "h1 h2 h3 h4 h5 h6": (element, flow) => writeHeading(element, Number(element.name[1]), flow),
  br: (_, { writer }) => writer.breakLine(),
  "ul ol menu dir": writeList,
  dl: writeDefinitions,
  table: writeTable,
  "pre xmp listing plaintext textarea": writeCode,
  blockquote: writeQuote,
  figure: writeFigure,
  img: writeImage,
  math: (element, { writer }) => writer.push(mathText(element)),
  script: (element, { writer }) => writer.push(tex(textOf(element))),
  ruby: writeRuby,
  "sup sub": writeScript,
  q: (element, flow) => {
    flow.writer.push("“");
    flow.children(element);
    flow.writer.push("”");
  },
  input: ({ attributes }, { writer }) => writer.push("checked" in attributes ? "[x] " : "[ ] "),
  a: writeLink,
  "span mjx-container": writeSpan,
});

function writeHeading(element: Element, level: number, flow: Flow): void {
  const { text, hasTable, hasBlock } = flow.options.measures.get(element)!;
  flow.writer.endItem();
  if (text > LONGEST_HEADING || hasTable) return flow.block(element);
  if (!hasBlock) flow.children(element);
  const line = hasBlock ? lineOf(element) : flow.writer.takePlain();
  flow.sink.heading(level + (flow.options.headingOffset ?? 0), line);
}

function writeCode(element: Element, flow: Flow): void {
  flow.writer.endItem();
  flow.sink.code(codeText(element, (inner) => flow.isOmitted(inner)), codeLanguage(element));
}

function writeQuote(element: Element, flow: Flow): void {
  const { hasHeading } = flow.options.measures.get(element)!;
  flow.writer.endItem();
  if (hasHeading || flow.quotes >= DEEPEST_QUOTE) {
    flow.children(element);
    return flow.writer.endItem();
  }
  const builder = new QuoteBuilder();
  const inner = new Flow(builder, flow.options);
  inner.quotes = flow.quotes + 1;
  inner.children(element);
  inner.writer.endItem();
  const { text } = builder.finish();
  flow.sink.block(
    text.trimEnd().split("\n").map((line) => line === "" ? ">" : `> ${line}`).join("\n").replace(/^>$/, ""),
  );
}

/** Builds a quotation. Its headings become bold paragraphs, since they must not open sections. */
class QuoteBuilder extends MarkdownBuilder {
  override heading(_level: number, title: string): void {
    this.paragraph(`**${title}**`);
  }
}

/** Writes `<ul>` and `<ol>`. */
function writeList(list: Element, flow: Flow): void {
  const { writer } = flow;
  writer.endItem();
  if (flow.depth < 0) writer.endLine();
  flow.depth++;
  let number = Number.parseInt(attribute(list, "start"), 10);
  if (!Number.isFinite(number)) number = 1;
  for (const child of list.children) {
    if (typeof child === "string") {
      if (child.trim() !== "") writer.text(child);
    } else if (child.name === "li") {
      const value = Number.parseInt(attribute(child, "value"), 10);
      if (list.name === "ol" && Number.isFinite(value)) number = value;
      if (flow.isOmitted(child)) continue;
      writer.openItem(flow.depth, list.name === "ol" ? number++ : undefined);
      flow.children(child);
      writer.endItem();
    } else flow.visit(child);
  }
  writer.endItem();
  flow.depth--;
}

/** Writes `<dl>`: a term and its descriptions make one list item, the term in bold. */
function writeDefinitions(list: Element, flow: Flow): void {
  const { writer } = flow;
  writer.endItem();
  flow.depth++;
  const visit = (parent: Element) => {
    for (const child of elements(parent)) {
      if (flow.isOmitted(child)) continue;
      if (child.name === "dt") writeTerm(child, flow);
      else if (child.name === "dd") {
        if (writer.inItem) writer.endLine();
        else writer.openItem(flow.depth);
        flow.children(child);
        writer.endLine();
      } else if (child.name === "div") visit(child);
      else flow.visit(child);
    }
  };
  visit(list);
  writer.endItem();
  flow.depth--;
}

function writeTerm(term: Element, flow: Flow): void {
  flow.writer.endItem();
  const { hasBlock, hasHeading } = flow.options.measures.get(term)!;
  if (hasHeading) return flow.children(term);
  flow.writer.openItem(flow.depth);
  if (hasBlock) flow.children(term);
  else writeMarked(term, "**", flow);
  flow.writer.endLine();
}

/** Longest target of a link in characters. Longer ones are dropped. */
const LONGEST_TARGET = 300;

/** Writes the content of an element between marks of Markdown: `**`, a backquote, or `[` with the target of a link. */
function writeMarked(element: Element, sign: string, flow: Flow, target?: string): void {
  flow.writer.push({ end: false, sign, target });
  flow.children(element);
  flow.writer.push({ end: true, sign });
}

/** Writes a link. A target that is of no use to a reader is dropped. */
function writeLink(element: Element, flow: Flow): void {
  const target = attribute(element, "href").trim();
  const { hasBlock } = flow.options.measures.get(element)!;
  if (hasBlock || !isWorthKeeping(target, flow)) flow.children(element);
  else writeMarked(element, "[", flow, target);
}

/**
 * Returns whether to keep the target of a link. Targets on the same site are paths, which say nothing to a reader of the
 * text.
 */
function isWorthKeeping(target: string, { hasTargets, options: { host } }: Flow): boolean {
  return hasTargets && target.length <= LONGEST_TARGET &&
    /^(?:https?:\/\/|mailto:)[^\s()<>]+$/i.test(target) &&
    (host === undefined || !target.toLowerCase().startsWith(host, target.indexOf("//") + 2));
}

/** Writes a `<span>`. A rendered formula is replaced by its TeX, and line numbers are left out. */
function writeSpan(element: Element, flow: Flow): void {
  const isFormula = element.name === "mjx-container" ||
    classes(element).some((name) => /^(?:katex|mwe-math-element|mjx-chtml)$/.test(name));
  const math = isFormula ? find(element, "math") : undefined;
  if (math !== undefined) return flow.writer.push(mathText(math));
  if (!isLineNumbers(element) || lineOf(element) === "") flow.children(element);
}

/** Writes `<sup>` and `<sub>` in small digits, except for numbers of notes. */
function writeScript(element: Element, flow: Flow): void {
  const text = lineOf(element);
  const small = scripted(text, element.name === "sup" ? "superscript" : "subscript");
  if (small !== text && flow.options.measures.get(element)!.links === 0) flow.writer.push(small);
  else flow.children(element);
}

/** Writes `<ruby>` with its reading in parentheses. */
function writeRuby(element: Element, flow: Flow): void {
  const readings: string[] = [];
  for (const child of element.children) {
    if (typeof child === "string") flow.writer.text(child.trim());
    else if (child.name === "rt" || child.name === "rtc") readings.push(lineOf(child));
    else if (child.name !== "rp") flow.children(child);
  }
  const reading = readings.join("");
  if (reading !== "") flow.writer.push(`(${reading})`);
}

/** Writes `<figure>`: a picture with its caption, or any other content as blocks. */
function writeFigure(element: Element, flow: Flow): void {
  flow.writer.endItem();
  const caption = find(element, "figcaption");
  const image = find(element, "img");
  const hasMore = ["pre", "table", "ul", "ol", "blockquote", "p"].some((name) => {
    const found = find(element, name);
    return found !== undefined && !isWithin(found, caption);
  });
  if (image === undefined || hasMore) return flow.block(element);
  const alternative = alternativeOf(image);
  const text = caption === undefined ? "" : lineOf(caption);
  const isShown = text === "" || (alternative !== "" && !text.includes(alternative));
  flow.picture(isShown ? alternative : "", sourceOf(image, flow, text));
  walk(element, (other) => {
    if (other.name === "img" && other !== image) flow.record(sourceOf(other, flow, text));
  });
  if (caption !== undefined) flow.block(caption);
}

/** Returns where a picture is, with its alternative text and its caption; `undefined` if an element shows no picture of its own. */
function sourceOf(
  image: Element,
  { options: { pictureAt } }: Flow,
  caption = "",
): PictureSource | undefined {
  const address = pictureAddress(image);
  const [width, height] = ["width", "height"].map((name) => Number(attribute(image, name)) || undefined);
  // A point counts readers or keeps a distance.
  if (address === "" || (width ?? Infinity) <= 1 && (height ?? Infinity) <= 1) return undefined;
  return {
    ...(/^data:/i.test(address) ? dataSource(address) : pictureAt?.(address)),
    alt: alternativeOf(image),
    ...(caption !== "" && { caption }),
    width,
    height,
  };
}

/** Writes `<img>`: a rendered formula as TeX, any other picture by its alternative text. */
function writeImage(element: Element, flow: Flow): void {
  const { sink, writer } = flow;
  const text = alternativeOf(element);
  const source = sourceOf(element, flow);
  if (text === "") return flow.record(source);
  if (/\b(?:tex|latex|math|mwe-math-fallback-image-inline)\b/.test(attribute(element, "class"))) {
    return writer.push(tex(text));
  }
  const isAlone = isInBody(sink) && !writer.inItem && writer.isBlank && isOnlyChild(element);
  if (isAlone && source !== undefined) return sink.image(text, source);
  flow.record(source);
  writer.push(`![${text}]()`);
}

/** Whether a sink is the document itself: not a cell of a table, and not a quotation. */
function isInBody(sink: BlockSink): boolean {
  return sink instanceof MarkdownBuilder && !(sink instanceof QuoteBuilder);
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

/** In a table with more links, the targets would be longer than the text. */
const MOST_LINKS = 30;

/** Writes a table. A table that adds line numbers to code becomes code, and a layout table is written block by block. */
function writeTable(table: Element, flow: Flow): void {
  const { sink, writer, options: { measures } } = flow;
  const rows = rowsOf(table).filter((row) => !flow.isOmitted(row));
  const lines = numberedCode(rows);
  if (lines !== undefined) {
    writer.endItem();
    if (rows.length === 1 && lines.some((cell) => find(cell, "pre") !== undefined)) {
      return lines.forEach((cell) => flow.children(cell));
    }
    const text = lines.map((cell) => codeText(cell, (inner) => flow.isOmitted(inner)).replace(/\n+$/, ""));
    return sink.code(text.join("\n"), codeLanguage(table));
  }
  if (isLayout(table, rows, measures)) return flow.block(table);
  writer.endItem();
  const caption = elements(table).find(({ name }) => name === "caption");
  if (caption !== undefined) sink.paragraph(lineOf(caption));
  const hasTargets = flow.hasTargets && measures.get(table)!.links <= MOST_LINKS;
  sink.table(gridOf(rows, (cell) => flow.cell(cell, hasTargets)));
}

/** Characters by which repeated text of merged cells may lengthen a table. */
const MOST_REPEATED = 200_000;
const WIDEST = 1_000;
/** Most rows that a cell may span. HTML allows 65,534. */
const TALLEST = 10_000;

/** Returns the rows of a table, without those of nested tables. */
function rowsOf(table: Element): Element[] {
  const rows: Element[] = [];
  const visit = (element: Element) => {
    for (const child of elements(element)) {
      if (child.name === "tr") rows.push(child);
      else if (/^(?:thead|tbody|tfoot|form|center|div)$/.test(child.name)) visit(child);
    }
  };
  visit(table);
  return rows;
}

function cellsOf(row: Element): Element[] {
  return elements(row).filter(({ name }) => name === "td" || name === "th").toArray();
}

/** Returns whether a table is only used for layout. Its cells are then read one after the other. */
function isLayout(
  table: Element,
  rows: readonly Element[],
  measures: ReadonlyMap<Element, Measure>,
): boolean {
  const role = attribute(table, "role");
  if (role === "presentation" || role === "none") return true;
  if (role === "table" || role === "grid") return false;
  const cells = rows.flatMap(cellsOf).filter((cell) => measures.has(cell));
  const measured = cells.map((cell) => measures.get(cell)!);
  if (measured.some(({ hasHeading }) => hasHeading)) return true;
  // DocBook sets a note or warning as a picture beside a heading and a text.
  const pictures = cells.filter((cell) => measures.get(cell)!.text === 0 && find(cell, "img") !== undefined);
  if (rows.length <= 2 && cells.length <= 3 && pictures.length > 0) return true;
  const isMarked = cells.some(({ name }) => name === "th") ||
    elements(table).some(({ name }) => name === "thead" || name === "caption");
  if (isMarked) return false;
  const width = Math.max(0, ...rows.map((row) => cellsOf(row).length));
  if (rows.length < 2 && width < 3 || width < 2) return true;
  if (measured.some(({ hasTable }) => hasTable)) return true;
  if (Number(attribute(table, "border")) > 0 || classes(table).length > 0) {
    return measured.some(({ text }) => text > 3_000);
  }
  return measured.some(({ text, hasBlock }) => text > 1_500 || (hasBlock && text > 500));
}

/**
 * Returns the texts of the cells. A merged cell is repeated in every position that it covers, unless a small table would
 * become huge. Rows in which every cell continues below are left out, and so are empty rows and columns.
 */
function gridOf(rows: readonly Element[], textOf: (cell: Element) => string): string[][] {
  const texts = rows.map((row) => cellsOf(row).map((cell) => ({ cell, text: textOf(cell) })));
  const written = texts.reduce((count, row) => count + row.length, 0);
  const grid = expand(texts);
  const width = grid?.reduce((most, line) => Math.max(most, line.length), 0) ?? 0;
  const isSound = grid !== undefined && grid.length * width <= 10 * written + 10_000;
  const lines = isSound ? grid : texts.map((row) => row.map(({ text }) => text));
  return withoutEmptyColumns(lines.filter((line) => line.some((text) => text !== "")));
}

interface Cell {
  readonly cell: Element;
  readonly text: string;
}

/** Returns a table with its merged cells repeated; `undefined` if that would add too much text. */
function expand(rows: readonly (readonly Cell[])[]): string[][] | undefined {
  const grid: string[][] = [];
  const usual = Math.max(0, ...rows.slice(0, 3).map((row) => row.length));
  /** Cells that extend into the rows below, by column. */
  let above = new Map<number, { text: string; rows: number }>();
  let repeated = 0;
  for (const row of rows) {
    const line: string[] = [];
    const below = new Map<number, { text: string; rows: number }>();
    let goesOn = 0;
    const inherit = () => {
      for (let cell = above.get(line.length); cell !== undefined; cell = above.get(line.length)) {
        if (cell.rows > 1) below.set(line.length, { text: cell.text, rows: cell.rows - 1 });
        line.push(cell.text);
        repeated += cell.text.length + 3;
      }
    };
    for (const { cell, text } of row) {
      inherit();
      const columns = span(cell, "colspan", WIDEST);
      const height = span(cell, "rowspan", TALLEST);
      if (height > 1) goesOn++;
      for (let i = 0; i < columns; i++) {
        if (height > 1) below.set(line.length, { text, rows: height - 1 });
        line.push(text);
        if (i > 0) repeated += text.length + 3;
      }
      if (repeated > MOST_REPEATED) return undefined;
    }
    inherit();
    above = below;
    const isOnlyBeginning = row.length > 0 && goesOn === row.length && line.length < usual;
    if (!isOnlyBeginning) grid.push(line);
  }
  return grid;
}

function span(cell: Element, name: string, most: number): number {
  const value = Number.parseInt(attribute(cell, name), 10);
  return Number.isFinite(value) ? Math.max(1, Math.min(value, most)) : 1;
}

function withoutEmptyColumns(grid: string[][]): string[][] {
  const used = new Set<number>();
  for (const line of grid) for (const [i, text] of line.entries()) if (text !== "") used.add(i);
  const width = grid.reduce((most, line) => Math.max(most, line.length), 0);
  return used.size === width ? grid : grid.map((line) => line.filter((_, i) => used.has(i)));
}

/** Returns the cells with code in a table that shows line numbers beside it; `undefined` for other tables. */
function numberedCode(rows: readonly Element[]): Element[] | undefined {
  const cells: Element[] = [];
  for (const row of rows) {
    const [numbers, ...rest] = cellsOf(row);
    if (numbers === undefined || rest.length === 0) return undefined;
    const pre = elements(numbers).find((child) => child.name === "pre" || child.name === "div");
    if (!isLineNumbers(numbers) && (pre === undefined || !isLineNumbers(pre))) return undefined;
    cells.push(...rest);
  }
  return cells.length === 0 ? undefined : cells;
}

const NO_LANGUAGE: ReadonlySet<string> = new Set([
  "",
  ...words("none default text txt plain plaintext nohighlight notranslate guess code true highlight"),
]);
const LANGUAGE =
  /^(?:language|lang|highlight|highlight-source|brush|syntax|code-language|sourcecode)[-:]([\w+#.-]{1,20})$/;
const LINE_NUMBERS =
  /^(?:line-?nos?|line-?numbers?|ln|lnt|ln-num|gutter|blob-num|hljs-ln-(?:numbers|n|line-numbers)|line-numbers-rows|rouge-gutter|code-line-number|lines?-?no|src-line-numbers|coderef-off)$/;

/** Returns whether an element contains line numbers of code. */
function isLineNumbers(element: Element): boolean {
  return hasNumbersName(element) && isNumbersOnly(element);
}

function hasNumbersName(element: Element): boolean {
  return element.attributes["data-line-number"] !== undefined ||
    classes(element).some((name) => LINE_NUMBERS.test(name));
}

function isNumbersOnly(element: Element): boolean {
  for (const child of element.children) {
    if (typeof child === "string" ? !/^[\s\d:|.\u00a0]*$/.test(child) : !isNumbersOnly(child)) return false;
  }
  return true;
}

/** Returns the language of a code block, as named by the block, an element in it, or one of the two elements around it. */
function codeLanguage(pre: Element): string {
  const inner = elements(pre).find((child) => child.name === "code");
  const around = [pre.parent, pre.parent?.parent].filter((element) =>
    /^(?:div|figure|td|span)$/.test(element?.name ?? "")
  );
  for (const element of [inner, pre, ...around]) {
    if (element === undefined) continue;
    const said = attribute(element, "data-lang") || attribute(element, "data-language");
    const names = classes(element);
    const found = [
      said.toLowerCase(),
      ...names.map((name) => LANGUAGE.exec(name)?.[1] ?? ""),
      names.includes("brush:") ? names[names.indexOf("brush:") + 1] ?? "" : "",
      // Pandoc and highlight.js write `sourceCode python` and `hljs python`.
      names.includes("sourcecode") || names.includes("hljs")
        ? names.find((name) => name !== "sourcecode" && name !== "hljs") ?? ""
        : "",
    ].map((name) => name.replace(/[;].*$/, "")).find((name) => !NO_LANGUAGE.has(name));
    if (found !== undefined) return found;
  }
  return "";
}

/**
 * Returns the text of a code block with its blanks and line ends, without line numbers and the elements for which `skip` is
 * true.
 */
function codeText(pre: Element, skip: (element: Element) => boolean): string {
  const parts: string[] = [];
  let atLineStart = true;
  const push = (text: string) => {
    if (text === "") return;
    parts.push(text);
    atLineStart = text.endsWith("\n");
  };
  const visit = (parent: Element) => {
    let isAfterBlock = false;
    for (const child of parent.children) {
      if (typeof child === "string") push(isAfterBlock ? child.replace(/^\r?\n/, "") : child);
      else if (child.name === "br") push("\n");
      else if (!skip(child) && !isLineNumbers(child)) {
        const isBlock = BLOCKS.has(child.name) && child.name !== "td";
        if (isBlock && !atLineStart) push("\n");
        const before = parts.length;
        visit(child);
        // A line in a block element, which may be empty.
        if (isBlock && (!atLineStart || parts.length === before)) push("\n");
        isAfterBlock = isBlock;
        continue;
      }
      isAfterBlock = false;
    }
  };
  visit(pre);
  return parts.join("").replace(/\r\n?/g, "\n").replace(/\u00a0/g, " ").replace(/[\u200b\ufeff]/g, "");
}
