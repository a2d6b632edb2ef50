/**
 * The tables of a document: the pipe tables of its text, with the names of their columns, their rows and where these stand.
 * Below: a table while it is read, heads of two rows, and the cells of a row.
 */
import { closesFenceAt, type Fence, fenceOpenedAt } from "./text/markdown.ts";
import { type Document, rowAt } from "./types.ts";

/** A row of a table below its head. */
export interface TableRow {
  /** At most as many as the table has columns; those that are missing at the end are empty. */
  readonly cells: readonly string[];
  /** Line of the document's text, counted from 1. */
  readonly line: number;
  /** Row of the sheet as its program numbers it; absent for other tables. */
  readonly row?: number;
}

export interface DocumentTable {
  /** Name of its sheet, or the nearest heading above it, or empty. */
  readonly title: string;
  /** Page, or another part of the document, in which it begins. */
  readonly page?: number;
  /** Names that differ from each other. A column without a name has its number: `#3`. */
  readonly columns: readonly string[];
  readonly rows: readonly TableRow[];
}

/** Formats whose cells hold text, and no markup. */
const PLAIN: ReadonlySet<string> = new Set(["csv", "xlsx", "xls", "xlsb", "ods", "et"]);

/** The trimmed line between the head and the body. */
const RULE = /^(?:\|\s*)?:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?$/;

/**
 * Returns the tables of a document in their order; a table that goes on after the end of a page is one. `format`: that of the
 * document's loader. Takes linear time.
 */
export function tablesOf(document: Document, format: string): DocumentTable[] {
  const { text } = document;
  const cellsIn = PLAIN.has(format) ? cellsOf : shownCells;
  const places = new Places(document);
  const tables: OpenTable[] = [];
  let open: OpenTable | undefined, last: OpenTable | undefined;
  let before: { readonly cells: string; readonly at: number; readonly line: number } | undefined;
  let fence: Fence = 0;
  let bar = -1;
  for (let at = 0, line = 1; at < text.length; line++) {
    const start = at;
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    at = end + 1;
    const content = contentFrom(text, start, end);
    if (fence !== 0) {
      if (closesFenceAt(text, content, end, fence)) fence = 0;
      continue;
    }
    if (bar >= 0 && bar < start || bar === -1) bar = (text.indexOf("|", start) + 1 || Infinity) - 1;
    if (bar >= end) {
      open = before = undefined;
      // Text between two tables separates them.
      if (content < end) last = undefined;
      fence = fenceOpenedAt(text, content, end);
      continue;
    }
    const row = text.slice(start, end);
    if (open !== undefined) open.add(cellsIn(row), line, rowAt(document.rows ?? [], line));
    else if (before !== undefined && RULE.test(row.trim())) {
      const head = cellsIn(before.cells), place = places.of(before.at);
      if (last?.goesOn(head, place)) {
        last.addHead(head, before.line);
        open = last;
      } else {
        open = last = new OpenTable(head, place);
        tables.push(open);
      }
    } else before = { cells: row, at: start, line };
  }
  return tables.map((table) => table.finish());
}

function contentFrom(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && (text[at] === " " || text[at] === "\t" || text[at] === "\r")) at++;
  return at;
}

type Place = Pick<DocumentTable, "title" | "page">;

/** The sheets, pages and headings of offsets, which must ascend. */
class Places {
  readonly #document: Document;
  #section = 0;
  #page = 0;

  constructor(document: Document) {
    this.#document = document;
  }

  of(at: number): Place {
    const { sections, pages = [] } = this.#document;
    while (this.#section < sections.length && sections[this.#section]!.start <= at) this.#section++;
    while (this.#page < pages.length && pages[this.#page]!.start <= at) this.#page++;
    const page = pages[this.#page - 1];
    const title = page?.label ?? sections[this.#section - 1]?.path.at(-1) ?? "";
    return page === undefined ? { title } : { title, page: page.number };
  }
}

class OpenTable {
  readonly #head: readonly string[];
  readonly #place: Place;
  #page: number | undefined;
  #second: readonly string[] = [];
  readonly #rows: TableRow[] = [];

  constructor(head: readonly string[], place: Place) {
    this.#head = head;
    this.#place = place;
    this.#page = place.page;
  }

  add(cells: readonly string[], line: number, row: number | undefined): void {
    if (this.#rows.length === 0 && this.#second.length === 0 && isSecondHead(this.#head, cells)) {
      this.#second = cells;
      return;
    }
    const width = this.#head.length;
    // A short row stays short: many of them below a wide head would fill the memory.
    const own = cells.length > width ? cells.slice(0, width) : cells;
    this.#rows.push(row === undefined ? { cells: own, line } : { cells: own, line, row });
  }

  /** Whether a table directly after this one, with this head, is the rest of it on a later page. */
  goesOn(head: readonly string[], { title, page }: Place): boolean {
    if (title !== this.#place.title || page === this.#page || head.length !== this.#head.length) return false;
    return this.#isHead(head) || head.some(isNumeric) && !this.#head.some(isNumeric);
  }

  /** Adds the first row of the rest, unless it repeats the head. */
  addHead(head: readonly string[], line: number): void {
    if (!this.#isHead(head)) this.add(head, line, undefined);
  }

  #isHead(head: readonly string[]): boolean {
    return head.every((name, column) => name === this.#head[column]);
  }

  finish(): DocumentTable {
    const names = new Map<string, number>();
    const columns = this.#head.map((first, column) => {
      const second = this.#second[column] ?? "";
      const name = [first, second === first ? "" : second].filter((part) => part !== "").join(" ") ||
        `#${column + 1}`;
      const times = (names.get(name) ?? 0) + 1;
      names.set(name, times);
      return times === 1 ? name : `${name} (${times})`;
    });
    return { ...this.#place, columns, rows: this.#rows };
  }
}

/**
 * Whether the first row below the head of a table belongs to the head: a cell above spans several columns, whose names are in
 * this row.
 *
 *     | Product | 2023 | 2023 | 2024 | 2024 |
 *     | ------- | ---- | ---- | ---- | ---- |
 *     | Product | Q1   | Q2   | Q1   | Q2   |
 */
export function isSecondHead(head: readonly string[], row: readonly string[]): boolean {
  let spans = false;
  for (let i = 1; i < head.length; i++) {
    if (head[i] !== "" && head[i] === head[i - 1]) {
      if ((row[i] ?? "") === row[i - 1] || (row[i] ?? "") === "") return false;
      spans = true;
    }
  }
  return spans && !row.some(isNumeric);
}

/** Whether a cell is a number, a share, an amount or a date in digits. Years are names of columns, too. */
function isNumeric(cell: string): boolean {
  return /\d/.test(cell) && /^[\s\d.,:%‰/()+\-−\p{Sc}]+$/u.test(cell) && !/^(?:1[89]|2[01])\d\d$/.test(cell);
}

/** Returns the cells of a row of a pipe table as written, without the backslashes before bars. */
export function cellsOf(row: string): string[] {
  const line = row.trim();
  const cells: string[] = [];
  let cell = "";
  let from = line.startsWith("|") ? 1 : 0;
  for (let at = from; at < line.length; at++) {
    if (line[at] === "\\" && line[at + 1] === "|") {
      cell += line.slice(from, at);
      from = ++at;
    } else if (line[at] === "|") {
      cells.push((cell + line.slice(from, at)).trim());
      cell = "";
      from = at + 1;
    }
  }
  if (from < line.length || cell !== "") cells.push((cell + line.slice(from)).trim());
  return cells;
}

/** Returns the cells of a row without the marks of bold text, code, links and pictures. */
function shownCells(row: string): string[] {
  return cellsOf(row).map((cell) =>
    /[*`[<]/.test(cell)
      ? cell.replace(/!?\[([^[\]]{0,500})\]\([^()\s]{0,2000}\)/g, "$1").replace(/<br ?\/?>/gi, " ")
        .replace(/(\*{1,3}|`{1,2})(?=\S)(.{1,500}?)\1/g, "$2").trim()
      : cell
  );
}
