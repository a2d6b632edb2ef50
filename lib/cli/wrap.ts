import { printableText } from "../messages.ts";
import { characters, displayWidth } from "./display_width.ts";

/** One character as a reader counts them, in the form that a terminal gets. */
export interface Cell {
  readonly text: string;
  /** Columns. */
  readonly width: number;
  readonly isMarked: boolean;
  /** Offset of its end in the text, in UTF-16 units. */
  readonly end: number;
}

/**
 * Code points of a character at most. The longest emoji have ten; a letter with hundreds of marks is drawn over the rows
 * around it.
 */
const MOST_PARTS = 16;
/** Columns of a tab. It becomes spaces, since a tab stop would be counted from the edge of the terminal. */
const TAB = 4;
/** Characters that must not begin a row, and characters that must not end one. */
const CLOSING = /^[\p{Pe}\p{Pf}，。、；：？！…·,.;:!?%‰％~ー]/u;
const OPENING = /[\p{Ps}\p{Pi}]$/u;

/**
 * The cells of the text from `start` to `end`. Control characters become visible ones. A line break becomes a space, or
 * nothing between two wide characters.
 */
export function cellsOf(
  text: string,
  { start, end, isMarked }: {
    readonly start: number;
    readonly end: number;
    readonly isMarked: (at: number) => boolean;
  },
): Cell[] {
  const cells: Cell[] = [];
  let at = start;
  let isBroken = false;
  for (const character of characters(text.slice(start, end))) {
    const marked = isMarked(at);
    at += character.length;
    if (/^[\r\n]/.test(character)) {
      isBroken = true;
      continue;
    }
    if (isBroken && /^[ \t]$/.test(character)) continue;
    const shown = character === "\t" ? " ".repeat(TAB) : printableText(withFewMarks(character));
    const width = displayWidth(shown);
    if (isBroken && cells.length > 0 && !(width === 2 && cells.at(-1)!.width === 2)) {
      cells.push({
        text: " ",
        width: 1,
        isMarked: marked && cells.at(-1)!.isMarked,
        end: at - character.length,
      });
    }
    isBroken = false;
    cells.push({ text: shown, width, isMarked: marked, end: at });
  }
  return cells;
}

/**
 * Breaks cells into rows of at most `columns`: at spaces, beside wide characters, and inside a word only if it is longer
 * than a row. There is always a row. Only the first `most` rows are made.
 */
export function wrap(cells: readonly Cell[], columns: number, most = Infinity): Cell[][] {
  const rows: Cell[][] = [];
  let row: Cell[] = [];
  let used = 0, breakAt = 0;
  for (const cell of cells) {
    if (row.length > 0 && mayBreak(row.at(-1)!, cell)) breakAt = row.length;
    while (used + cell.width > columns && row.length > 0) {
      const cut = breakAt > 0 ? breakAt : row.length;
      rows.push(withoutEndSpaces(row.slice(0, cut)));
      row = row.slice(cut);
      breakAt = 0;
      used = widthOf(row);
      if (rows.length === most) return rows;
    }
    // A space between two rows is not shown. Spaces at the start of the text are its indentation.
    if (row.length === 0 && rows.length > 0 && cell.text === " ") continue;
    row.push(cell);
    used += cell.width;
  }
  if (row.length > 0 || rows.length === 0) rows.push(withoutEndSpaces(row));
  return rows;
}

function withFewMarks(character: string): string {
  return character.length <= MOST_PARTS ? character : [...character].slice(0, MOST_PARTS).join("");
}

/** Columns of a row. */
export function widthOf(row: readonly Cell[]): number {
  return row.reduce((sum, { width }) => sum + width, 0);
}

function mayBreak(before: Cell, after: Cell): boolean {
  if (after.text === " " || before.text === " ") return true;
  return (before.width === 2 || after.width === 2) && !CLOSING.test(after.text) && !OPENING.test(before.text);
}

function withoutEndSpaces(row: Cell[]): Cell[] {
  return row.slice(0, row.findLastIndex(({ text }) => text.trim() !== "") + 1);
}
