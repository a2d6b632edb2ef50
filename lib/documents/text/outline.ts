/**
 * Makes sections: from headings in document order, or from parts that a scanner opens and closes.
 * Below them: functions for the lines of a text, which all outlines use.
 */
import type { Section } from "../types.ts";

/** Deeper headings get this level. Short paths keep the memory for a hostile outline linear. */
const DEEPEST_LEVEL = 10;
const TITLE_LENGTH = 200;
/** Longer headings, in UTF-16 units, are text that lost its line ends, as in scraped pages. */
const LONGEST_HEADING = 500;

interface OpenSection {
  start: number;
  headingEnd: number;
  end: number;
  level: number;
  title: string;
  path: readonly string[];
}

/** Turns headings in document order into nested sections. */
export class Outline {
  readonly #sections: OpenSection[] = [];
  readonly #open: OpenSection[] = [];

  /**
   * Adds a heading whose lines are `[start, headingEnd)`, and closes the open sections of its level or deeper. A heading of
   * more than 500 UTF-16 units is ignored.
   */
  add(start: number, headingEnd: number, level: number, title: string): void {
    if (headingEnd - start > LONGEST_HEADING) return;
    level = Math.min(level, DEEPEST_LEVEL);
    title = ownCopy(title.length > TITLE_LENGTH ? title.slice(0, TITLE_LENGTH).trimEnd() : title);
    this.#close(start, level);
    const parent = this.#open.at(-1)?.path ?? [];
    const section: OpenSection = {
      start,
      headingEnd,
      end: -1,
      level,
      title,
      path: title === "" ? parent : [...parent, title],
    };
    this.#sections.push(section);
    this.#open.push(section);
  }

  /** Closes all sections of a text of `length` UTF-16 units, and returns them. */
  finish(length: number): readonly Section[] {
    this.#close(length, 0);
    return this.#sections;
  }

  /** Returns the title of the first level 1 heading that has one. */
  firstTitle(): string | undefined {
    return this.#sections.find((section) => section.level === 1 && section.title !== "")?.title;
  }

  #close(at: number, level: number): void {
    for (let last = this.#open.at(-1); last !== undefined && last.level >= level; last = this.#open.at(-1)) {
      last.end = at;
      this.#open.pop();
    }
  }
}

/** Copies a string. A substring keeps the whole text in memory, and titles outlive their texts. */
function ownCopy(part: string): string {
  return (" " + part).slice(1);
}

/** Deeper values get no section: a path with more keys does not help a reader. */
export const DEEPEST_SPAN = 4;
const MOST_SPANS = 100_000;
const SPAN_TITLE_LENGTH = 120;
const LONGEST_SPAN_HEADING = 500;

const COMMENT = /^[ \t]*(?:#|\/\/|;|<!--)/;
const MOST_COMMENT_LINES = 50;

interface Span {
  readonly start: number;
  /** Offset of the line that names the part. Comments may stand above it. */
  readonly nameStart: number;
  readonly headingEnd: number;
  end: number;
  readonly level: number;
  title: string;
  readonly parent: Span | undefined;
}

/** Makes sections of parts that a scanner opens and closes in their order. A part within one line gets no section. */
export class SpanOutline {
  readonly #text: string;
  readonly #spans: Span[] = [];
  #open: Span | undefined;
  #lastStart = -1;
  /** End of the part that was closed last. */
  #leftAt = 0;
  /** The offset asked for last, and the start of its line. */
  #asked = { at: 0, lineStart: 0 };
  /** Text before this offset does not belong to later parts. */
  #floor = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Number of open parts. */
  get depth(): number {
    return this.#open?.level ?? 0;
  }

  /**
   * Opens a part that begins in the line of `at`. That line is its heading. Returns false, and opens no section, if the part
   * is too deep or begins in the line where the part before it begins or ends.
   */
  enter(at: number, title: string): boolean {
    if (this.depth >= DEEPEST_SPAN || this.#spans.length >= MOST_SPANS) return false;
    let start = this.#lineStart(at);
    // In `</a><b>` the line belongs to the part before.
    if (start <= this.#lastStart || start < this.#leftAt) return false;
    this.#lastStart = start;
    const nameStart = start;
    start = this.#withComments(start);
    this.#floor = nameStart + 1;
    const end = trimBlanks(this.#text, start, lineEnd(this.#text, at));
    const headingEnd = end - start <= LONGEST_SPAN_HEADING ? end : start;
    this.#open = {
      start,
      nameStart,
      headingEnd,
      end: -1,
      level: this.depth + 1,
      title: spanTitle(title),
      parent: this.#open,
    };
    this.#spans.push(this.#open);
    return true;
  }

  /** Returns the start of the line of `at`. Offsets ascend, so a very long line is scanned only once. */
  #lineStart(at: number): number {
    let start = at;
    while (start > this.#asked.at && this.#text.charCodeAt(start - 1) !== 10) start--;
    const lineStart = start > this.#asked.at ? start : this.#asked.lineStart;
    this.#asked = { at, lineStart };
    return lineStart;
  }

  /** Returns where the comments directly above the line at `start` begin. */
  #withComments(start: number): number {
    for (let lines = 0; lines < MOST_COMMENT_LINES && start > this.#floor; lines++) {
      const before = this.#text.lastIndexOf("\n", start - 2) + 1;
      if (before < this.#floor || start - before > 1000 || !COMMENT.test(this.#text.slice(before, start))) {
        break;
      }
      start = before;
    }
    return start;
  }

  /** Replaces the title of the innermost open part. */
  rename(title: string): void {
    if (this.#open !== undefined) this.#open.title = spanTitle(title);
  }

  /** Closes the innermost open part at `end` (exclusive). */
  leave(end: number): void {
    const span = this.#open;
    if (span === undefined) return;
    this.#open = span.parent;
    span.end = Math.min(end, this.#text.length);
    this.#leftAt = Math.max(this.#leftAt, span.end);
    this.#floor = Math.max(this.#floor, span.end);
    const isOneLine = lineEnd(this.#text, span.nameStart) >= span.end;
    if (isOneLine && this.#spans.at(-1) === span) this.#spans.pop();
  }

  /** Closes the parts that are open at the end of the text, and returns all sections. */
  finish(): Section[] {
    while (this.#open !== undefined) this.leave(this.#text.length);
    const paths = new Map<Span, readonly string[]>();
    return this.#spans.map((span) => {
      const around = span.parent === undefined ? [] : paths.get(span.parent)!;
      const path = span.title === "" ? around : [...around, span.title];
      paths.set(span, path);
      const { start, headingEnd, end, level, title } = span;
      return { start, headingEnd: Math.min(headingEnd, end), end, level, title, path };
    });
  }
}

function spanTitle(title: string): string {
  // A copy, since a substring keeps the whole text in memory.
  return (" " + title.replace(/\s+/g, " ").trim().slice(0, SPAN_TITLE_LENGTH)).slice(1);
}

/** UTF-16 units of a heading that are read; more than the outline accepts. */
const LONGEST_HEADING_READ = 1000;

/** Returns the offset of the next LF from `from` on, or the length of the text. */
export function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

/** Calls `visit` for each line of a text with the offsets of its start and of its line end. */
export function eachLine(text: string, visit: (start: number, newline: number) => void): void {
  for (let start = 0, newline = 0; start < text.length; start = newline + 1) {
    newline = lineEnd(text, start);
    visit(start, newline);
  }
}

/** Returns whether a character code is a blank within a line: space, tab or CR. */
export function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0d;
}

/** Returns the first offset in `[from, end)` that is not a blank, or `end`. */
export function skipBlanks(text: string, from: number, end: number): number {
  while (from < end && isBlank(text.charCodeAt(from))) from++;
  return from;
}

/** Returns the end of `[from, end)` without trailing blanks. */
export function trimBlanks(text: string, from: number, end: number): number {
  while (end > from && isBlank(text.charCodeAt(end - 1))) end--;
  return end;
}

/** Returns how often `code` is repeated from `from` on, counted up to `end`. */
export function runLength(text: string, from: number, end: number, code: number): number {
  let at = from;
  while (at < end && text.charCodeAt(at) === code) at++;
  return at - from;
}

/** Returns the text of the heading in `[from, end)`, cut at 1,000 UTF-16 units. */
export function headingText(text: string, from: number, end: number): string {
  return text.slice(from, Math.min(end, from + LONGEST_HEADING_READ)).trim();
}

/** Adds a title to a document, unless it is empty. */
export function titled<T extends { readonly text: string }>(
  document: T,
  title: string | undefined,
): T & { title?: string } {
  return title === undefined || title === "" ? document : { ...document, title };
}
