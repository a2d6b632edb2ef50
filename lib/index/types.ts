/** A piece of a document on its way into the index. */
export interface NewChunk {
  /** The text that is found and shown. Not empty. */
  readonly text: string;
  /** Words that lead to the chunk but are not in it, such as headings and the file's name: indexed with it. */
  readonly context: string;
  /** UTF-16 offsets in the document's text; chunks of a file come in ascending order and may overlap. */
  readonly start: number;
  readonly end: number;
  /** First and last line, counted from 1. */
  readonly startLine: number;
  readonly endLine: number;
  /** Headings above the chunk, outermost first. */
  readonly section: readonly string[];
  /** Page counted from 1, or nothing. */
  readonly page?: number;
  /** Whether the text begins with lines that are not at `start`: the head of a table. */
  readonly hasLead?: boolean;
}

/** A file's record in the index. Times are milliseconds since 1970, sizes bytes. */
export interface FileRecord {
  /** Relative to the folder, `/` between the parts. */
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  /**
   * When content, name or rights were last changed, in whole seconds, which nobody can set back as they can the other; not
   * where the system does not say, nor in indexes of earlier versions.
   */
  readonly ctimeMs?: number;
  /** SHA-256 of the bytes in hexadecimal; empty where the file could not be read. */
  readonly sha256: string;
  /** `indexed`, or why it has no chunks. */
  readonly status: "indexed" | "skipped" | "failed";
  /** Name of the reason, where status is not `indexed`; where it is, why the text is that of an earlier run. */
  readonly reason?: string;
  /** Parameters of the reason's text. */
  readonly detail?: Readonly<Record<string, string | number>>;
  /** Encoding that the text was decoded from. */
  readonly encoding?: string;
  /** Name of the format that a loader read; absent for plain text and markup. */
  readonly format?: string;
  readonly title?: string;
  /** Number of pages, and those that hold no text; absent where the format has none. */
  readonly pages?: number;
  readonly emptyPages?: readonly number[];
}

/** A file of an index with the place of its chunks. */
export interface StoredFile extends FileRecord {
  readonly firstChunk: number;
  readonly chunkCount: number;
}

/** A chunk as stored, without its text. */
export interface StoredChunk {
  /** Number of its file in the file table. */
  readonly file: number;
  /** UTF-16 offsets in the document's text. */
  readonly start: number;
  readonly end: number;
  /** First and last line, counted from 1. */
  readonly startLine: number;
  readonly endLine: number;
  /** Headings above the chunk, outermost first. */
  readonly section: readonly string[];
  /** Page, counted from 1, where the format has pages. */
  readonly page?: number;
  /** Tokens of text and context: the length that BM25 uses. */
  readonly tokens: number;
  /** One of `LANGUAGE_CODES`. */
  readonly language: number;
}

/** Metadata of an index. */
export interface IndexMeta {
  /** Terms are made by this version of the tokenizer. */
  readonly tokenizer: number;
  /** Whatever else decides what a file becomes, as one string: if it differs, everything must be processed anew. */
  readonly settings: string;
  /** Version of the program that wrote it. */
  readonly program: string;
  /** When it was written, ISO 8601. */
  readonly indexedAt: string;
  /** Real path of the folder that it is of. */
  readonly root: string;
  /** Files and folders that were left out by name, place or size, by the reason: how many. Not in indexes of earlier versions. */
  readonly leftOut?: Readonly<Record<string, number>>;
}
