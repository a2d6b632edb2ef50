import { lineEnd, trimBlanks } from "../reader/lines.ts";
import type { Section } from "../types.ts";

/** Deeper values are no sections of their own: a path of more keys says little. */
export const DEEPEST = 4;
const MOST_SECTIONS = 100_000;
const TITLE_LENGTH = 120;
const LONGEST_HEADING = 500;

const COMMENT = /^[ \t]*(?:#|\/\/|;|<!--)/;
const MOST_COMMENT_LINES = 50;

interface Span {
  readonly start: number;
  /** Where the line starts that names it; comments may stand above. */
  readonly nameStart: number;
  readonly headingEnd: number;
  end: number;
  readonly level: number;
  title: string;
  readonly parent: Span | undefined;
}

/** Makes sections of parts that are entered and left, as a scanner meets them. Parts within one line are none. */
export class SpanOutline {
  readonly #text: string;
  readonly #spans: Span[] = [];
  #open: Span | undefined;
  #lastStart = -1;
  /** Where the part last closed ended. */
  #leftAt = 0;
  /** The offset last asked for, and the start of its line. */
  #asked = { at: 0, lineStart: 0 };
  /** Nothing before it belongs to a part that is still to come. */
  #floor = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** How many parts are open. */
  get depth(): number {
    return this.#open?.level ?? 0;
  }

  /**
   * Opens a part that begins in the line of `at`; its heading is that line. False when it is no section: too deep, or in
   * the same line as the one before it begins or ends.
   */
  enter(at: number, title: string): boolean {
    if (this.depth >= DEEPEST || this.#spans.length >= MOST_SECTIONS) return false;
    let start = this.#lineStart(at);
    // `</a><b>`: the line belongs to the part before
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

  /** The start of the line of `at`. Offsets ascend, so that a giant line is read once. */
  #lineStart(at: number): number {
    let start = at;
    while (start > this.#asked.at && this.#text.charCodeAt(start - 1) !== 10) start--;
    const lineStart = start > this.#asked.at ? start : this.#asked.lineStart;
    this.#asked = { at, lineStart };
    return lineStart;
  }

  /** Where the comments begin that stand right above the line at `start`. */
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

  /** Gives the innermost open part a better title. */
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

  /** Closes what is open at the end of the text. */
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
  // a copy: a part of a string keeps all of the text in memory
  return (" " + title.replace(/\s+/g, " ").trim().slice(0, TITLE_LENGTH)).slice(1);
}
