import type { Document, Page } from "../document/mod.ts";
import { isSpace } from "./_characters.ts";
import { SectionFinder } from "./_section_finder.ts";
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
