/**
 * How documents are cut, and what a chunk says of its place.
 */

/** The rule that decides where a document is cut, see {@linkcode ChunkOptions.strategy}. */
export type ChunkStrategy = "auto" | "fixed" | "recursive" | "structure" | "semantic";

/** How tables are cut, see {@linkcode ChunkOptions.tables}. */
export type TableStrategy = "auto" | "rows" | "whole" | "text";

/**
 * Returns the similarity of each text to the one before it, from -1 to 1: one number less than there are texts. Called once
 * per document.
 */
export type Similarity = (texts: readonly string[]) => ArrayLike<number>;

/** Largest table that is one chunk with the table strategy `"whole"`, in multiples of `maxChars`. */
export const WHOLE_TABLE = 8;

/** Options of {@linkcode import("./mod.ts").chunkDocument}. */
export interface ChunkOptions {
  /** Most UTF-16 units of a chunk, overlap and lead included, but of a whole table. At least 2. */
  readonly maxChars: number;
  /** Most UTF-16 units that a chunk repeats of the one before. Capped at half of `maxChars`. */
  readonly overlap: number;
  /**
   * `"auto"`: as many chunks as `maxChars` requires. A number: that many pieces of about equal content; the other options
   * are then ignored.
   */
  readonly chunksPerFile: "auto" | number;
  /**
   * - `"auto"`, the default: chunks are filled up, and small sections share a chunk;
   * - `"structure"`: no chunk has parts of two sections, unless one of them is only a heading;
   * - `"recursive"`: at paragraphs, lines, sentences and words, regardless of sections;
   * - `"fixed"`: after `maxChars` units, regardless of the text;
   * - `"semantic"`: where neighbouring sentences are least similar by `similarity`, without overlap; like `"auto"` if
   * `similarity` is
   *   not given.
   */
  readonly strategy?: ChunkStrategy | undefined;
  /**
   * - `"auto"`, the default: a table that does not fit in a chunk is cut between rows, and each part has its head as `lead`;
   * - `"rows"`: each row is a chunk, with the head as its `lead`;
   * - `"whole"`: a table of up to {@linkcode WHOLE_TABLE} times `maxChars` is one chunk;
   * - `"text"`: rows are lines of text, and the head is not repeated.
   *
   * `"rows"` and `"whole"` need one of the strategies `"auto"`, `"structure"` and `"recursive"`.
   */
  readonly tables?: TableStrategy | undefined;
  /** For the strategy `"semantic"`. */
  readonly similarity?: Similarity | undefined;
}

/** A page that a chunk has a part of. */
export interface PagePart {
  readonly number: number;
  /** See `Page.label` of a document. */
  readonly label?: string;
  /** UTF-16 offset of the part from the start of the chunk, without its lead; 0 for the first one. */
  readonly at: number;
}

/** A piece of a document's text: `text.slice(start, end)`, after the `lead` if there is one. */
export interface Chunk {
  /** UTF-16 offsets in the document's text; the end is exclusive. Never inside a surrogate pair or a CRLF. */
  readonly start: number;
  readonly end: number;
  /** First and last line, counted from 1. Only LF ends a line. */
  readonly startLine: number;
  readonly endLine: number;
  /** Path of the deepest section that contains all of the chunk. */
  readonly section: readonly string[];
  /** Number of the page of its first character after the overlap, if the document has pages. */
  readonly page?: number;
  /** The pages that it has parts of, in their order. Absent if it has parts of one page only, and that has no label. */
  readonly pages?: readonly PagePart[];
  /**
   * The head of the table, or the names of its columns, if the chunk begins with later rows. It goes before the slice on
   * separate lines, has no final line end, and counts towards `maxChars`.
   */
  readonly lead?: string;
}
