import { lineEnd, trimBlanks } from "../reader/lines.ts";
import type { Section } from "../types.ts";

/** Deeper values get no section: a path with more keys does not help a reader. */
export const DEEPEST = 4;
const MOST_SECTIONS = 100_000;
const TITLE_LENGTH = 120;
const LONGEST_HEADING = 500;

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
    if (this.depth >= DEEPEST || this.#spans.length >= MOST_SECTIONS) return false;
    let start = this.#lineStart(at);
    // In `</a><b>` the line belongs to the part before.
    if (start <= this.#lastStart || start < this.#leftAt) return false;
    this.#lastStart = start;
    const nameStart = start;
    start = this.#withComments(start);
    this.#floor = nameStart + 1;
    const end = trimBlanks(this.#text, start, lineEnd(this.#text, at));
    const headingEnd = end - start <= LONGEST_HEADING ? end : start;
    this.#open = {
      start,
      nameStart,
      headingEnd,
      end: -1,
      level: this.depth + 1,
      title: cut(title),
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
    if (this.#open !== undefined) this.#open.title = cut(title);
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

function cut(title: string): string {
  // A copy, since a substring keeps the whole text in memory.
  return (" " + title.replace(/\s+/g, " ").trim().slice(0, TITLE_LENGTH)).slice(1);
}
