/** The rule for where a document is cut, see {@linkcode ChunkOptions.strategy}. */
export type ChunkStrategy = "auto" | "fixed" | "recursive" | "structure" | "semantic";

/**
 * How alike each text is to the one before it, from -1 to 1: as many numbers as there are texts, less one. It is called once for
 * a document.
 */
export type Similarity = (texts: readonly string[]) => ArrayLike<number>;

/** How a document is cut. */
export interface ChunkOptions {
  /** Most UTF-16 units of a chunk, its overlap included. At least 2. */
  readonly maxChars: number;
  /** Most UTF-16 units that a chunk repeats of the one before it; more than half of `maxChars` counts as half. */
  readonly overlap: number;
  /**
   * `"auto"`: as many chunks as `maxChars` asks for. A number: so many balanced pieces, whatever their size;
   * `maxChars` and `overlap` do not apply then.
   */
  readonly chunksPerFile: "auto" | number;
  /**
   * - `"auto"`, the default: chunks are filled up, sections that are small share one;
   * - `"structure"`: no chunk holds parts of two sections, unless one has only its heading;
   * - `"recursive"`: at paragraphs, lines, sentences, words, whatever the sections are;
   * - `"fixed"`: after `maxChars` units, whatever stands there;
   * - `"semantic"`: where neighbouring sentences are least alike, by `similarity`; as `"auto"` without it. No overlap.
   */
  readonly strategy?: ChunkStrategy | undefined;
  readonly similarity?: Similarity | undefined;
}

/** A piece of a document's text: `text.slice(start, end)`, with the `lead` before it if there is one. */
export interface Chunk {
  /** UTF-16 offsets in the document's text; the end is exclusive. Never in a surrogate pair or a CRLF. */
  readonly start: number;
  readonly end: number;
  /** First and last line, counted from 1; only LF ends a line. */
  readonly startLine: number;
  readonly endLine: number;
  /** Path of the deepest section that holds all of the chunk. */
  readonly section: readonly string[];
  /** Number of the page that its first character is on, the overlap left out; only where the document has pages. */
  readonly page?: number;
  /**
   * The head of the table whose rows it begins with: what tells what the cells mean. Stands before the slice, on lines of its
   * own without the last line end, and counts for `maxChars`.
   */
  readonly lead?: string;
}
