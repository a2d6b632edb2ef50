/**
 * Loads PDF documents: reads every page, lays it out, finds headings, and writes Markdown.
 * Below it: metadata, bookmarks, and how blocks become paragraphs, list items and code.
 */
import type { PDFDocumentProxy } from "unpdf/pdfjs";
import { type Described, described } from "../metadata.ts";
import { xmpFields } from "../xmp.ts";
import { type Document, DocumentError, type FileName, type Loader } from "../types.ts";
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
import { layOut } from "./layout.ts";
import { readPage } from "./read_page.ts";
import {
  type Face,
  joinLines,
  LEADERS,
  least,
  type Line,
  listMarker,
  type OutlineEntry,
  type PageContent,
  piecesOf,
  type Run,
  textOf,
  toMarkdown,
} from "./lines.ts";
import { MarkdownBuilder } from "../markdown_builder.ts";
import { type PdfPicture, picturesOf, placedPictures } from "./pictures.ts";
import { runningHeads } from "./running_heads.ts";

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
    return documentOf(contents, outline, description, file, { pictures });
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
