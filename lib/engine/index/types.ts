/**
 * The records that an index stores of files and chunks.
 */
import type { Metadata, SheetRows } from "#documents/types.ts";
import type { Chunk } from "#engine/chunk/mod.ts";

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
  /** Names the model and the prompt by whose operations its chunks were put right. Absent if they were not. */
  readonly refined?: string;
  /** Set for an archive whose files are in the index: a text that changes if the rules choose other files of it. */
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
