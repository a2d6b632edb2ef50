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
}

/** A decoded text and its outline. */
export interface Document {
  /** The decoded text, unchanged: every offset refers to it. */
  readonly text: string;
  readonly title?: string;
  /** In the order of their starts; a sub-section comes after the section it lies in. */
  readonly sections: readonly Section[];
}

/** Reads one format. Takes linear time, whatever the text. */
export type Loader = (text: string) => Document;
