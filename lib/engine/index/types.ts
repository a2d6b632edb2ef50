/**
 * The records that an index stores of files and chunks, and the reasons why a file has no text.
 */
import type { Metadata, SheetRows } from "#documents/types.ts";
import type { Chunk } from "#engine/chunk/mod.ts";
import { type Language, message, type MessageKey, MESSAGES, pageList } from "#foundation/messages/mod.ts";

/** A piece of a document on its way into the index. The chunks of a file come in ascending order and may overlap. */
export interface NewChunk extends Omit<Chunk, "lead"> {
  /** The text that is found and shown. Not empty. */
  readonly text: string;
  /** Words that are indexed with the chunk but are not in its text, such as headings and the file's name. */
  readonly context: string;
  /** Whether the text begins with lines that are not at `start`: the head of a table. */
  readonly hasLead?: boolean;
}

/** A file's record in the index. Times are milliseconds since 1970, sizes bytes. */
export interface FileRecord {
  /** Path relative to the folder, with `/` as its separator. */
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  /**
   * Time of the last change of content, name or permissions, in whole seconds. Unlike `mtimeMs`, it cannot be set back.
   * Absent if the system does not provide it, and in indexes of earlier versions.
   */
  readonly ctimeMs?: number;
  /** SHA-256 of the bytes in hexadecimal; empty if the file could not be read. */
  readonly sha256: string;
  /** `indexed`, or the reason why the file has no chunks. */
  readonly status: "indexed" | "skipped" | "failed";
  /** Name of the reason if the status is not `indexed`; else the reason why the text is that of an earlier run. */
  readonly reason?: string;
  /** Parameters of the reason's text. */
  readonly detail?: Readonly<Record<string, string | number>>;
  /** Encoding that the text was decoded from. */
  readonly encoding?: string;
  /** Name of the format that a loader read; absent for plain text and markup. */
  readonly format?: string;
  readonly title?: string;
  /** The document's account of itself; absent if it has none. */
  readonly metadata?: Metadata;
  /** Title and metadata by its own account, where those above are completed by a bibliography beside it. */
  readonly own?: { readonly title?: string; readonly metadata?: Metadata };
  /**
   * Other files that the document links to: a path from the folder as `/notes/a.md`, or the name of a note. Absent if there are
   * none.
   */
  readonly links?: readonly string[];
  /** Number of pages, and the pages without text; absent if the format has no pages. */
  readonly pages?: number;
  /** The kind of the pages: `slide`, `sheet` …; absent for pages. */
  readonly pageUnit?: string;
  readonly emptyPages?: readonly number[];
  /** The rows of sheets by the lines of the text; absent if there are none. */
  readonly rows?: readonly SheetRows[];
  /** Numbers of the pages whose text was recognised in a picture; absent if there are none. */
  readonly recognised?: readonly number[];
  /** Where its pictures stand, in their order: offsets in the document's text, each inside of a chunk. Absent without pictures. */
  readonly images?: readonly number[];
  /** The pictures whose text was recognised, with the offsets of that text, the end exclusive. Absent if there are none. */
  readonly recognisedImages?: readonly (readonly [image: number, start: number, end: number])[];
  /** Set while text may still be recognised in its scanned pages and pictures. */
  readonly recognition?: "pending";
  /** The pages whose text could not be recognised when it was last tried, and why. */
  readonly unrecognised?: readonly (readonly [page: number, reason: string])[];
  /** The same for its pictures, and the number of those beyond the limits of a document. */
  readonly unrecognisedImages?: readonly (readonly [image: number, reason: string])[];
  readonly leftImages?: number;
  /** Of an archive whose files are in the index, too: a text that differs if the rules choose other ones of them. */
  readonly archive?: string;
  /** When the file failed, in whole seconds; absent for a file that was read without a problem. */
  readonly failedMs?: number;
}

/** A file of an index with the numbers of its chunks. */
export interface StoredFile extends FileRecord {
  readonly firstChunk: number;
  readonly chunkCount: number;
}

/** A file's record without the numbers of its chunks, which differ from index to index. */
export function recordOf(file: FileRecord | StoredFile): FileRecord {
  const { firstChunk: _, chunkCount: __, ...record } = file as StoredFile;
  return record;
}

/** A chunk as stored, without its text. */
export interface StoredChunk extends Omit<NewChunk, "text" | "context" | "hasLead"> {
  /** Number of its file in the file table. */
  readonly file: number;
  /** Tokens of text and context: the length that BM25 uses. */
  readonly tokens: number;
  /** One of `LANGUAGE_CODES`. */
  readonly language: number;
}

/** Metadata of an index. */
export interface IndexMeta {
  /** Version of the tokenizer that made the terms. */
  readonly tokenizer: number;
  /** All other settings that the chunks depend on, as one string. If it differs, every file must be processed again. */
  readonly settings: string;
  /** Version of the program that wrote it. */
  readonly program: string;
  /** When it was written, ISO 8601. */
  readonly indexedAt: string;
  /** Real path of the folder that the index was made for. */
  readonly root: string;
  /** Number of files and folders left out, by reason. Absent in indexes of earlier versions. */
  readonly leftOut?: Readonly<Record<string, number>>;
}

/** Reasons for skipping a file that may contain an answer. */
const UNREAD: ReadonlySet<string> = new Set(["no_text", "no_loader", "too_large"]);
/** Number of example paths for each kind. */
const NAMED = 3;
/** A list of page numbers of more UTF-16 units is replaced by their number. */
const MAX_PAGE_LIST = 40;

/** Files of one format that were not read for one reason. */
export interface FileKind {
  readonly reason: string;
  /** See {@linkcode FileRecord.format}. */
  readonly format?: string;
  readonly count: number;
  /** The first paths. */
  readonly paths: readonly string[];
}

/**
 * Returns whether a file may contain an answer but could not be read: it failed, is a scan or too large, or its format has
 * no loader. Files that the user excludes, media, and generated texts do not count.
 */
export function isUnread({ status, reason }: Pick<FileRecord, "status" | "reason">): boolean {
  return status === "failed" || status === "skipped" && reason !== undefined && isMissed(reason);
}

/** Returns whether files that are skipped for this reason count for {@linkcode isUnread}. */
export function isMissed(reason: string): boolean {
  return UNREAD.has(reason);
}

/** Counts files by reason and format, the most frequent kind first. */
export function kindsOf(files: Iterable<Pick<FileRecord, "path" | "reason" | "format">>): FileKind[] {
  const kinds = new Map<string, FileKind & { count: number; readonly paths: string[] }>();
  for (const { path, reason = "other", format } of files) {
    const key = `${reason}\0${format ?? ""}`;
    let kind = kinds.get(key);
    if (kind === undefined) {
      kind = { reason, ...(format === undefined ? {} : { format }), count: 0, paths: [] };
      kinds.set(key, kind);
    }
    kind.count++;
    if (kind.paths.length < NAMED) kind.paths.push(path);
  }
  return [...kinds.values()].sort((a, b) => b.count - a.count);
}

/** Returns a number of files of a kind in words: `3 PDFs protected by a password`, `2 archives`. */
export function kindText(
  { reason, format, count }: Omit<FileKind, "paths">,
  language: Language,
): string {
  const skipped = `cli_skip_${reason}`;
  if (isKey(skipped) && !UNREAD.has(reason)) {
    return message(language, "kind_skipped", {
      count,
      what: message(language, skipped, { count }),
    });
  }
  const name = isKey(`format_${format}`) ? `format_${format}` as MessageKey : "format_file";
  const problem = isKey(`unread_${reason}`) ? `unread_${reason}` as MessageKey : "unread_other";
  const what = message(language, name, { count });
  return message(language, "kind_unread", {
    count,
    // In Chinese, a space separates Chinese characters and Latin letters.
    what: language === "zh" && /^\w/.test(what) ? ` ${what}` : what,
    problem: message(language, problem),
  });
}

/** Returns the pages without text of a document with `of` pages, in words: `no text on pages 3–7`. */
export function emptyPagesText(pages: readonly number[], of: number, language: Language): string {
  const list = pageList(pages);
  const count = pages.length;
  return list.length <= MAX_PAGE_LIST
    ? message(language, "pages_without_text", { pages: list, count })
    : message(language, "many_pages_without_text", { count, of });
}

function isKey(name: string): name is MessageKey {
  return Object.hasOwn(MESSAGES, name);
}
