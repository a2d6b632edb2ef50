/** A heading and what stands under it. Lines of more than 500 units are never headings. */
export interface Section {
  /** UTF-16 offset in the text of the start of its heading line (of its overline, where it has one). */
  readonly start: number;
  /** Exclusive end of the heading's own lines, without the line end: an underline belongs to them. */
  readonly headingEnd: number;
  /** Exclusive end of its content, sub-sections included. */
  readonly end: number;
  /** 1 is the outermost. */
  readonly level: number;
  /** The heading without its markup, at most 200 characters. May be empty (a heading that is only an image). */
  readonly title: string;
  /** Titles from the outermost heading to this one; empty titles are left out. */
  readonly path: readonly string[];
  /** It begins a chunk, however small the chunk before it stays: a long function, which is looked for by its name. */
  readonly apart?: true;
}

/** A page, sheet or slide of a document, as a part of its text. */
export interface Page {
  /** Counted from 1. */
  readonly number: number;
  /** UTF-16 offsets in the text; the end is exclusive. */
  readonly start: number;
  readonly end: number;
}

/** A picture in a document. Its bytes are not kept. */
export interface Image {
  /** UTF-16 offset in the text of the place where it stands. */
  readonly at: number;
  /** Page counted from 1, where the format has pages. */
  readonly page?: number;
  /** Its caption or alternative text. */
  readonly caption?: string;
}

/** The facts that a document gives about itself. */
export interface Metadata {
  readonly author?: string;
  /** ISO 8601: `2024`, `2024-05`, `2024-05-01` or with a time. */
  readonly date?: string;
  /** BCP 47 tag: `en`, `zh-CN`. */
  readonly language?: string;
  /** Keywords that its author gave it. */
  readonly tags?: readonly string[];
}

/** The text of a document and its structure. Every offset refers to `text`. */
export interface Document {
  /** Of plain text, markup and source code the decoded file, unchanged; of every other format normalised Markdown. */
  readonly text: string;
  readonly title?: string;
  /** In the order of their starts; a sub-section comes after the section it lies in. */
  readonly sections: readonly Section[];
  /** In ascending order, without overlaps; absent where the format has none. */
  readonly pages?: readonly Page[];
  readonly images?: readonly Image[];
  readonly metadata?: Metadata;
  /** Numbers of the pages that hold no text, such as scans; absent where there are none. */
  readonly emptyPages?: readonly number[];
}

/** Why a document could not be loaded. */
export type DocumentProblem =
  /** It opens with a password only. */
  | "encrypted"
  /** It is not what its name or signature says, is cut off, or its structure is broken. */
  | "damaged"
  /** A variant of the format that the program does not read. */
  | "unsupported"
  /** It exceeds a limit of size, pages, nesting or expansion. */
  | "too_complex";

/** A document that could not be loaded. `message` says in English what was found. */
export class DocumentError extends Error {
  override readonly name = "DocumentError";

  constructor(readonly problem: DocumentProblem, message: string, options?: ErrorOptions) {
    super(message, options);
  }
}
