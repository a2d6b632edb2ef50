/**
 * Builds the normalised Markdown of a document block by block, with its sections, pages and images.
 * Below it: blocks in a table cell, small digits, and the alternative text of pictures.
 */
import {
  type Document,
  type FileName,
  given,
  type Image,
  type Metadata,
  type Page,
  type SheetRows,
} from "./types.ts";
import type { PictureSource } from "./pictures/types.ts";
import { Outline } from "./text/outline.ts";

/** One item of a list. */
export interface ListItem {
  /** Nesting level, from 0. */
  readonly depth: number;
  /** Number of an ordered item. Absent for a bullet. */
  readonly number?: number | undefined;
  /** Inline Markdown. Line breaks become lines of the item. */
  readonly text: string;
}

/** Mark in a block's text where a page ends, for a builder with `pageEnds`. It is a private character, and is not written. */
export const PAGE_END = "\u{f0002}";

/** Most entries of {@linkcode SheetRows}, which the index keeps for each file. */
const MOST_ROW_RUNS = 500;

/** Matches text at the start of a line that Markdown would take for a heading, quotation, list, fence, rule or underline. */
const BLOCK_START = /^(\s*)(#{1,6}(?=\s|$)|>|[-+*](?=\s)|\d{1,9}[.)](?=\s)|`{3,}|~{3,}|=+\s*$|-+\s*$|\|)/;

/**
 * Builds the normalised Markdown of a document block by block, and records headings, pages and pictures at their offsets.
 *
 * Blocks are separated by an empty line. Text within a line is not escaped, since `snake_case` and `2 * 3` must be found and
 * read as they are. Only characters that would turn a line into another kind of block are escaped.
 *
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const builder = new MarkdownBuilder();
 * builder.page(1);
 * builder.heading(1, "Keys");
 * builder.paragraph("Rotate them every 90 days.");
 * equal(builder.finish().text, "# Keys\n\nRotate them every 90 days.\n");
 * ```
 */
export class MarkdownBuilder {
  readonly #parts: string[] = [];
  readonly #outline = new Outline();
  readonly #pages: Omit<Page, "end">[] = [];
  #unit: Document["pageUnit"];
  readonly #images: Image[] = [];
  readonly #pageEnds: boolean;
  readonly #sources: PictureSource[] | undefined;
  readonly #ignoresImages: boolean;
  readonly #rows: SheetRows[] = [];
  /** Line ends in the first parts. */
  #lines = { ends: 0, parts: 0 };
  #length = 0;
  #previous: "list" | "other" | undefined;

  /**
   * `file`: whose pictures are left out, or for whose pictures it wants the sources. `pageEnds`: whether {@linkcode PAGE_END} in a text
   * begins a page. A loader that sets it must remove the mark from the document's texts.
   */
  constructor(
    { sources, ignoreImages = false }: Pick<FileName, "sources" | "ignoreImages"> = {},
    { pageEnds = false }: { readonly pageEnds?: boolean } = {},
  ) {
    this.#sources = sources;
    this.#ignoresImages = ignoreImages;
    this.#pageEnds = pageEnds;
  }

  /** Length of the text so far, in UTF-16 units. */
  get length(): number {
    return this.#length;
  }

  /** Number of the last page; 0 if there is none. */
  get pageNumber(): number {
    return this.#pages.at(-1)?.number ?? 0;
  }

  /** Begins a page, to which all later blocks belong. Numbers must ascend. `unit`: what it is if it is not a page. */
  page(number: number, unit?: Document["pageUnit"], label = ""): void {
    if (unit !== undefined) this.#unit = unit;
    this.#pages.push({ number, ...given({ label: oneLine(label) }), start: this.#length });
  }

  /** Adds a heading of plain text and opens its section. `level` counts from 1. Markdown shows at most 6 levels. */
  heading(level: number, title: string): void {
    const text = oneLine(title);
    if (text === "") return;
    const start = this.#begin("other");
    const marks = "#".repeat(Math.max(1, Math.min(6, level)));
    this.#append(`${marks} ${text}`);
    this.#outline.add(start, this.#length, Math.max(1, level), text.replaceAll(PAGE_END, ""));
    this.#append("\n");
  }

  /** Adds a paragraph of inline Markdown. Line breaks are kept. Blank text adds nothing. */
  paragraph(text: string): void {
    const lines = trimLines(text);
    if (lines.length === 0) return;
    if (this.#pageEnds && lines.every((line) => line.replaceAll(PAGE_END, "") === "")) {
      return this.#append(lines.join(""));
    }
    this.#begin("other");
    this.#append(`${lines.map(asText).join("\n")}\n`);
  }

  /** Adds Markdown as it is, such as a quotation. It must not contain headings, since they would get no sections. */
  block(markdown: string): void {
    const text = markdown.replace(/^\n+/, "").trimEnd();
    if (text === "") return;
    this.#begin("other");
    this.#append(`${text}\n`);
  }

  /** Adds a list item. Consecutive items make one list. */
  item({ depth, number, text }: ListItem): void {
    const lines = trimLines(text);
    if (lines.length === 0) return;
    this.#begin("list");
    const indent = "  ".repeat(Math.min(depth, 10));
    const mark = number === undefined ? "-" : `${number}.`;
    const rest = `\n${indent}${" ".repeat(mark.length + 1)}`;
    this.#append(`${indent}${mark} ${lines.join(rest)}\n`);
  }

  /** Adds code in a fence that is longer than any fence in it. `language` is written after the fence. */
  code(text: string, language = ""): void {
    const body = text.replace(/^\n+/, "").trimEnd();
    if (body === "") return;
    const longest = Math.max(
      2,
      ...Array.from(body.matchAll(/^[ \t]*(`{3,})/gm), ([, ticks]) => ticks!.length),
    );
    const fence = "`".repeat(longest + 1);
    this.#begin("other");
    this.#append(`${fence}${oneLine(language).replaceAll("`", "")}\n${body}\n${fence}\n`);
  }

  /**
   * Adds a table. The first row is its header. Rows may have different lengths. Cells contain inline Markdown. `numbers`: those
   * of the rows in their sheet, counted from 1.
   */
  table(rows: readonly (readonly string[])[], numbers: readonly number[] = []): void {
    const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
    if (width === 0) return;
    const line = (cells: readonly string[]) =>
      `| ${Array.from({ length: width }, (_, i) => cellText(cells[i] ?? "")).join(" | ")} |`;
    const [header, ...body] = rows;
    this.#begin("other");
    if (numbers.length > 0) this.#noteRows(numbers);
    this.#append(`${line(header!)}\n|${" --- |".repeat(width)}\n`);
    for (const row of body) this.#append(`${line(row)}\n`);
  }

  /** Notes the rows of the table that begins here: its header, below the rule its other rows, and its end. */
  #noteRows(numbers: readonly number[]): void {
    for (; this.#lines.parts < this.#parts.length; this.#lines.parts++) {
      this.#lines.ends += this.#parts[this.#lines.parts]!.split("\n").length - 1;
    }
    const first = this.#lines.ends + 1;
    this.#rows.push({ line: first, row: numbers[0]! }, { line: first + 1, row: 0 });
    for (let i = 1; i < numbers.length && this.#rows.length <= MOST_ROW_RUNS; i++) {
      if (i === 1 || numbers[i] !== numbers[i - 1]! + 1) {
        this.#rows.push({ line: first + 1 + i, row: numbers[i]! });
      }
    }
    this.#rows.push({ line: first + 1 + numbers.length, row: 0 });
  }

  /** Adds a picture, shown by its caption or alternative text if it has one. */
  image(caption?: string, source: PictureSource = {}): void {
    const text = oneLine(caption ?? "").replace(/[[\]]/g, "");
    if (text !== "") this.#begin("other");
    if (!this.#ignoresImages) {
      this.#images.push({ at: this.#length, ...given({ page: this.#pages.at(-1)?.number, caption: text }) });
      this.#sources?.push({ ...source, alt: source.alt ?? text });
    }
    if (text !== "") this.#append(`![${text}]()\n`);
  }

  /** Returns the document. Its title is `title`, or else that of the first level 1 heading. Empty fields are left out. */
  finish(
    { title = "", metadata, emptyPages }: {
      readonly title?: string | undefined;
      readonly metadata?: Metadata | undefined;
      readonly emptyPages?: readonly number[];
    } = {},
  ): Document {
    const text = this.#parts.join("");
    const sections = this.#outline.finish(text.length);
    const pages: Page[] = this.#pages.map((page, i) => ({
      ...page,
      end: this.#pages[i + 1]?.start ?? text.length,
    }));
    return {
      text,
      ...given({ title: oneLine(title) || this.#outline.firstTitle() }),
      sections,
      ...given({
        pages,
        pageUnit: pages.length > 0 ? this.#unit : undefined,
        images: this.#images,
        rows: this.#rows.length > MOST_ROW_RUNS ? undefined : this.#rows,
        metadata,
        emptyPages,
      }),
    };
  }

  /** Separates the next block from the one before. Returns its offset. */
  #begin(kind: "list" | "other"): number {
    if (this.#previous !== undefined && !(kind === "list" && this.#previous === "list")) this.#append("\n");
    this.#previous = kind;
    return this.#length;
  }

  #append(text: string): void {
    for (const [i, part] of (this.#pageEnds ? text.split(PAGE_END) : [text]).entries()) {
      if (i > 0) this.page(this.pageNumber + 1);
      this.#parts.push(part);
      this.#length += part.length;
    }
  }
}

/** Returns a text on one line, without blanks around it. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Returns the lines of a text, trimmed and without empty lines, which would end the block. */
function trimLines(text: string): string[] {
  return text.split(/\r\n|[\r\n]/).map((line) => line.trim()).filter((line) => line !== "");
}

/**
 * Escapes a line that Markdown would take for another block. In a numbered line the dot is escaped: a backslash before a
 * digit would show.
 */
function asText(line: string): string {
  return line.replace(BLOCK_START, (_, blanks: string, mark: string) => {
    const at = /^\d/.test(mark) ? mark.length - 1 : 0;
    return `${blanks}${mark.slice(0, at)}\\${mark.slice(at)}`;
  });
}

function cellText(cell: string): string {
  return oneLine(cell).replaceAll("|", "\\|");
}

/** A target for blocks: a document, or a cell of a table. */
export type BlockSink = Pick<
  MarkdownBuilder,
  "heading" | "paragraph" | "block" | "item" | "code" | "table" | "image"
>;

/** Writes the blocks in a table cell on one line, since a cell of a Markdown table has only one. */
export class CellBuilder implements BlockSink {
  readonly #parts: string[] = [];
  readonly #pictures: PictureSource[] = [];

  heading(_level: number, title: string): void {
    this.#add(title);
  }

  paragraph(text: string): void {
    this.#add(text);
  }

  block(markdown: string): void {
    this.#add(markdown);
  }

  item({ number, text }: ListItem): void {
    if (text.trim() !== "") this.#add(`${number === undefined ? "-" : `${number}.`} ${text}`);
  }

  code(text: string): void {
    this.#add(text);
  }

  table(rows: readonly (readonly string[])[]): void {
    for (const row of rows) for (const cell of row) this.#add(cell);
  }

  image(caption?: string, source: PictureSource = {}): void {
    const text = (caption ?? "").replace(/[[\]]|\s+/g, " ").trim();
    if (text !== "") this.#add(`![${text}]()`);
    this.#pictures.push({ ...source, alt: source.alt ?? text });
  }

  get hasPictures(): boolean {
    return this.#pictures.length > 0;
  }

  /** Adds the pictures in the cell to a document, once its table is written. */
  addPictures(sink: BlockSink): void {
    for (const picture of this.#pictures.splice(0)) sink.image(undefined, picture);
  }

  toString(): string {
    return this.#parts.join(" ");
  }

  #add(text: string): void {
    const line = text.replace(/\s+/g, " ").trim();
    if (line !== "") this.#parts.push(line);
  }
}

const RAISED = new Map([..."0123456789+-=()n"].map((char, i) => [char, [..."⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ"][i]!]));
const LOWERED = new Map([..."0123456789+-=()"].map((char, i) => [char, [..."₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎"][i]!]));

/**
 * Returns raised or lowered text in Unicode's small digits, so that 10⁶ does not become 106 and H₂O is still found as H2O.
 * Text with other characters, such as the `st` of 1st, stays as it is. `script`: `superscript` or `subscript`.
 */
export function scripted(text: string, script: string | undefined): string {
  const table = script === "superscript" ? RAISED : script === "subscript" ? LOWERED : undefined;
  if (table === undefined || text.length > 20) return text;
  const chars = [...text];
  return chars.every((char) => table.has(char)) ? chars.map((char) => table.get(char)!).join("") : text;
}

/** Returns the alternative text of a picture; `undefined` if it is empty or a program made it from a file name. */
export function alternative(text: string): string | undefined {
  const own = text.replace(
    /\s*(?:Description (?:automatically )?generated.*|AI-generated content may be incorrect\.?|描述已自动生成)\s*$/is,
    "",
  )
    .replace(/\s+/g, " ").trim();
  const isMadeUp = own === "" || /\.(?:png|jpe?g|gif|emf|wmf|bmp|svg|tiff?|webp)$/i.test(own) ||
    /^(?:picture|image|graphic|图片|圖片|图像|grafik|bild) ?\d*$/i.test(own);
  return isMadeUp ? undefined : own;
}
