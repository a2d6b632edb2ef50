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
