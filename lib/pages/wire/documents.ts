/** The calls of the page Documents. Nothing here imports anything but types of this folder. */

/** The states of files: the result of the last run, or what the next run would find. */
export const DOCUMENT_STATES = ["indexed", "skipped", "failed", "new", "changed", "removed"] as const;
export type DocumentState = typeof DOCUMENT_STATES[number];

/** `POST /api/documents/list`: a part of the files that meet all conditions. */
export interface ListCall {
  /** Name of a collection. Default: all. */
  readonly collection?: string;
  /** A part of the path, or a pattern such as `*.md`, as in a search. */
  readonly path?: string;
  readonly kind?: string;
  readonly tag?: string;
  readonly state?: DocumentState;
  /** A text in the path, the title, an author or a tag. */
  readonly text?: string;
  /** A key of {@linkcode SORT_KEYS}, with `-` in front of it for the largest first. Default: `path`. */
  readonly sort?: string;
  readonly offset?: number;
  readonly limit?: number;
}

/** The values that the list can be sorted by. */
export const SORT_KEYS = ["path", "title", "kind", "state", "size", "modified", "chunks", "pages"] as const;
export type SortKey = typeof SORT_KEYS[number];

/** Most files in one answer. */
export const MOST_LISTED = 500;

export interface ListAnswer {
  readonly documents: readonly WireDocument[];
  /** Files that meet all conditions. */
  readonly total: number;
  /** The number of files by state, kind and tag, of all that the client may know of; the most frequent first. */
  readonly states: readonly Count[];
  readonly kinds: readonly Count[];
  readonly tags: readonly Count[];
  /** Whether files are listed that are not in the index. With limits of access they are not. */
  readonly isComplete: boolean;
  /** Why the files of a folder could not be compared with its index. */
  readonly notices: readonly string[];
}

export interface Count {
  readonly value: string;
  readonly count: number;
}

/** A file as the list shows it. */
export interface WireDocument {
  /** Full path. */
  readonly path: string;
  /** The path below its folder, `/` between its parts. */
  readonly shownPath: string;
  /** Name of its collection. */
  readonly collection: string;
  readonly state: DocumentState;
  /** Why it is not indexed, or why its text is that of an earlier run. */
  readonly reason?: string;
  readonly title?: string;
  /** Name of its format, else its extension. */
  readonly kind: string;
  /** In bytes. */
  readonly size?: number;
  /** ISO 8601. */
  readonly modified?: string;
  readonly pages?: number;
  readonly chunks: number;
  readonly pictures: number;
  readonly tags: readonly string[];
  /** Number of {@linkcode Loss}es. */
  readonly losses: number;
}

/** `POST /api/documents/one`: what the index has of a document, with some of its chunks. */
export interface OneCall {
  /** Full path. */
  readonly path: string;
  /** The first chunk that is wanted, counted from 0. */
  readonly offset?: number;
  readonly limit?: number;
}

export interface OneAnswer {
  readonly document: WireDocument;
  /** The SHA-256 of the bytes that were indexed, in hexadecimal. */
  readonly sha256: string;
  readonly encoding?: string;
  readonly pageUnit?: string;
  /** Facts that the document states about itself. */
  readonly metadata: readonly { readonly name: string; readonly value: string }[];
  readonly losses: readonly Loss[];
  /** The number of the first chunk in `chunks`, counted from 0. */
  readonly first: number;
  readonly chunks: readonly WireChunk[];
}

/**
 * Something that the text in the index does not have of the document, or that may be wrong in it. A page shows a key that it does not know
 * as it is.
 */
export interface Loss {
  readonly key: string;
  readonly count?: number;
  /** Numbers of pages or pictures: `1–3, 7`. */
  readonly at?: string;
  readonly reason?: string;
}

/** A chunk with its borders in the document's text. */
export interface WireChunk {
  readonly chunkId: string;
  /** In characters (UTF-16 units); the end is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly startLine: number;
  readonly endLine: number;
  readonly section: readonly string[];
  readonly page?: number;
  readonly rows?: readonly [first: number, last: number];
  readonly images?: readonly number[];
  readonly tokens: number;
  readonly language: string;
  /** The head of a table that is repeated before the text. */
  readonly lead?: string;
  readonly text: string;
  /** Characters at the beginning that the chunk before has as well. */
  readonly shared: number;
  /** Texts of a language model about it. */
  readonly generated?: {
    readonly title?: string;
    readonly summary?: string;
    readonly tags?: readonly string[];
    readonly questions?: readonly string[];
    readonly model: string;
  };
}

/** `POST /api/documents/pictures`: some pictures of a document as thumbnails, made anew from their pixels. */
export interface PicturesCall {
  /** Full path. */
  readonly path: string;
  /** Counted from 1, at most {@linkcode MOST_THUMBNAILS}. */
  readonly numbers: readonly number[];
}

/** Most thumbnails in one answer. */
export const MOST_THUMBNAILS = 12;

export interface PicturesAnswer {
  readonly pictures: readonly WirePicture[];
}

export interface WirePicture {
  readonly number: number;
  readonly page?: number;
  /** Its caption or alternative text, or the words of a model. */
  readonly caption?: string;
  readonly width?: number;
  readonly height?: number;
  /** Why it cannot be shown. */
  readonly problem?: string;
  /** Present unless it cannot be shown: its bytes in base64. */
  readonly image?: { readonly mediaType: string; readonly data: string };
}
