/**
 * Writes HTML tables: as tables, block by block if they are only layout, or as code with line numbers.
 * Below them: the text and the language of code blocks.
 */
import { attribute, BLOCKS, classes, type Element, elements, find, lineOf } from "./parse.ts";
import type { Walk } from "./writer.ts";
import type { Measure } from "./boilerplate.ts";
import { words } from "../types.ts";

/** In a table with more links, the targets would be longer than the text. */
const MOST_LINKS = 30;

/** Writes a table. A table that adds line numbers to code becomes code, and a layout table is written block by block. */
export function writeTable(table: Element, walk: Walk): void {
  const { sink, writer, options: { measures } } = walk;
  const rows = rowsOf(table).filter((row) => !walk.isOmitted(row));
  const lines = numberedCode(rows);
  if (lines !== undefined) {
    writer.endItem();
    for (const cell of lines.cells) if (lines.isWhole) walk.children(cell);
    if (!lines.isWhole) {
      const text = lines.cells.map((cell) =>
        codeText(cell, (inner) => walk.isOmitted(inner)).replace(/\n+$/, "")
      );
      sink.code(text.join("\n"), codeLanguage(table));
    }
    return;
  }
  if (isLayout(table, rows, measures)) return walk.block(table);
  writer.endItem();
  const caption = captionOf(table);
  if (caption !== "") sink.paragraph(caption);
  const hasTargets = walk.hasTargets && measures.get(table)!.links <= MOST_LINKS;
  sink.table(gridOf(rows, (cell) => walk.cell(cell, hasTargets)));
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
  return [...elements(row)].filter(({ name }) => name === "td" || name === "th");
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
    [...elements(table)].some(({ name }) => name === "thead" || name === "caption");
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

/** Returns the caption of a table, or an empty string. */
function captionOf(table: Element): string {
  const caption = [...elements(table)].find(({ name }) => name === "caption");
  return caption === undefined ? "" : lineOf(caption);
}

/** Returns the cells with code in a table that shows line numbers beside it; `undefined` for other tables. */
function numberedCode(rows: readonly Element[]): { cells: Element[]; isWhole: boolean } | undefined {
  const cells: Element[] = [];
  for (const row of rows) {
    const [numbers, ...rest] = cellsOf(row);
    if (numbers === undefined || rest.length === 0) return undefined;
    const pre = [...elements(numbers)].find((child) => child.name === "pre" || child.name === "div");
    if (!isLineNumbers(numbers) && (pre === undefined || !isLineNumbers(pre))) return undefined;
    cells.push(...rest);
  }
  if (cells.length === 0) return undefined;
  return { cells, isWhole: rows.length === 1 && cells.some((cell) => find(cell, "pre") !== undefined) };
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
export function isLineNumbers(element: Element): boolean {
  if (element.name === "pre" || element.name === "code") {
    return isNumbersOnly(element) && hasNumbersName(element);
  }
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
export function codeLanguage(pre: Element): string {
  const inner = [...elements(pre)].find((child) => child.name === "code");
  const around = [pre.parent, pre.parent?.parent].filter((element) =>
    element?.name === "div" || element?.name === "figure" || element?.name === "td" ||
    element?.name === "span"
  );
  for (const element of [inner, pre, ...around]) {
    if (element === undefined) continue;
    const said = attribute(element, "data-lang") || attribute(element, "data-language");
    const names = classes(element);
    const brush = names[names.indexOf("brush:") + 1];
    const found = [
      said.toLowerCase(),
      ...names.map((name) => LANGUAGE.exec(name)?.[1] ?? ""),
      names.includes("brush:") ? brush ?? "" : "",
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
export function codeText(pre: Element, skip: (element: Element) => boolean): string {
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
