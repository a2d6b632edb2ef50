import type { Document, Page } from "../types.ts";
import { MarkdownBuilder } from "../writer/markdown_builder.ts";

/**
 * Letters and digits of a page below which it may be a scan: a header, a page number or a stamp may lie over the picture.
 */
const FEW_CHARACTERS = 50;

/** Formats whose pages may be scans. */
const SCANNED = new Set(["pdf", "image"]);

/** Returns the numbers of the pages in which text could be recognised: those with little or no text of their own. */
export function pagesToRecognise({ text, pages = [] }: Document, format: string): number[] {
  if (!SCANNED.has(format)) return [];
  return pages.filter(({ start, end }) => !hasText(text.slice(start, end))).map(({ number }) => number);
}

function hasText(page: string): boolean {
  let count = 0;
  for (const _ of page.matchAll(/[\p{L}\p{N}]/gu)) if (++count === FEW_CHARACTERS) return true;
  return false;
}

/** Text that is inserted into a document. */
interface Insertion {
  readonly at: number;
  readonly text: string;
  /** UTF-16 units of this text and all that is inserted before it. */
  readonly total: number;
}

/** Returns a document with recognised text at the ends of pages, by their number. Takes time linear in text and pages. */
export function withRecognisedText(document: Document, texts: ReadonlyMap<number, string>): Document {
  const recognised: number[] = [];
  const insertions: Insertion[] = [];
  let total = 0;
  const pages = (document.pages ?? []).map(({ number, start, end }): Page => {
    const text = textToAdd(texts.get(number) ?? "", end, document.text.length, total > 0);
    const page = { number, start: start + total, end: end + total + text.length };
    if (text === "") return page;
    total += text.length;
    insertions.push({ at: end, text, total });
    recognised.push(number);
    return page;
  });
  if (recognised.length === 0) return document;
  /** Returns where an offset lies now. `after`: behind what is inserted at it. */
  const shifted = (offset: number, after = true) =>
    offset + (insertions[countUpTo(insertions, offset, after) - 1]?.total ?? 0);
  const { emptyPages: empty = [], images, ...rest } = document;
  const emptyPages = empty.filter((number) => !texts.get(number)?.trim());
  return {
    ...rest,
    text: insert(document.text, insertions),
    sections: document.sections.map((section) => ({
      ...section,
      start: shifted(section.start),
      // Text that is inserted at the end of a heading follows it.
      headingEnd: shifted(section.headingEnd, section.start === section.headingEnd),
      end: shifted(section.end),
    })),
    pages,
    ...(images === undefined ? {} : { images: images.map((image) => ({ ...image, at: shifted(image.at) })) }),
    ...(emptyPages.length > 0 ? { emptyPages } : {}),
    recognised,
  };
}

function insert(text: string, insertions: readonly Insertion[]): string {
  let done = 0;
  const parts: string[] = [];
  for (const { at, text: inserted } of insertions) {
    parts.push(text.slice(done, at), inserted);
    done = at;
  }
  return parts.join("") + text.slice(done);
}

/** Returns the number of insertions before an offset, or up to it. */
function countUpTo(insertions: readonly Insertion[], offset: number, inclusive: boolean): number {
  let low = 0, high = insertions.length;
  while (low < high) {
    const middle = (low + high) >> 1, { at } = insertions[middle]!;
    if (at < offset || inclusive && at === offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Returns recognised text as blocks of normalised Markdown, with the blank lines that separate it from the text around it.
 * `follows`: other text is inserted before it.
 */
function textToAdd(recognised: string, at: number, length: number, follows: boolean): string {
  const builder = new MarkdownBuilder();
  for (const paragraph of recognised.split(/\n{2,}/)) builder.paragraph(paragraph);
  const { text } = builder.finish();
  if (text === "") return "";
  return `${at > 0 || follows && length === 0 ? "\n" : ""}${text}${at === 0 && length > 0 ? "\n" : ""}`;
}
