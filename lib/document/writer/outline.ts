import type { Section } from "../types.ts";

/** Deeper headings count as this level: paths stay short, so a hostile outline costs linear memory. */
const DEEPEST_LEVEL = 10;
const TITLE_LENGTH = 200;
/** Longer headings are text that lost its line ends; scraped pages have them. */
const LONGEST_HEADING = 500;

interface OpenSection {
  start: number;
  headingEnd: number;
  end: number;
  level: number;
  title: string;
  path: readonly string[];
}

/** Turns headings, told in their order, into nested sections. */
export class Outline {
  readonly #sections: OpenSection[] = [];
  readonly #open: OpenSection[] = [];

  /**
   * Adds a heading whose lines are `[start, headingEnd)`; it ends the open
   * sections of its level or deeper. A heading of more than 500 units is none, and is left out.
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

  /** The sections of a text of `length` UTF-16 units. */
  finish(length: number): readonly Section[] {
    this.#close(length, 0);
    return this.#sections;
  }

  /** The title of the first heading of the outermost level, if there is one. */
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

/** A string cut from a text keeps all of the text in memory; titles outlive their texts, so they are copied. */
function ownCopy(part: string): string {
  return (" " + part).slice(1);
}
