import type { Document, Page } from "../document/mod.ts";
import { isSpace } from "./_characters.ts";
import { SectionFinder } from "./_section_finder.ts";
import type { Chunk } from "./types.ts";

/** Finds the section and the page of parts of a document. Takes constant time if the offsets ascend. */
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
   * Returns section and page of `[start, end)`. `fresh` is the start of the content that is not repeated from the chunk
   * before.
   */
  locate(start: number, end: number, fresh: number): Pick<Chunk, "section" | "page"> {
    while (isSpace(this.#text.charCodeAt(fresh))) fresh++;
    const page = this.#pageAt(fresh);
    return { section: this.#sections.sectionPath(start, end), ...(page === undefined ? {} : { page }) };
  }

  /** Returns the number of the last page that starts at or before `offset`, if there is one. */
  #pageAt(offset: number): number | undefined {
    const pages = this.#pages;
    while (this.#nextPage < pages.length && pages[this.#nextPage]!.start <= offset) this.#nextPage++;
    while (this.#nextPage > 0 && pages[this.#nextPage - 1]!.start > offset) this.#nextPage--;
    return pages[this.#nextPage - 1]?.number;
  }
}
