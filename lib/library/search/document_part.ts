/** A part of one document: by lines, pages or heading, and as the raw text of its file. */
import type { Document, Section } from "#documents/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { lineRange, Lines } from "./line_range.ts";
import { characterAt, lineEnds } from "#foundation/text_offsets.ts";
import { present } from "#foundation/present.ts";
import { picturesIn, rowsBetween } from "./passages.ts";
import type { RawFile } from "./types.ts";
import { nearest } from "#foundation/configuration/mod.ts";

/** The part of a document to return. Conditions that are given together must all hold. */
interface PartRequest {
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
  /** See {@linkcode import("./types.ts").Hit}. */
  readonly rows?: readonly [first: number, last: number];
  readonly images?: readonly number[];
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
  const begin = from;
  while (from < to && text[from] === "\n") from++;
  const end = cutAt(text, from, to, budget);
  const pages = pagesOf(document, from, end);
  const isCut = end < to && /\S/.test(text.slice(end, to));
  const nextLine = lines.at(end);
  const nextColumn = end - lines.startOf(nextLine) + 1;
  const [first, last] = [lines.at(from), lines.at(Math.max(from, end - 1))];
  // A picture may stand after the last text.
  const shown = { start: begin, end: end === text.length ? Infinity : end };
  return present({
    text: text.slice(from, end),
    startLine: first,
    endLine: last,
    rows: rowsBetween(document.rows ?? [], first, last),
    images: picturesIn([shown], document.images?.map(({ at }) => at)),
    totalLines: lines.count,
    pages,
    section: document.sections.findLast(({ start, end }) => start <= from && from < end)?.path ?? [],
    nextLine: isCut ? nextLine : undefined,
    nextColumn: isCut && nextColumn > 1 ? nextColumn : undefined,
  });
}

/** First and last page of a part of a document's text; `undefined` if the document has no pages. */
function pagesOf({ pages = [] }: Document, from: number, to: number): [number, number] | undefined {
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
      const nearest = nearestHeadings(section, document.sections).join("\0") || undefined;
      throw new UserError("document_no_such_section", present({ path, section, nearest }));
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
function cutAt(text: string, from: number, to: number, budget: number): number {
  if (to - from <= budget) return to;
  const line = text.lastIndexOf("\n", from + budget - 1);
  if (line >= from) return line + 1;
  return characterAt(text, from + budget);
}

/** The lines of a file that fit one answer. */
export interface RawPart extends RawFile, Pick<DocumentPart, "nextLine" | "nextColumn"> {
  /** The last line that was asked for. */
  readonly lastLine: number;
  /** Share of the text that was asked for and is not in the part, 0 to 1. */
  readonly missing: number;
}

/**
 * Returns the beginning of a file's text, at most `budget` UTF-16 units: whole lines, or a part of the first line if that
 * alone is longer. `startColumn`: first UTF-16 unit in the first line, counted from 1.
 */
export function rawPart(file: RawFile, budget: number, startColumn = 1): RawPart {
  const { text, startLine } = file;
  const from = characterAt(text, Math.min(startColumn - 1, text.length));
  const end = cutAt(text, from, text.length, budget);
  const part = {
    ...file,
    lastLine: file.endLine,
    missing: text.length === 0 ? 0 : (text.length - end) / text.length,
    text: text.slice(from, end),
    // A column behind the end of its line is in a later one.
    startLine: Math.min(startLine + lineEnds(text, from), file.endLine),
  };
  if (end === text.length) return part;
  const lastEnd = text.lastIndexOf("\n", end - 1);
  const nextLine = startLine + lineEnds(text, end);
  const column = end - lastEnd;
  return {
    ...part,
    endLine: column > 1 ? nextLine : nextLine - 1,
    nextLine,
    ...(column > 1 && { nextColumn: column }),
  };
}

/** Names of a client longer than this are not compared. */
const MAX_NAME_CHARS = 255;
/** Headings that are named in an answer. */
const MAX_NAMED = 3;

/** A heading, or a path of headings, as it is compared: without differences in case, width and spaces. */
function plainHeading(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/\s*[>›]\s*/g, ">").replace(/\s+/g, " ").trim();
}

/**
 * Returns the headings that are similar to a name that no section has: the one with the fewest different letters, then those
 * that contain the name; if there is none, those with most of its words or pairs of characters, or the first headings. Of a path of
 * headings only the last part is compared.
 */
function nearestHeadings(name: string, sections: readonly Section[]): string[] {
  const wanted = plainHeading(name).split(">").at(-1) ?? "";
  if (wanted === "" || name.length > MAX_NAME_CHARS) return [];
  const headings = new Map(sections.map(({ path }) => path.at(-1) ?? "").map((it) => [it, plainHeading(it)]));
  const similar = nearest(wanted, [...headings.values()]);
  const isNear = (plain: string) => plain === similar || plain.includes(wanted);
  const near = [...headings].filter(([, plain]) => isNear(plain))
    .sort(([, a], [, b]) => Number(b === similar) - Number(a === similar));
  const named = near.length > 0 ? near : withSharedPairs(wanted, [...headings]);
  return named.slice(0, MAX_NAMED).map(([heading]) => heading);
}

/** The headings, those with the greatest share of pairs of characters in common with a text first. */
function withSharedPairs(wanted: string, headings: readonly [string, string][]): [string, string][] {
  const pairsOf = (text: string) => new Set(Array.from(text, (_, i) => text.slice(i, i + 2)).slice(0, -1));
  const own = pairsOf(wanted);
  const share = headings.map(([heading, plain]) => {
    const pairs = pairsOf(plain);
    return { heading, plain, share: 2 * own.intersection(pairs).size / Math.max(1, own.size + pairs.size) };
  });
  return share.sort((a, b) => b.share - a.share).map(({ heading, plain }) => [heading, plain]);
}
