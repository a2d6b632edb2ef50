import type { Page } from "../document/mod.ts";

/** Finds pages by offset, in constant time as long as the offsets asked for ascend. */
export class PageFinder {
  readonly #pages: readonly Page[];
  /** Index of the first page that starts after the offset last asked for. */
  #after = 0;

  constructor(pages: readonly Page[] | undefined) {
    this.#pages = pages ?? [];
  }

  /** The number of the last page that starts at or before `offset`; nothing before the first page. */
  at(offset: number): number | undefined {
    const pages = this.#pages;
    while (this.#after < pages.length && pages[this.#after]!.start <= offset) this.#after++;
    while (this.#after > 0 && pages[this.#after - 1]!.start > offset) this.#after--;
    return pages[this.#after - 1]?.number;
  }
}
