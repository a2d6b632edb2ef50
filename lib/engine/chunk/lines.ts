/**
 * Walks over the lines of a text without copying them.
 * Below it: fences, list markers and table rows, the rank of a cut before a line, and heads of tables.
 */
import { isSpace, Rank } from "./breaks.ts";
import {
  cellsOf,
  closesFenceAt,
  type Fence,
  fenceOpenedAt,
  isSecondHead,
  listMarkerLength,
} from "#documents/mod.ts";

/**
 * Walks over the lines of a text that are not blank. Copies nothing and searches for the end of each line once, so that even
 * a line of 100 MB is cut in linear time.
 */
export class LineCursor {
  /** Start of the line, or of its rest after {@linkcode LineCursor.cutAt}. */
  start = 0;
  /** Offset of the first character from `start` on that is not white space. */
  content = 0;
  /** Exclusive end without trailing white space. */
  end = 0;
  /** Start of the line, also after {@linkcode LineCursor.cutAt}. */
  lineStart = 0;
  /** Number of the line, counted from 1. */
  number = 0;
  /** Whether a blank line or the start of the text is before it. */
  afterBlank = false;
  /** Whether {@linkcode LineCursor.cutAt} has cut off the start of the line. */
  continued = false;
  /** Start and number of the next line. */
  next = 0;
  nextNumber = 1;

  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Moves to the next line that is not blank. Returns false at the end of the text. */
  advance(): boolean {
    const text = this.text;
    const length = text.length;
    let lineStart = this.next;
    let number = this.nextNumber;
    this.afterBlank = lineStart === 0;
    while (lineStart < length) {
      let at = lineStart;
      let code = text.charCodeAt(at);
      while (code !== 10 && isSpace(code)) {
        if (++at >= length) break;
        code = text.charCodeAt(at);
      }
      if (at >= length) break;
      if (code === 10) {
        this.afterBlank = true;
        lineStart = at + 1;
        number++;
        continue;
      }
      let end = text.indexOf("\n", at);
      if (end < 0) end = length;
      this.next = end + 1;
      this.nextNumber = number + 1;
      while (isSpace(text.charCodeAt(end - 1))) end--;
      this.start = lineStart;
      this.lineStart = lineStart;
      this.content = at;
      this.end = end;
      this.number = number;
      this.continued = false;
      return true;
    }
    this.next = length;
    return false;
  }

  /** Lets {@linkcode LineCursor.advance} continue with the line that starts at `offset`. */
  rewind(offset: number, number: number): void {
    this.next = offset;
    this.nextNumber = number;
  }

  /** Drops the white space before the content. */
  dropIndentation(): void {
    this.start = this.content;
  }

  /** Drops the part of the line before `offset`, which must be in its content, and the white space after it. */
  cutAt(offset: number): void {
    while (isSpace(this.text.charCodeAt(offset))) offset++;
    this.start = offset;
    this.content = offset;
    this.afterBlank = false;
    this.continued = true;
  }
}

const IDEOGRAPHIC_COMMA = 0x3001;

/** Returns the fence that the line opens, also behind a list marker. A line whose start was cut off opens none. */
export function fenceOpened(line: LineCursor): Fence {
  if (line.continued) return 0;
  const { text, content, end } = line;
  const fence = fenceOpenedAt(text, content, end);
  if (fence !== 0) return fence;
  const item = listMarkerEnd(line);
  return item === content ? 0 : fenceOpenedAt(text, item, end);
}

/** Whether the line closes `fence`. */
export function closesFence(line: LineCursor, fence: Fence): boolean {
  return !line.continued && closesFenceAt(line.text, line.content, line.end, fence);
}

/** Returns the fence that is open after the line, if `fence` was open before it. */
export function fenceAfter(line: LineCursor, fence: Fence): Fence {
  if (fence === 0) return fenceOpened(line);
  return closesFence(line, fence) ? 0 : fence;
}

/**
 * Returns where the content of a list item begins, or `line.content` if the line is no list item. `•` and `1、` count as list
 * markers in addition to those of Markdown.
 */
export function listMarkerEnd({ text, content, end }: LineCursor): number {
  let at = content + listMarkerLength(text, content, true);
  if (at === content || text.charCodeAt(at - 1) === IDEOGRAPHIC_COMMA) return at;
  if (at >= end || !isSpace(text.charCodeAt(at))) return content;
  while (at < end && isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** Whether the line is a row of a pipe table or a rule of a grid table. */
export function startsTableRow({ text, content }: LineCursor): boolean {
  const code = text.charCodeAt(content);
  if (code === 0x7c) return true;
  if (code !== 0x2b) return false;
  const second = text.charCodeAt(content + 1);
  return second === 0x2d || second === 0x3d;
}

/** Whether the line is the rule between the head and the body of a pipe table. */
export function isTableRule({ text, content }: LineCursor): boolean {
  if (text.charCodeAt(content) !== 0x7c) return false;
  const at = text.charCodeAt(content + 1) === 0x20 ? content + 2 : content + 1;
  const code = text.charCodeAt(at);
  return code === 0x2d || (code === 0x3a && text.charCodeAt(at + 1) === 0x2d);
}

const IDEOGRAPHIC_SPACE = 0x3000;

/**
 * Returns the rank of a cut before the line at the cursor, as far as this line and the last character before it tell.
 * `previousEnd` is the end of the content before the line.
 */
export function lineRank(line: LineCursor, previousEnd: number): number {
  const text = line.text;
  const code = text.charCodeAt(line.content);
  // A Chinese paragraph begins with two ideographic spaces, which are no indentation.
  const indented = line.content > line.lineStart && text.charCodeAt(line.lineStart) !== IDEOGRAPHIC_SPACE;
  const closes = code === 0x29 || code === 0x5d || code === 0x7d;
  let rank: number;
  if (line.afterBlank) rank = indented || closes ? Rank.INNER_PARAGRAPH : Rank.PARAGRAPH;
  else if (!indented) rank = closes ? Rank.LINE : Rank.ITEM;
  else rank = listMarkerEnd(line) > line.content || startsTableRow(line) ? Rank.ITEM : Rank.LINE;
  return Math.min(rank, rankAfter(text, previousEnd));
}

/**
 * Returns the highest rank of a cut after content that ends at `end`. Content that ends in a colon introduces what follows.
 */
export function rankAfter(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return last === 0x3a || last === 0xff1a ? Rank.LINE : Rank.PARAGRAPH;
}

/**
 * The head of a pipe table: the row with the names of the columns, the rule below it, and a second row of names if the first
 * has cells that span several columns.
 */
export interface TableHead {
  /** Offsets: start and end of the row of names, end of the rule, end of the last line. */
  readonly start: number;
  readonly namesEnd: number;
  readonly ruleEnd: number;
  readonly end: number;
}

const BAR = 0x7c, BACKSLASH = 0x5c;

/** Finds the heads of pipe tables. Reads the text once, so the offsets of calls must ascend. */
export class TableHeads {
  readonly #text: string;
  readonly #line: LineCursor;
  #more: boolean;
  #fence: Fence = 0;
  /** The row before the line at the cursor, if it may be a row of names. */
  #first: { start: number; end: number } | undefined;
  #head: TableHead | undefined;
  /** Whether the line before is the rule of the head. */
  #afterRule = false;
  /** Start of the line last read, and the head of the table whose body contains it. */
  #lineStart = -1;
  #found: TableHead | undefined;
  /** Bars of the head of the last call, and the number of bars in a row up to an offset. */
  #bars: { readonly head: TableHead; readonly offsets: readonly number[] } | undefined;
  #row = { start: -1, at: 0, count: 0 };

  constructor(text: string) {
    this.#text = text;
    this.#line = new LineCursor(text);
    this.#more = this.#line.advance();
  }

  /** Returns the head of the table whose body contains the line that starts at `lineStart`. */
  of(lineStart: number): TableHead | undefined {
    while (this.#more && this.#line.lineStart <= lineStart) {
      this.#lineStart = this.#line.lineStart;
      this.#take();
      this.#more = this.#line.advance();
    }
    return this.#lineStart === lineStart ? this.#found : undefined;
  }

  /**
   * Returns the names of the columns in the part `[start, end)` of a row that starts at `rowStart`, such as `| b | c |`.
   * Returns `undefined` if the table has no such columns. Reads each row once if the parts ascend.
   */
  names(head: TableHead, rowStart: number, start: number, end: number): string | undefined {
    const text = this.#text;
    if (this.#bars?.head !== head) this.#bars = { head, offsets: barsIn(text, head.start, head.namesEnd) };
    if (this.#row.start !== rowStart || this.#row.at > start) {
      this.#row = { start: rowStart, at: rowStart, count: 0 };
    }
    const opens = text.charCodeAt(start) === BAR;
    const first = Math.max(0, this.#count(start) - (opens ? 0 : 1));
    const inside = barsIn(text, start, end).length;
    const last = first + Math.max(0, inside - (opens ? 1 : 0) - (text.charCodeAt(end - 1) === BAR ? 1 : 0));
    const { offsets } = this.#bars;
    const from = offsets[first];
    if (from === undefined || from + 1 >= head.namesEnd) return undefined;
    const to = offsets[last + 1];
    return text.slice(from, to === undefined ? head.namesEnd : to + 1);
  }

  /** Returns the number of bars in the row before `end`. */
  #count(end: number): number {
    const row = this.#row;
    row.count += barsIn(this.#text, row.at, end).length;
    row.at = end;
    return row.count;
  }

  /** Updates the state for the line at the cursor. */
  #take(): void {
    const line = this.#line;
    this.#found = undefined;
    if (this.#fence !== 0) {
      this.#fence = fenceAfter(line, this.#fence);
      return;
    }
    const isRow = line.text.charCodeAt(line.content) === BAR;
    if (line.afterBlank || !isRow) {
      this.#head = undefined;
      this.#first = undefined;
    }
    if (!isRow) this.#fence = fenceOpened(line);
    else if (this.#head !== undefined) {
      this.#found = this.#head;
      if (this.#afterRule && this.#isSecond(this.#head)) this.#head = { ...this.#head, end: line.end };
    } else if (this.#first !== undefined && isTableRule(line)) {
      this.#head = { start: this.#first.start, namesEnd: this.#first.end, ruleEnd: line.end, end: line.end };
      this.#afterRule = true;
      return;
    } else this.#first = { start: line.start, end: line.end };
    this.#afterRule = false;
  }

  /** Whether the line at the cursor, below the rule of a head, has names of columns, too. */
  #isSecond({ start, namesEnd }: TableHead): boolean {
    const { text, start: from, end } = this.#line;
    return namesEnd - start < LONGEST_HEAD && end - from < LONGEST_HEAD &&
      isSecondHead(cellsOf(text.slice(start, namesEnd)), cellsOf(text.slice(from, end)));
  }
}

/** UTF-16 units of a row of names from which on a second one is not looked for: it would not be repeated. */
const LONGEST_HEAD = 4000;

/** Returns the offsets of the bars in `[from, end)` that separate cells. */
function barsIn(text: string, from: number, end: number): number[] {
  const offsets = [];
  for (let at = from; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === BAR) offsets.push(at);
  }
  return offsets;
}
