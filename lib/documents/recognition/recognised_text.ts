/**
 * Adds recognised text to a document: at the ends of pages, and below pictures.
 * Below it: how what is inserted moves the sections, pages, pictures and rows behind it.
 */
import { MarkdownBuilder } from "../markdown_builder.ts";
import { captionNear } from "../pictures/captions.ts";
import { type Document, given, type Image, type Page, type SheetRows } from "../types.ts";

/** Returns the numbers of the pictures with recognised text; `undefined` if there are none. */
export function recognisedImages(images: Document["images"] = []): number[] | undefined {
  const numbers = images.flatMap(({ recognised }, i) => recognised === undefined ? [] : [i + 1]);
  return numbers.length > 0 ? numbers : undefined;
}

/** The text that was recognised in a picture inside of a document. */
interface RecognisedPicture {
  readonly text?: string;
}

/**
 * Returns a document with recognised text at the ends of pages, and below pictures and their captions, both by their number. Takes
 * time linear in text, pages and pictures.
 */
export function withRecognisedText(
  document: Document,
  texts: ReadonlyMap<number, string>,
  pictures: ReadonlyMap<number, RecognisedPicture> = new Map(),
): Document {
  return withPictureTexts(withPageTexts(document, texts), pictures);
}

function withPageTexts(document: Document, texts: ReadonlyMap<number, string>): Document {
  const insertions: Insertion[] = [];
  for (const { number, end } of document.pages ?? []) {
    const text = asMarkdown(texts.get(number) ?? "");
    if (text !== "") insertions.push({ at: end, text, page: number, image: Infinity });
  }
  if (insertions.length === 0) return document;
  const { emptyPages: empty = [], ...rest } = document;
  const emptyPages = empty.filter((number) => !texts.get(number)?.trim());
  return {
    ...inserted(rest, insertions),
    ...given({ emptyPages }),
    recognised: insertions.map(({ page }) => page),
  };
}

function withPictureTexts(
  document: Document,
  pictures: ReadonlyMap<number, RecognisedPicture>,
): Document {
  const { text, images = [], pages = [] } = document;
  const ends = new Map(pages.map(({ number, end }) => [number, end]));
  let at = 0;
  const insertions = images.flatMap((image, i): Insertion[] => {
    const recognised = asMarkdown(pictures.get(i + 1)?.text ?? "");
    if (recognised === "") return [];
    const end = image.page === undefined ? undefined : ends.get(image.page);
    at = Math.max(at, Math.min(placeBelow(text, image), end ?? Infinity));
    return [{ at, text: recognised, page: image.page ?? 0, image: i }];
  });
  if (insertions.length === 0) return document;
  const { emptyPages: empty = [], ...rest } = inserted(document, insertions);
  const withText = new Set(insertions.map(({ page }) => page));
  return { ...rest, ...given({ emptyPages: empty.filter((page) => !withText.has(page)) }) };
}

/** Returns the offset below a picture in normalised Markdown and its caption, where no paragraph is divided. */
function placeBelow(text: string, { at, caption: own }: Image): number {
  const caption = captionNear(text, at);
  let below = caption !== undefined && caption.start >= at ? caption.end : at;
  const isInLine = below > 0 && text[below - 1] !== "\n" || own !== undefined && text.startsWith("![", at);
  if (isInLine) below = text.indexOf("\n", below) + 1 || text.length;
  return below;
}

/** Returns recognised text as blocks of normalised Markdown. */
function asMarkdown(recognised: string): string {
  const builder = new MarkdownBuilder();
  for (const paragraph of recognised.split(/\n{2,}/)) builder.paragraph(paragraph);
  return builder.finish().text;
}

/** Text that is inserted into a document. */
interface Insertion {
  readonly at: number;
  readonly text: string;
  /** Number of the page that it belongs to. */
  readonly page: number;
  /** Index of the picture that it was recognised in; infinite for a whole page. */
  readonly image: number;
}

/** An insertion with the blank lines that separate it from the text around it. */
interface Placed extends Insertion {
  /** Where its text, without blank lines, lies in the new text. */
  readonly start: number;
  readonly end: number;
  /** UTF-16 units of this text and all that is inserted before it. */
  readonly total: number;
}

function inserted(document: Document, insertions: readonly Insertion[]): Document {
  const { pages, images, rows } = document;
  const { text, placed } = insertedText(document.text, insertions);
  /** Returns where an offset lies now, behind the insertions at it that `isBefore` accepts. */
  const shifted = (offset: number, isBefore: (insertion: Insertion) => boolean = () => true) =>
    offset + (placed[countUpTo(placed, offset, isBefore) - 1]?.total ?? 0);
  const ofImages = new Map(placed.map(({ image, start, end }) => [image, [start, end] as const]));
  return {
    ...document,
    text,
    sections: document.sections.map((section) => ({
      ...section,
      start: shifted(section.start),
      // Text that is inserted at the end of a heading follows it.
      headingEnd: shifted(section.headingEnd, () => section.start === section.headingEnd),
      end: shifted(section.end),
    })),
    ...given({
      pages: pages?.map((page): Page => ({
        ...page,
        start: shifted(page.start, (insertion) => insertion.page < page.number),
        end: shifted(page.end, (insertion) => insertion.page <= page.number),
      })),
      images: images?.map((image, i): Image => ({
        ...image,
        at: shifted(image.at, (insertion) => insertion.image < i || insertion.image === Infinity),
        ...given({ recognised: ofImages.get(i) }),
      })),
      rows: rows && shiftedRows(rows, document.text, text, placed),
    }),
  };
}

/** Inserts texts, and blank lines around them where there are none. */
function insertedText(
  text: string,
  insertions: readonly Insertion[],
): { readonly text: string; readonly placed: readonly Placed[] } {
  const parts: string[] = [];
  const placed: Placed[] = [];
  let done = 0, length = 0, total = 0;
  let tail = "";
  const add = (part: string) => {
    parts.push(part);
    length += part.length;
    tail = (tail + part.slice(-2)).slice(-2);
  };
  for (const insertion of insertions) {
    const { at } = insertion;
    add(text.slice(done, at));
    done = at;
    const before = length;
    if (length > 0 && tail !== "\n\n") add(tail.endsWith("\n") ? "\n" : "\n\n");
    const start = length;
    add(insertion.text);
    const end = length;
    if (at < text.length && text[at] !== "\n") add("\n");
    total += length - before;
    placed.push({ ...insertion, start, end, total });
  }
  add(text.slice(done));
  return { text: parts.join(""), placed };
}

/** Returns the number of insertions before an offset, with those at it that `isBefore` accepts; the accepted ones come first. */
function countUpTo(
  insertions: readonly Insertion[],
  offset: number,
  isBefore: (insertion: Insertion) => boolean,
): number {
  let low = 0, high = insertions.length;
  while (low < high) {
    const middle = (low + high) >> 1, insertion = insertions[middle]!;
    if (insertion.at < offset || insertion.at === offset && isBefore(insertion)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Moves the runs of rows down by the lines that are inserted above them. */
function shiftedRows(
  rows: readonly SheetRows[],
  old: string,
  text: string,
  placed: readonly Placed[],
): SheetRows[] {
  let [line, offset, total, lines, next] = [1, 0, 0, 0, 0];
  /** Line of the next insertion in the old text. */
  const lineOfNext = () => {
    const at = placed[next]?.at;
    if (at === undefined) return Infinity;
    line += lineEnds(old, offset, at);
    offset = at;
    return line;
  };
  let nextLine = lineOfNext();
  return rows.map((run) => {
    // Where a table ends, its end stays above what is inserted.
    while (nextLine < run.line || nextLine === run.line && run.row > 0) {
      const { at, total: after } = placed[next]!;
      lines += lineEnds(text, at + total, at + after);
      total = after;
      next++;
      nextLine = lineOfNext();
    }
    return { ...run, line: run.line + lines };
  });
}

function lineEnds(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
