import type { Section } from "../document/mod.ts";

const NO_PATH: readonly string[] = [];

/** Finds sections by offset, in constant time as long as the offsets asked for move slowly. */
export class SectionFinder {
  readonly #sections: readonly Section[];
  /** Index of the section around each section, or -1. */
  readonly #parents: Int32Array;
  /** Index of the first section that starts after the offset last asked for. */
  #after = 0;

  constructor(sections: readonly Section[]) {
    this.#sections = sections;
    this.#parents = new Int32Array(sections.length);
    let open = -1;
    for (const [index, section] of sections.entries()) {
      while (open >= 0 && sections[open]!.end < section.end) open = this.#parents[open]!;
      this.#parents[index] = open;
      open = index;
    }
  }

  /** The last section that starts at or before `offset`: the deepest one there. */
  at(offset: number): Section | undefined {
    return this.#sections[this.#seek(offset) - 1];
  }

  /** The section whose heading starts in `[start, end)`, if one does. */
  startingIn(start: number, end: number): Section | undefined {
    const index = this.#seek(start);
    const here = this.#sections[index - 1];
    if (here !== undefined && here.start === start) return here;
    const next = this.#sections[index];
    return next !== undefined && next.start < end ? next : undefined;
  }

  /** Path for a chunk: of the deepest section that holds all of it. A chunk of several sections names what they are in. */
  pathOf(start: number, end: number): readonly string[] {
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
