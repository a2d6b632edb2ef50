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
}

/** A piece of a document's text: `text.slice(start, end)`. */
export interface Chunk {
  /** UTF-16 offsets in the document's text; the end is exclusive. Never in a surrogate pair or a CRLF. */
  readonly start: number;
  readonly end: number;
  /** First and last line, counted from 1; only LF ends a line. */
  readonly startLine: number;
  readonly endLine: number;
  /** Path of the deepest section that holds all of the chunk. */
  readonly section: readonly string[];
  /** Place among the document's chunks, from 0. */
  readonly ordinal: number;
}
