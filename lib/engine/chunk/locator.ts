/**
 * Finds the section and the pages of a part of a document.
 * Below it: sections by offset, and the text between them.
 */
import type { Document, Page, Section } from "#documents/mod.ts";
import { isSpace } from "./breaks.ts";
import type { Chunk, PagePart } from "./types.ts";

/** Finds the section and the pages of parts of a document. Takes constant time if the offsets ascend. */
export class Locator {
  readonly #text: string;
  readonly #sections: SectionFinder;
  readonly #pages: readonly Page[];
  /** Index of the first page that starts after the offset of the last call. */
  #nextPage = 0;

  constructor(document: Document) {
    this.#text = document.text;
    this.#sections = new SectionFinder(document);
    this.#pages = document.pages ?? [];
  }

  /**
   * Returns section and pages of `[start, end)`. `fresh` is the start of the content that is not repeated from the chunk
   * before.
   */
  locate(start: number, end: number, fresh: number): Pick<Chunk, "section" | "page" | "pages"> {
    while (isSpace(this.#text.charCodeAt(fresh))) fresh++;
    const page = this.#pages[this.#pageAt(fresh)]?.number;
    const parts = this.#partsOf(start, end);
    return {
      section: this.#sections.sectionPath(start, end),
      ...(page === undefined ? {} : { page }),
      ...(parts.length > 1 || parts[0]?.label !== undefined ? { pages: parts } : {}),
    };
  }

  /** Returns the pages that have text in `[start, end)`. */
  #partsOf(start: number, end: number): PagePart[] {
    const parts: PagePart[] = [];
    for (let i = this.#pageAt(start); i < this.#pages.length; i++) {
      if (i < 0) continue;
      const page = this.#pages[i]!;
      if (page.start >= end) break;
      const from = Math.max(start, page.start);
      if (/^\s*$/.test(this.#text.slice(from, Math.min(end, page.end)))) continue;
      const { number, label } = page;
      parts.push({
        number,
        ...(label === undefined ? {} : { label }),
        at: parts.length === 0 ? 0 : from - start,
      });
    }
    return parts;
  }

  /** Returns the index of the last page that starts at or before `offset`; -1 if there is none. */
  #pageAt(offset: number): number {
    const pages = this.#pages;
    while (this.#nextPage < pages.length && pages[this.#nextPage]!.start <= offset) this.#nextPage++;
    while (this.#nextPage > 0 && pages[this.#nextPage - 1]!.start > offset) this.#nextPage--;
    return this.#nextPage - 1;
  }
}

const NO_PATH: readonly string[] = [];

/**
 * Finds sections by offset. Takes constant time if each offset is near the one before.
 *
 *     class Pump {          ┐ Pump
 *       start() { … }       │ ─ Pump > start
 *       limit = 3;          │ ─ gap: a section with an empty heading and the path Pump
 *       stop() { … }        │ ─ Pump > stop
 *     }                     ┘
 *
 * The text after a section, inside the section around it, is such a gap. Without it, `limit` would seem to be a part of
 * `start`.
 */
export class SectionFinder {
  readonly #sections: readonly Section[];
  /** Index of the section that contains each section, or -1. */
  readonly #parents: Int32Array;
  /** Index of the first section that starts after the offset of the last call. */
  #after = 0;

  constructor({ text, sections: own }: Document) {
    const sections = withGaps(text, own);
    this.#sections = sections;
    this.#parents = new Int32Array(sections.length);
    let open = -1;
    for (const [index, section] of sections.entries()) {
      while (open >= 0 && sections[open]!.end < section.end) open = this.#parents[open]!;
      this.#parents[index] = open;
      open = index;
    }
  }

  /** Returns the last section that starts at or before `offset`, which is the deepest one there. */
  at(offset: number): Section | undefined {
    return this.#sections[this.#seek(offset) - 1];
  }

  /** Returns the section whose heading starts in `[start, end)`, if there is one. */
  startingIn(start: number, end: number): Section | undefined {
    const index = this.#seek(start);
    const here = this.#sections[index - 1];
    if (here !== undefined && here.start === start) return here;
    const next = this.#sections[index];
    return next !== undefined && next.start < end ? next : undefined;
  }

  /** Returns the path of the deepest section that contains all of `[start, end)`. */
  sectionPath(start: number, end: number): readonly string[] {
    let index = this.#seek(start) - 1;
    while (index >= 0 && this.#sections[index]!.end < end) index = this.#parents[index]!;
    return index < 0 ? NO_PATH : this.#sections[index]!.path;
  }

  #seek(offset: number): number {
    const sections = this.#sections;
    while (this.#after < sections.length && sections[this.#after]!.start <= offset) this.#after++;
    while (this.#after > 0 && sections[this.#after - 1]!.start > offset) this.#after--;
    return this.#after;
  }
}

/** Text that is no content between sections: closing brackets and words. */
const ONLY_CLOSERS = /^(?:[\s)\]};,.]|end\b)*$/i;

function withGaps(text: string, sections: readonly Section[]): readonly Section[] {
  const all: Section[] = [];
  const open: Section[] = [];
  for (const section of sections) {
    closeUntil(section.start);
    all.push(section);
    open.push(section);
  }
  closeUntil(text.length);
  return all.length === sections.length ? sections : all;

  function closeUntil(at: number): void {
    for (let last = open.at(-1); last !== undefined && last.end <= at; last = open.at(-1)) {
      open.pop();
      const around = open.at(-1);
      addGap(last, Math.min(at, around?.end ?? text.length), around?.path ?? NO_PATH);
    }
  }

  /** Adds the text between the end of a section and `end` as a gap, from its first whole line on. */
  function addGap({ end: from, level }: Section, end: number, path: readonly string[]): void {
    if (from >= end) return;
    let start = text[from - 1] === "\n" ? from : text.indexOf("\n", from) + 1;
    if (start === 0 || start >= end || ONLY_CLOSERS.test(text.slice(start, Math.min(end, start + 500)))) {
      return;
    }
    while (start < end && isSpace(text.charCodeAt(start))) start++;
    start = text.lastIndexOf("\n", start - 1) + 1;
    all.push({ start, headingEnd: start, end, level, title: "", path });
  }
}
