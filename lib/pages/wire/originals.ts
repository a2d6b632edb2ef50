/** The originals of hits: PDFs as they are, everything else as the text that was indexed, and pictures. */

/** `POST /api/originals/open`: how a file is shown. */
export interface OpenOriginalCall {
  /** Full path. */
  readonly path: string;
  /** The line that the text must contain, where it is too long to be given whole. */
  readonly line?: number;
  /** The text also of a PDF, as it was read. */
  readonly asText?: boolean;
}

export type OpenedOriginal = OpenedPdf | OpenedText;

/** A PDF: `pdf` gives its bytes. */
export interface OpenedPdf {
  readonly kind: "pdf";
  readonly name: string;
  readonly size: number;
}

/** The text of a document as it is indexed: Office, HTML and mail as Markdown, code and plain text as they are. */
export interface OpenedText {
  readonly kind: "text";
  readonly name: string;
  readonly format: string;
  readonly size: number;
  readonly text: string;
  /** The number of its first line, and of the last one of the document, counted from 1. */
  readonly firstLine: number;
  readonly totalLines: number;
  /** The headings of the document. */
  readonly sections: readonly { readonly level: number; readonly title: string; readonly line: number }[];
  /** Pictures in the document. `picture` gives each. */
  readonly pictures: number;
}

/** `POST /api/originals/pdf`: the bytes of a PDF, `application/pdf`. */
export interface PdfCall {
  readonly path: string;
}

/** `POST /api/originals/picture`: a picture of a document, or a picture by itself, made anew as PNG or JPEG. */
export interface PictureCall {
  readonly path: string;
  /** Counted from 1. */
  readonly number: number;
}

/** `POST /api/originals/cmap`: a character map for fonts that are not in a PDF, in the binary form of pdf.js. */
export interface CMapCall {
  /** Such as `UniGB-UCS2-H`. */
  readonly name: string;
}
