import type { Document, Section } from "../document/mod.ts";
import { UserError } from "../errors.ts";
import { nearestHeadings, plainHeading } from "./nearest_headings.ts";
import { lineRange, Lines } from "./line_range.ts";

/** The part of a document to return. Conditions that are given together must all hold. */
export interface PartRequest {
  /** Lines of the document's text, counted from 1, both included. */
  readonly startLine?: number;
  readonly endLine?: number;
  /** First UTF-16 unit in line `startLine` (default: line 1), counted from 1. */
  readonly startColumn?: number;
  readonly page?: number;
  /** Pages as people write them: `3-5`, or `3`. */
  readonly pages?: string;
  /** A heading, or a path of headings separated by ` > ` or ` › `. Case is ignored. */
  readonly section?: string;
}

/** A part of a document's text that fits a budget. */
export interface DocumentPart {
  readonly text: string;
  /** First and last line of the part, counted from 1, and number of lines of the whole text. */
  readonly startLine: number;
  readonly endLine: number;
  readonly totalLines: number;
  /** First and last page of the part, where the document has pages. */
  readonly pages?: readonly [number, number];
  /** Headings that lead to the first line of the part, outermost first; empty outside of any section. */
  readonly section: readonly string[];
  /** The line to continue with, if the part was cut. */
  readonly nextLine?: number;
  /** The UTF-16 unit to continue with in that line, counted from 1, if the part was cut inside it. */
  readonly nextColumn?: number;
}

/**
 * Returns the requested part of a document. A part of more than `budget` UTF-16 units is cut after a line, or inside its
 * first line if that alone is too long. Throws `UserError` `bad_line_range`, `bad_page_range`, `document_no_such_page`,
 * `document_without_pages` or `document_no_such_section`, each with `path`; the last may have similar headings as `nearest`,
 * separated by a zero byte.
 */
export function documentPart(
  document: Document,
  request: PartRequest,
  budget: number,
  path: string,
): DocumentPart {
  const { text } = document;
  const { startLine, endLine, startColumn } = request;
  const lines = new Lines(text);
  let [from, to] = spanOf(document, request, path);
  if (startLine !== undefined || endLine !== undefined) {
    const range = lineRange(text, { startLine, endLine }, lines);
    const start = lines.startOf(range.startLine);
    [from, to] = [Math.max(from, start), Math.max(from, Math.min(to, start + range.text.length))];
  }
  if (startColumn !== undefined) {
    const line = lines.startOf(startLine ?? 1);
    from = Math.min(to, Math.max(from, characterAt(text, line + startColumn - 1)));
  }
  while (from < to && text[from] === "\n") from++;
  const end = cutAt(text, from, to, budget);
  const pages = pagesOf(document, from, end);
  const isCut = end < to && /\S/.test(text.slice(end, to));
  const nextLine = lines.at(end);
  const nextColumn = end - lines.startOf(nextLine) + 1;
  return {
    text: text.slice(from, end),
    startLine: lines.at(from),
    endLine: lines.at(Math.max(from, end - 1)),
    totalLines: lines.count,
    ...(pages === undefined ? {} : { pages }),
    section: document.sections.findLast(({ start, end }) => start <= from && from < end)?.path ?? [],
    ...(isCut ? { nextLine } : {}),
    ...(isCut && nextColumn > 1 ? { nextColumn } : {}),
  };
}

/** First and last page of a part of a document's text; `undefined` if the document has no pages. */
export function pagesOf({ pages = [] }: Document, from: number, to: number): [number, number] | undefined {
  const first = pages.findLast(({ start }) => start <= from) ?? pages[0];
  const last = pages.findLast(({ start }) => start < Math.max(to, from + 1)) ?? first;
  return first === undefined || last === undefined ? undefined : [first.number, last.number];
}

function spanOf(document: Document, request: PartRequest, path: string): [number, number] {
  const { page, pages, section } = request;
  let [from, to] = [0, document.text.length];
  if (page !== undefined) [from, to] = spanFromPage(document, page, page, path);
  if (pages !== undefined) {
    const [start, end] = spanOfPages(document, pages, path);
    [from, to] = [Math.max(from, start), Math.max(from, Math.min(to, end))];
  }
  if (section !== undefined) {
    const found = findSection(document.sections, section);
    if (found === undefined) {
      const nearest = nearestHeadings(section, document.sections).join("\0");
      throw new UserError("document_no_such_section", {
        path,
        section,
        ...(nearest === "" ? {} : { nearest }),
      });
    }
    [from, to] = [Math.max(from, found.start), Math.max(from, Math.min(to, found.end))];
  }
  return [from, to];
}

/** The offsets of the `pages` of a document, `3-5` or `3`, in its text. Throws as {@linkcode documentPart}. */
export function spanOfPages(document: Document, pages: string, path: string): [number, number] {
  const [, first, last = first] = /^\s*(\d{1,7})(?:\s*[-–—~～至到]\s*(\d{1,7}))?\s*$/.exec(pages) ?? [];
  if (first === undefined || Number(last) < Number(first)) {
    throw new UserError("bad_page_range", { path, pages });
  }
  return spanFromPage(document, Number(first), Number(last), path);
}

/** The part of a document from one page to another. Pages behind the last one are left out. */
function spanFromPage(
  { pages, text }: Document,
  first: number,
  last: number,
  path: string,
): [number, number] {
  if (pages === undefined) throw new UserError("document_without_pages", { path });
  const found = pages.filter(({ number }) => number >= first && number <= last);
  if (found.length === 0) {
    throw new UserError("document_no_such_page", { path, page: first, pages: pages.at(-1)?.number ?? 0 });
  }
  let { start } = found[0]!;
  const { end } = found.at(-1)!;
  // The blank line between two pages belongs to neither.
  while (start < end && text[start] === "\n") start++;
  return [start, end];
}

/**
 * The section that a heading or a path of headings names: the outermost, and among equal ones the first. A heading may hold
 * the sign that separates the headings of a path.
 */
function findSection(sections: readonly Section[], name: string): Section | undefined {
  const wanted = plainHeading(name);
  const isNamed = (path: readonly string[]) =>
    path.some((_, i) => plainHeading(path.slice(i).join(" > ")) === wanted);
  const found = sections.filter(({ path }) => isNamed(path));
  return found.toSorted((a, b) => a.path.length - b.path.length)[0];
}

/** Offset of the end of the text that fits: after the last whole line, or inside the first line if that is too long. */
export function cutAt(text: string, from: number, to: number, budget: number): number {
  if (to - from <= budget) return to;
  const line = text.lastIndexOf("\n", from + budget - 1);
  if (line >= from) return line + 1;
  return characterAt(text, from + budget);
}

/** The start of the character that an offset is in. */
export function characterAt(text: string, offset: number): number {
  return /[\udc00-\udfff]/.test(text[offset] ?? "") ? offset - 1 : offset;
}
