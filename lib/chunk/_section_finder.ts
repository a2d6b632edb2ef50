import type { Document, Section } from "../document/mod.ts";
import { isSpace } from "./_characters.ts";

const NO_PATH: readonly string[] = [];

/**
 * Finds sections by offset, in constant time as long as the offsets asked for move slowly. What comes after a section in the
 * one around it, as statements between functions do, is given as a section with an empty heading: a chunk that
 * holds both is in neither.
 */
export class SectionFinder {
  readonly #sections: readonly Section[];
  /** Index of the section around each section, or -1. */
  readonly #parents: Int32Array;
  /** Index of the first section that starts after the offset last asked for. */
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

/** Closing marks and words do not count as content between sections. */
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

  /** Adds what is between `before` and `end`, from its first whole line on. */
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
