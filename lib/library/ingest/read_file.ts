/** Reads one file into chunks, and the next files ahead of it. */
import { posix } from "node:path";
import { type Chunk, chunkDocument, type ChunkOptions } from "#engine/chunk/mod.ts";
import { type FileBytes, junkReason } from "#library/corpus/mod.ts";
import {
  bounded,
  captionNear,
  type Document,
  formatOf,
  mediaByContent,
  placesIn,
  type ReadDocument,
  withPictureLines,
} from "#documents/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { present } from "#foundation/present.ts";
import type { Extractor } from "#library/extract/mod.ts";
import type { FolderFiles } from "#library/archives/mod.ts";
import { contextTexts, type FileRecord, type NewChunk } from "#engine/index/mod.ts";
import { fileError } from "#foundation/boundary/mod.ts";
import type { CompletedDocument, Recogniser } from "./recogniser.ts";
import { isOfStore } from "./recognition.ts";
import type { FileTrace } from "./ingest_trace.ts";
import type { IngestSettings } from "./settings.ts";

/** A file that was read, with its content. */
export interface ReadFile extends Omit<FileBytes, "bytes">, Pick<FileRecord, "path" | "ctimeMs"> {
  /** The document, or the reason why it cannot be read. Absent for a file whose content is already in the index. */
  readonly content?: ReadDocument & Partial<CompletedDocument> | {
    readonly error: unknown;
    readonly format?: string;
  } | {
    readonly skipped: string;
  };
}

/** Input of {@linkcode readFile} beside a file's path. */
interface ReadOptions {
  readonly files: FolderFiles;
  readonly settings: IngestSettings;
  readonly extractor: Extractor;
  /** Completes documents with the text of scanned pages; absent if that is switched off. */
  readonly recogniser?: Recogniser | undefined;
  readonly trace?: FileTrace | undefined;
  /** SHA-256 in hexadecimal of the content in the index. A document with that content is not extracted again. */
  readonly known?: string | undefined;
}

/**
 * Reads a file of the folder and extracts its document. Returns a {@linkcode FileRecord} without chunks if the file cannot
 * be read. Throws the errors of keeping recognised texts.
 */
export async function readFile(
  path: string,
  stat: Pick<FileRecord, "size" | "mtimeMs" | "ctimeMs">,
  { files, settings, known, ...options }: ReadOptions,
): Promise<ReadFile | FileRecord> {
  try {
    const { bytes, ...facts } = await files.read(path);
    // the times of the walk: if the file has changed since, the next run sees that
    const file = { ...facts, path, ...timesOf(stat) };
    if (facts.sha256.toHex() === known) return file;
    return { ...file, content: await contentOf(bytes, file, settings, options) };
  } catch (error) {
    if (isOfStore(error)) throw error;
    return withoutChunks(path, stat, error);
  } finally {
    options.trace?.passed("load");
  }
}

async function contentOf(
  bytes: Uint8Array,
  { path, sha256 }: Pick<ReadFile, "path" | "sha256">,
  { encoding, generated, ignoreImages, ocr, captions }: IngestSettings,
  { extractor, recogniser, trace }: Pick<ReadOptions, "extractor" | "recogniser" | "trace">,
): Promise<NonNullable<ReadFile["content"]>> {
  if (bytes.length === 0) return { skipped: "empty" };
  const format = formatOf(bytes, path);
  try {
    const junk = generated || format !== undefined ? undefined : junkReason(path, bytes);
    if (junk !== undefined) return { skipped: junk };
    const read = await extractor.read(
      bytes,
      present({ path, pictures: ocr || captions, encoding, ignoreImages: ignoreImages || undefined }),
    );
    const document = { bytes, sha256: sha256.toHex(), file: present({ path, encoding }), read };
    trace?.passed("load");
    const completed = await recogniser?.complete(document) ?? read;
    if (recogniser !== undefined) trace?.passed("recognise");
    if (!captions) return completed;
    const withLines = {
      ...completed,
      document: withPictureLines(completed.document, { path }, completed.format),
    };
    trace?.passed("transform");
    return withLines;
  } catch (error) {
    if (isOfStore(error)) throw error;
    if (error instanceof UserError && error.key === "not_text") {
      return { skipped: mediaByContent(bytes) ?? "binary_content" };
    }
    return { error, ...present({ format }) };
  }
}

/** Whether a result of {@linkcode readFile} is the record of a file that could not be read. */
export function isRecord(file: ReadFile | FileRecord): file is FileRecord {
  return "status" in file;
}

/** Splits the document of a file into chunks, or takes the refined ones. Returns a record without chunks if it has no text. */
export function toChunks(
  { content, ...file }: ReadFile,
  chunking: ChunkOptions,
  refined?: { readonly chunks: readonly Chunk[]; readonly refined?: string },
  trace?: FileTrace,
): { record: FileRecord; chunks: readonly NewChunk[] } {
  const { path, size } = file;
  const sha256 = file.sha256.toHex();
  const base = { path, size, ...timesOf(file), sha256 };
  if (content === undefined) throw new Error("the document was not read");
  if ("error" in content) {
    const { error, format } = content;
    return { record: present({ ...withoutChunks(path, base, error), sha256, format }), chunks: [] };
  }
  if ("skipped" in content) {
    return { record: { ...base, status: "skipped", reason: content.skipped }, chunks: [] };
  }
  const { document, format, encoding, isPending, failed, failedPictures, leftPictures } = content;
  const known = present({
    ...base,
    ...factsOf(document, format, path),
    encoding,
    recognition: isPending ? "pending" as const : undefined,
    unrecognised: failed?.size ? [...failed].sort(([a], [b]) => a - b) : undefined,
    unrecognisedImages: failedPictures?.size ? [...failedPictures] : undefined,
    leftImages: leftPictures,
    failedMs: failed?.size ? nowInSeconds() : undefined,
  });
  const pieces = refined?.chunks ?? chunkDocument(document, chunking);
  trace?.passed("split");
  const chunks = newChunks(pieces, document, path);
  trace?.passed("transform");
  if (chunks.length > 0) {
    const images = picturesIn(document, pieces);
    return {
      record: { ...known, ...present({ images, refined: refined?.refined }), status: "indexed" },
      chunks,
    };
  }
  const reason = format === "image" ? "image" : document.emptyPages === undefined ? "empty" : "no_text";
  return { record: { ...known, status: "skipped", reason }, chunks: [] };
}

/**
 * Returns where the pictures of a document stand: at their captions or the text beside them, and inside of a chunk. `undefined` if there are
 * none.
 */
function picturesIn(
  { images = [], text, sections }: Document,
  chunks: readonly Chunk[],
): number[] | undefined {
  if (images.length === 0) return undefined;
  let chunk = 0;
  const placeOf = placesIn(text, sections);
  return images.map(({ at }) => {
    const wanted = captionNear(text, at)?.start ?? placeOf(at);
    while (chunk > 0 && chunks[chunk - 1]!.end > wanted) chunk--;
    while (chunk < chunks.length - 1 && chunks[chunk]!.end <= wanted) chunk++;
    const { start, end } = chunks[chunk]!;
    return Math.max(start, Math.min(wanted, end - 1));
  });
}

/** Returns the pictures with recognised text, and where that text stands; `undefined` if there are none. */
function recognisedIn({ images = [] }: Document): FileRecord["recognisedImages"] {
  const found = images.flatMap(({ recognised }, i) =>
    recognised === undefined ? [] : [[i + 1, ...recognised] as const]
  );
  return found.length > 0 ? found : undefined;
}

/** Returns the facts about a document that the index stores beside its chunks. */
function factsOf(
  document: Document,
  format: ReadDocument["format"],
  path: string,
): Partial<FileRecord> {
  const { title, metadata, links, pages, pageUnit, emptyPages, rows, recognised } = document;
  return present({
    format: format === "text" ? undefined : format,
    title,
    metadata: metadata && bounded(metadata),
    links: links && linksFrom(path, links),
    // Sheets without text have no page, so the last number may be greater than the number of pages.
    pages: pages && Math.max(pages.length, pages.at(-1)?.number ?? 0),
    pageUnit,
    emptyPages,
    rows,
    recognised,
    recognisedImages: recognisedIn(document),
  });
}

/** UTF-16 units of all links of a file that the index keeps. */
const MOST_LINK_UNITS = 8_000;

/** Returns the links of the file at `path` with relative ones as paths from the folder. One that leads out of it stays as it is. */
function linksFrom(path: string, links: readonly string[]): string[] {
  let left = MOST_LINK_UNITS;
  const found = links.map((link) => {
    if (!/^\.{1,2}\//.test(link)) return link;
    const target = posix.join(posix.dirname(path), link).replace(/\/+$/, "");
    return target.startsWith("../") ? link : `/${target}`;
  });
  return [...new Set(found)].filter((link) => (left -= link.length + 3) >= 0);
}

/** Returns the times of a file, without absent ones. */
export function timesOf({ mtimeMs, ctimeMs }: Pick<FileRecord, "mtimeMs" | "ctimeMs">) {
  return present({ mtimeMs, ctimeMs });
}

/** Returns the chunks of a document as they are indexed. */
function newChunks(pieces: readonly Chunk[], document: Document, path: string): NewChunk[] {
  const { text, title, metadata } = document;
  const file = present({ path, title, metadata });
  // A blank line keeps the last character of one and the first of the next from becoming a pair.
  const contextOf = (section: readonly string[], isFirst: boolean) =>
    contextTexts(file, section, isFirst).join("\n\n");
  let context = "", before: readonly string[] | undefined;
  return pieces.map((piece, i) => {
    // The first chunk has another context than the others of its section.
    if (i < 2 || piece.section !== before) context = contextOf(piece.section, i === 0);
    before = piece.section;
    return new DocumentChunk(piece, text, context);
  });
}

/** A chunk that takes its text from its document. A class, because a run makes many, and to spread optional parts into objects takes longer. */
class DocumentChunk implements NewChunk {
  readonly context: string;
  readonly start: number;
  readonly end: number;
  readonly startLine: number;
  readonly endLine: number;
  readonly section: readonly string[];
  declare readonly page?: number;
  declare readonly pages?: NonNullable<Chunk["pages"]>;
  declare readonly hasLead?: boolean;
  readonly #document: string;
  readonly #lead: string | undefined;

  constructor(
    { start, end, startLine, endLine, section, page, pages, lead }: Chunk,
    document: string,
    context: string,
  ) {
    this.context = context;
    this.start = start;
    this.end = end;
    this.startLine = startLine;
    this.endLine = endLine;
    this.section = section;
    if (page !== undefined) this.page = page;
    if (pages !== undefined) this.pages = pages;
    if (lead !== undefined) this.hasLead = true;
    this.#document = document;
    this.#lead = lead;
  }

  get text(): string {
    const text = this.#document.slice(this.start, this.end);
    return this.#lead === undefined ? text : `${this.#lead}\n${text}`;
  }
}

/** Returns the record of a file that gave no text. The error `not_text` makes it skipped, any other error failed. */
export function withoutChunks(
  path: string,
  { size, ...stat }: Pick<FileRecord, "size" | "mtimeMs" | "ctimeMs">,
  error: unknown,
): FileRecord {
  const base = { path, size, ...timesOf(stat), sha256: "" };
  const { key, params } = fileError(error, path);
  if (key === "not_text") {
    return { ...base, status: "skipped", reason: String(params["kind"] ?? "binary_content") };
  }
  return { ...base, status: "failed", reason: key, detail: params, failedMs: nowInSeconds() };
}

/** Milliseconds since 1970, in whole seconds. */
function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000) * 1000;
}

/** Items that are read or wait to be taken, at most. */
const AHEAD_FILES = 8;
/** Bytes of these items, at most; a larger item is read alone. */
const AHEAD_BYTES = 32 * 1024 * 1024;

/** Reads items in order before they are taken, so that work on one item hides the wait for the next. */
export class ReadAhead<Item extends { readonly size: number }, Result> {
  readonly #items: readonly Item[];
  readonly #read: (item: Item) => Promise<Result>;
  readonly #waiting = new Map<Item, Promise<Result>>();
  #next = 0;
  #bytes = 0;

  constructor(items: readonly Item[], read: (item: Item) => Promise<Result>) {
    this.#items = items;
    this.#read = read;
  }

  /** Returns the result for `item`, or throws the error of reading it. Items must be taken in their order. */
  async take(item: Item): Promise<Result> {
    this.#fill();
    const result = await this.#waiting.get(item)!;
    this.#waiting.delete(item);
    this.#bytes -= item.size;
    return result;
  }

  #fill(): void {
    while (this.#next < this.#items.length && this.#waiting.size < AHEAD_FILES) {
      const item = this.#items[this.#next]!;
      if (this.#waiting.size > 0 && this.#bytes + item.size > AHEAD_BYTES) return;
      this.#next++;
      this.#bytes += item.size;
      const result = this.#read(item);
      // The error is thrown when the item is taken. After an earlier error it never is.
      result.catch(() => {});
      this.#waiting.set(item, result);
    }
  }
}
