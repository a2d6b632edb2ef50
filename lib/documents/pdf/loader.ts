/**
 * Loads PDF documents: reads every page, lays it out, finds headings, and writes Markdown.
 * Below it: metadata, bookmarks, how blocks become paragraphs, list items and code, and running heads, which are left out.
 */
import type { PDFDocumentProxy } from "unpdf/pdfjs";
import { type Described, described } from "../metadata.ts";
import { xmpFields } from "../xmp.ts";
import { type Document, DocumentError, type FileName, kept, type Loader } from "../types.ts";
import {
  type Block,
  blocksOf,
  blockText,
  headingsOf,
  joinContinuations,
  type PageBlocks,
  type TextBlock,
  withHeads,
} from "./blocks.ts";
import { documentError, openPdf } from "../pdfjs.ts";
import { FARTHEST, type Grid, gridsOf, layOut } from "./layout.ts";
import { readPage } from "./read_page.ts";
import {
  type Face,
  joinLines,
  LEADERS,
  least,
  type Line,
  linesOf,
  listMarker,
  type OutlineEntry,
  type PageContent,
  piecesOf,
  rowsOf,
  type Run,
  textOf,
  toMarkdown,
} from "./lines.ts";
import { MarkdownBuilder } from "../markdown_builder.ts";
import { type PdfPicture, picturesOf, placedPictures } from "./pictures.ts";

/** Most pages of a document. A file with more is an attack or a collection. */
const MOST_PAGES = 10_000;
/** Most text runs of a document. */
const MOST_RUNS = 2_000_000;

/** PDF documents, read with pdf.js. */
export const loader: Loader = {
  async load(bytes: Uint8Array<ArrayBuffer>, file: FileName): Promise<Document> {
    const { contents, outline, description } = await read(bytes);
    const hasEmptyPage = contents.some(({ layers }) => layers.every(({ runs }) => runs.length === 0));
    const pictures = await picturesOf(bytes, file, { hasEmptyPage });
    return documentOf(contents, outline, description, file, { pictures: pictures });
  },
};

/**
 * Returns the document of pages that are not laid out yet: those of a PDF, or of another format with fixed pages. `keepsFirst`:
 * running heads are kept where they stand first.
 */
export function documentOf(
  contents: readonly PageContent[],
  outline: readonly OutlineEntry[],
  description: Described,
  file: FileName,
  { pictures = new Map(), keepsFirst = false }: {
    readonly pictures?: ReadonlyMap<number, readonly PdfPicture[]>;
    readonly keepsFirst?: boolean;
  } = {},
): Document {
  const heads = runningHeads(contents, keepsFirst);
  const pages: PageBlocks[] = contents.map(({ layers }, i) => ({
    page: i + 1,
    blocks: layers.flatMap((layer) =>
      layOut({ ...layer, runs: layer.runs.filter((run) => !heads.has(run)) }).flatMap(blocksOf)
    ),
  }));
  const headings = headingsOf(pages, outline);
  const written = withHeads(joinContinuations(pages, headings), headings);
  const builder = new MarkdownBuilder(file);
  return writeDocument(written, { contents, headings, description, pictures, builder });
}

/** Reads everything in a file that is needed before its pages are laid out. */
async function read(bytes: Uint8Array) {
  const { OPS } = await import("unpdf/pdfjs");
  const pdf = await openPdf(bytes);
  try {
    if (pdf.numPages > MOST_PAGES) {
      throw new DocumentError(
        "too_complex",
        `the PDF has ${pdf.numPages} pages; ${MOST_PAGES} are read at most`,
      );
    }
    const contents: PageContent[] = [];
    const faces = new Map<string, Face>();
    let runs = 0;
    let failure: unknown;
    for (let number = 1; number <= pdf.numPages; number++) {
      let content: PageContent = { height: 0, layers: [] };
      try {
        content = await readPage(await pdf.getPage(number), OPS, faces);
      } catch (error) {
        if (error instanceof DocumentError) throw error;
        // The other pages may be readable.
        failure ??= error;
      }
      contents.push(content);
      runs += content.layers.reduce((sum, layer) => sum + layer.runs.length, 0);
      if (runs > MOST_RUNS) {
        throw new DocumentError("too_complex", `the PDF contains more than ${MOST_RUNS} pieces of text`);
      }
    }
    if (runs === 0 && failure !== undefined) throw failure;
    return { contents, outline: await readOutline(pdf), description: await readMetadata(pdf) };
  } catch (error) {
    throw documentError(error);
  } finally {
    await pdf.loadingTask.destroy();
  }
}

/** Custom fields that say nothing about the content. */
const OF_PROGRAMS = /^(?:PTEX|GTS_|Trapped|OneVision|SourceModified|AssetID|complianceProfile)/;

/** Returns title and metadata of a PDF. Empty if they are broken. */
async function readMetadata(pdf: PDFDocumentProxy): Promise<Described> {
  let info: Record<string, unknown>;
  let packet: string;
  try {
    const about = await pdf.getMetadata();
    info = about.info as Record<string, unknown>;
    packet = about.metadata?.getRaw() ?? "";
  } catch {
    return {};
  }
  const xmp = xmpFields(packet);
  const text = (key: string) => {
    const value = info[key];
    return typeof value === "string" ? value.replace(/\0/g, "").trim() : "";
  };
  const title = text("Title");
  // XMP has a list of authors where the older fields have a text.
  const author = xmp.some(([name, value]) => name === "authors" && [value].flat().length > 0)
    ? ""
    : text("Author");
  return described([
    ["title", isMadeUpTitle(title) ? "" : title],
    ["author", author],
    ["created", text("CreationDate")],
    ["modified", text("ModDate")],
    ["language", text("Language")],
    ["keywords", text("Keywords")],
    ["description", text("Subject")],
    ...[...xmp, ...Object.entries(info.Custom ?? {})].filter(([name, value]) =>
      !OF_PROGRAMS.test(name) && (name !== "title" || !isMadeUpTitle(String(value)))
    ),
  ]);
}

/** Returns whether a title is a file name or meaningless: programs write that. */
function isMadeUpTitle(title: string): boolean {
  return /^(?:untitled|microsoft word|无标题|document\d*$)/i.test(title) ||
    /\.(?:docx?|pptx?|xlsx?|tex|dvi|pdf|indd|odt|qxd|html?|ps|rtf|fm)$/i.test(title);
}

const MOST_BOOKMARKS = 5_000;
const DEEPEST_BOOKMARK = 10;

type Node = Awaited<ReturnType<PDFDocumentProxy["getOutline"]>>[number];

/** Returns the bookmarks of a file in document order. Empty if they are broken. */
async function readOutline(pdf: PDFDocumentProxy): Promise<OutlineEntry[]> {
  const entries: OutlineEntry[] = [];
  try {
    await add(await pdf.getOutline() ?? [], 1);
  } catch {
    // A broken outline counts as missing.
  }
  return entries;

  async function add(nodes: readonly Node[], level: number): Promise<void> {
    for (const { title, dest, items } of nodes) {
      if (entries.length >= MOST_BOOKMARKS) return;
      const page = await pageOf(pdf, dest);
      if (title?.trim()) entries.push({ title: title.trim(), level, page });
      if (level < DEEPEST_BOOKMARK && items?.length > 0) await add(items, level + 1);
    }
  }
}

async function pageOf(pdf: PDFDocumentProxy, dest: unknown): Promise<number | undefined> {
  try {
    const explicit = typeof dest === "string" ? await pdf.getDestination(dest) : dest;
    if (!Array.isArray(explicit)) return undefined;
    const [target] = explicit;
    if (typeof target === "number") return target + 1;
    return target === null || target === undefined ? undefined : await pdf.getPageIndex(target) + 1;
  } catch {
    return undefined;
  }
}

/** Writes the blocks of all pages as Markdown. */
function writeDocument(
  pages: readonly PageBlocks[],
  { contents, headings, description, pictures, builder }: {
    readonly contents: readonly PageContent[];
    readonly headings: ReadonlyMap<TextBlock, number>;
    readonly description: Described;
    readonly pictures: ReadonlyMap<number, readonly PdfPicture[]>;
    readonly builder: MarkdownBuilder;
  },
): Document {
  const emptyPages: number[] = [];
  const words = vocabularyOf(pages);
  for (const { page, blocks } of pages) {
    builder.page(page);
    const before = builder.length;
    const depths = new Depths();
    const placed = placedPictures(pictures.get(page) ?? [], blocks);
    for (const [i, block] of [...blocks, undefined].entries()) {
      for (const picture of placed.get(i) ?? []) builder.image(undefined, picture);
      if (block === undefined) break;
      if (block.kind === "table") builder.table(block.table.rows);
      else writeText(builder, block, headings.get(block), depths.of(block), words);
    }
    for (const text of contents[page - 1]?.annotations ?? []) builder.paragraph(text);
    if (builder.length === before) emptyPages.push(page);
  }
  return builder.finish({ ...description, emptyPages });
}

function writeText(
  builder: MarkdownBuilder,
  block: TextBlock,
  level: number | undefined,
  depth: number,
  words: ReadonlySet<string>,
): void {
  if (level !== undefined) return builder.heading(level, blockText(block));
  if (block.kind === "code") {
    const code = codeText(block.lines);
    // A defined term, or a name on a line by itself.
    return /^[\w .:-]{1,40}$/.test(code) ? builder.paragraph(code) : builder.code(code);
  }
  if (block.lines.some((line) => LEADERS.test(textOf(line)))) {
    const lines = block.lines.map((line) => toMarkdown(piecesOf(line)).replace(LEADERS, " … "));
    return builder.paragraph(lines.map((line) => line.replace(/ {2,}/g, " ")).join("\n"));
  }
  const markdown = toMarkdown(joinLines(block.lines.map(piecesOf), words));
  const marker = listMarker(markdown);
  if (marker === undefined || marker.length === 0) builder.paragraph(markdown);
  else builder.item({ depth, number: marker.number, text: markdown.slice(marker.length) });
}

/** Nesting levels of consecutive list items, by indentation. */
class Depths {
  #lefts: number[] = [];

  /** Returns the level of a block; 0 for a block that is not a list item, after which lists start again. */
  of(block: Block): number {
    if (block.kind !== "text" || listMarker(textOf(block.lines[0]!)) === undefined) {
      this.#lefts = [];
      return 0;
    }
    const { left, size } = block.lines[0]!;
    while (this.#lefts.length > 0 && left < this.#lefts.at(-1)! - 0.5 * size) this.#lefts.pop();
    if (this.#lefts.length === 0 || left > this.#lefts.at(-1)! + 0.5 * size) this.#lefts.push(left);
    return this.#lefts.length - 1;
  }
}

/** Returns the text of lines in a monospaced font, with their indentation and gaps. */
function codeText(lines: readonly Line[]): string {
  const width = characterWidth(lines);
  const left = least(lines.map((line) => line.left));
  return lines.map((line) => width === undefined ? textOf(line) : codeOnGrid(line.runs, left, width)).join(
    "\n",
  );
}

function codeOnGrid(runs: readonly Run[], left: number, width: number): string {
  let text = "";
  for (const run of runs.toSorted((a, b) => a.left - b.left)) {
    const column = Math.min(400, Math.round((run.left - left) / width));
    const least = text === "" || !run.blankLeft ? text.length : text.length + 1;
    text = text.padEnd(Math.max(least, column)) + run.text;
  }
  return text.trimEnd();
}

function characterWidth(lines: readonly Line[]): number | undefined {
  const widths = lines.flatMap(({ runs }) => runs)
    .filter(({ text }) => text.length > 3 && /^[\x20-\x7e]+$/.test(text))
    .map(({ left, right, text }) => (right - left) / text.length).sort((a, b) => a - b);
  const width = widths[widths.length >> 1];
  return width !== undefined && width > 0.5 ? width : undefined;
}

/** Most words that are kept. */
const MOST_WORDS = 500_000;
const WORD = /\p{L}[\p{L}\p{N}]*(?:[-\u2010]\p{L}[\p{L}\p{N}]*)*/gu;

/**
 * Returns the words inside the lines of a document in lower case. They show how a word is written that the end of a line
 * divides.
 */
function vocabularyOf(pages: readonly PageBlocks[]): Set<string> {
  const words = new Set<string>();
  for (const { blocks } of pages) {
    for (const block of blocks) {
      if (block.kind !== "text") continue;
      for (const line of block.lines) {
        const text = textOf(line);
        // The first and the last word may be parts of words.
        const whole = text.replace(/^\S+\s?/, "").replace(/\S+[-\u2010\u00AD]$/, "");
        for (const [word] of whole.matchAll(WORD)) {
          if (words.size < MOST_WORDS) words.add(word.toLowerCase().replaceAll("\u2010", "-"));
        }
      }
    }
  }
  return words;
}

/** Share of the page height, at top and bottom, that may contain running heads. */
const MARGIN = 0.14;
/** Lines from the edge that are examined. */
const LINES_DEEP = 3;
/** Share of the page height, beyond the margin, in which the rows next to those lines are. */
const BEYOND = 0.1;
/** Documents with this many pages or fewer show no repetition. */
const FEW_PAGES = 2;
/** Largest distance, in pages, of a head from its next occurrence. */
const PAGES_APART = 3;

const NUMERAL = String.raw`(?:\d{1,4}|[ivxlc]{1,7}|[A-Z]-\d{1,3}|\d{1,2}[-.–]\d{1,3})`;
/** Matches a page number on a line by itself, as in a margin. */
const PAGE_NUMBER = new RegExp(
  String
    .raw`^[-–—|\s·•]*(?:(?:page|seite|p\.|第)\s*)?${NUMERAL}\s*(?:(?:of|/|sur|von)\s*\d{1,4}|页|頁)?(?:\s*[,，/]?\s*共\s*\d+\s*[页頁])?[-–—|\s·•]*$`,
  "i",
);

/** Matches a page number with a word that says so. */
const SAYS_PAGE =
  /^(?:(?:page|seite|página|pagina)\s*\d+\b.{0,15}|第\s*\d+\s*[页頁].{0,12}|\d+\s*\/\s*\d+)$/i;

interface Edge {
  readonly page: number;
  readonly runs: readonly Run[];
  readonly text: string;
  readonly key: string;
  /** Distance from the top of the page, or from its bottom in the lower margin. */
  readonly at: number;
  readonly upper: boolean;
  /** Index among the lines from the edge, from 0. */
  readonly rank: number;
  /** Distance to the next line inwards, in font sizes. */
  readonly apart: number;
  /** The line and the two next ones inwards, as the pieces between wide gaps. */
  readonly rows: readonly (readonly Line[])[];
}

/**
 * Returns the runs of running heads, footers and page numbers. These are lines in a margin that repeat at the same height on
 * a nearby page, apart from numbers in them; lines that count the pages; and page numbers on a line by themselves.
 * `keepsFirst`: without the first of those that say more than a number.
 */
function runningHeads(pages: readonly PageContent[], keepsFirst = false): Set<Run> {
  const edges = pages.flatMap(edgesOf);
  const found = new Set<Run>();
  const seen = new Set<string>();
  const mark = ({ runs, text, key }: Edge) => {
    const isKept = keepsFirst && !seen.has(key) && !PAGE_NUMBER.test(text) && !SAYS_PAGE.test(text);
    seen.add(key);
    if (!isKept) runs.forEach((run) => found.add(run));
  };
  const marked = new Set<Edge>();
  for (const list of Map.groupBy(edges, ({ upper, key }) => `${upper} ${key}`).values()) {
    for (let i = 1; i < list.length; i++) {
      for (let j = i - 1; j >= 0 && list[i]!.page - list[j]!.page <= PAGES_APART; j--) {
        if (list[i]!.page !== list[j]!.page && Math.abs(list[i]!.at - list[j]!.at) < 4) {
          marked.add(list[i]!).add(list[j]!);
        }
      }
    }
  }
  for (const edge of counted(edges)) marked.add(edge);
  for (const edge of edges) if (PAGE_NUMBER.test(edge.text)) marked.add(edge);
  if (pages.length <= FEW_PAGES) {
    for (const edge of edges) if (isNumbered(edge, pages[edge.page]!)) marked.add(edge);
  }
  for (const edge of besideMarked(edges, marked)) marked.add(edge);
  const placeOf = ({ page, upper }: Edge, rank: number) => `${page} ${upper} ${rank}`;
  const byPlace = new Map(edges.map((edge) => [placeOf(edge, edge.rank), edge]));
  const grids = new Map<number, Grid[]>();
  for (const edge of edges.filter((one) => marked.has(one)).sort((a, b) => b.rank - a.rank)) {
    const next = byPlace.get(placeOf(edge, edge.rank + 1));
    if (next !== undefined && marked.has(next)) continue;
    const own = kept(grids, edge.page, () => gridsOf(pages[edge.page]!.layers[0]!.rules));
    if (isRow(edge, own)) marked.delete(edge);
  }
  // From the edge inwards: lines behind body text are body text.
  const depth = new Map<string, number>();
  for (const edge of edges) {
    const key = `${edge.page} ${edge.upper}`;
    if (!marked.has(edge)) continue;
    if (edge.rank === (depth.get(key) ?? 0)) depth.set(key, edge.rank + 1);
    else if (!SAYS_PAGE.test(edge.text)) continue;
    mark(edge);
  }
  // If nothing else is left, the lines are body text.
  return pages.every(({ layers }) => layers.every(({ runs }) => runs.every((run) => found.has(run))))
    ? new Set()
    : found;
}

/** Returns whether a line is a row of a table that the next line inwards, which is body text, belongs to. */
function isRow({ rows: [row, next, second] }: Edge, grids: readonly Grid[]): boolean {
  if (row === undefined || next === undefined) return false;
  const y = ([line]: readonly Line[]) => line!.baseline - 0.3 * line!.size;
  const isIn = (line: readonly Line[]) => ({ top, bottom }: Grid) => top <= y(line) && y(line) <= bottom;
  if (grids.some((grid) => isIn(row)(grid) && isIn(next)(grid))) return true;
  if (Math.min(row.length, next.length) < 2) return false;
  const [few, many] = row.length < next.length ? [row, next] : [next, row];
  const places = few.map((line) =>
    many.findIndex((other) => line.left < other.right && other.left < line.right)
  );
  if (places.some((at, i) => at < 0 || places.indexOf(at) < i)) return false;
  const apart = Math.abs(next[0]!.baseline - row[0]!.baseline);
  const usual = second === undefined ? Infinity : Math.abs(second[0]!.baseline - next[0]!.baseline);
  return apart <= Math.min(FARTHEST * row[0]!.size, 1.5 * usual);
}

/** Returns whether a line at the edge of a page stands apart and begins or ends with the page number. */
function isNumbered({ at, rank, apart, text }: Edge, { height }: PageContent): boolean {
  return rank === 0 && at < 0.09 * height && apart > 3 && text.length <= 90 &&
    numbersOf(text).some((number) => number > 9 && number < 2000);
}

/**
 * Returns the outermost lines at a height where most lines are running heads, such as the head of a chapter with a single
 * page.
 */
function besideMarked(edges: readonly Edge[], marked: ReadonlySet<Edge>): Edge[] {
  const places = Map.groupBy(
    edges.filter(({ rank }) => rank === 0),
    ({ upper, at, runs }) => `${upper} ${Math.round(at)} ${Math.round(runs[0]!.size)}`,
  );
  return [...places.values()].flatMap((list) => {
    const heads = list.filter((edge) => marked.has(edge)).length;
    return heads >= 3 && heads >= 0.5 * list.length ? list : [];
  });
}

/** Returns the lines whose first or last number increases with the pages. */
function counted(edges: readonly Edge[]): Edge[] {
  const offsets = (edge: Edge) => numbersOf(edge.text).map((number) => `${edge.upper} ${number - edge.page}`);
  const votes = Map.groupBy(
    edges.flatMap((edge) => offsets(edge).map((key) => ({ key, edge }))),
    ({ key }) => key,
  );
  const isStrong = (key: string) => new Set(votes.get(key)!.map(({ edge }) => edge.page)).size >= 3;
  const strong = new Set([...votes.keys()].filter(isStrong));
  return edges.filter((edge) => offsets(edge).some((key) => strong.has(key)));
}

function numbersOf(text: string): number[] {
  const words = text.split(/\s+/);
  return [...new Set([words[0], words.at(-1)])].filter((word) => word !== undefined && /^\d{1,5}$/.test(word))
    .map(Number);
}

/** Returns the lines in the margins of a page, from the edges inwards. */
function edgesOf({ height, layers }: PageContent, page: number): Edge[] {
  const main = layers[0];
  if (main === undefined) return [];
  const within = MARGIN + BEYOND;
  const near = main.runs.filter(({ baseline, size }) =>
    baseline < within * height + size || baseline > (1 - within) * height
  );
  if (near.length === 0) return [];
  const rows = rowsOf(linesOf(near));
  const edges: Edge[] = [];
  const add = (side: typeof rows, upper: boolean, inwards: typeof rows) => {
    side.slice(0, LINES_DEEP).forEach((row, rank) => {
      const runs = row.toSorted((a, b) => a.left - b.left).flatMap((line) => line.runs);
      const text = textOf({ runs });
      const key = text.replace(/\d+/g, "#").replace(/\b[ivxlc]+\b/gi, "#").replace(/\s+/g, " ").trim();
      const baseline = row[0]!.baseline, next = side[rank + 1]?.[0]?.baseline;
      const apart = next === undefined ? Infinity : Math.abs(next - baseline) / row[0]!.size;
      const at = upper ? baseline : height - baseline;
      edges.push({ page, runs, text, key, at, upper, rank, apart, rows: inwards.slice(rank, rank + 3) });
    });
  };
  const isUpper = (row: readonly Line[]) => row[0]!.baseline < MARGIN * height + row[0]!.size;
  const isLower = (row: readonly Line[]) => row[0]!.baseline > (1 - MARGIN) * height;
  add(rows.filter(isUpper), true, rows);
  add(rows.filter(isLower).reverse(), false, rows.toReversed());
  return edges;
}
