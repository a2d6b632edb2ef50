import type { Document } from "../document/mod.ts";
import { isSpace } from "./_characters.ts";
import { PageFinder } from "./_page_finder.ts";
import { SectionFinder } from "./_section_finder.ts";
import type { Chunk } from "./types.ts";

/** Says of pieces of a document which section and page they are in. Offsets must ascend. */
export class ChunkFacts {
  readonly #text: string;
  readonly #sections: SectionFinder;
  readonly #pages: PageFinder;

  constructor(document: Document) {
    this.#text = document.text;
    this.#sections = new SectionFinder(document);
    this.#pages = new PageFinder(document.pages);
  }

  /** `own`: where the part starts that is not repeated from the piece before. */
  of(start: number, end: number, own: number): Pick<Chunk, "section" | "page"> {
    while (isSpace(this.#text.charCodeAt(own))) own++;
    const page = this.#pages.at(own);
    return { section: this.#sections.pathOf(start, end), ...(page === undefined ? {} : { page }) };
  }
}
