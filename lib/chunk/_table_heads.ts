import type { Fence } from "../document/mod.ts";
import { fenceAfter, fenceOpened, isTableRule } from "./_markdown_line.ts";
import { LineCursor } from "./_line_cursor.ts";

/** The head of a pipe table: the row with the names of the columns and the rule below it. */
export interface TableHead {
  /** Offsets: start and end of the row of names, end of the rule. */
  readonly start: number;
  readonly namesEnd: number;
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
    else if (this.#head !== undefined) this.#found = this.#head;
    else if (this.#first !== undefined && isTableRule(line)) {
      this.#head = { start: this.#first.start, namesEnd: this.#first.end, end: line.end };
    } else this.#first = { start: line.start, end: line.end };
  }
}

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
