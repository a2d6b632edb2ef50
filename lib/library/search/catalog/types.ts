/** The interface of the catalog, and the lists that it gives of what the served folders contain. */
import type { Generated, StoredFile } from "#engine/index/mod.ts";
import type { ServedCollection } from "../served_collections.ts";
import type { SearchFilters } from "#engine/query/mod.ts";
import type { Facet, FacetCounts } from "./facets.ts";
import type { TagSharer } from "./links.ts";

export type { StoredFile };

/** A served folder as a collection of documents. */
export interface CollectionInfo extends ServedCollection {
  /** `unusable`: damaged, or made by another version or installation. */
  readonly state: "ready" | "missing" | "unusable";
  /** Documents and chunks in the index, and files that are not in it although they were looked at. */
  readonly documents: number;
  readonly chunks: number;
  readonly notIndexed: number;
  /** Languages of the chunks, the most frequent first. */
  readonly languages: readonly string[];
  /** The same with their numbers of chunks. */
  readonly languageChunks: readonly { readonly language: string; readonly chunks: number }[];
  /** Pictures that stand in the documents. */
  readonly pictures: number;
  /** Bytes of the index. Absent where some documents must not be known. */
  readonly indexBytes?: number;
  /** Id of the model of the vectors; absent if there are none. */
  readonly model?: string;
  readonly indexedAt?: Date;
  /** Files that are new or have changed since then, at least. Absent where the time did not suffice to find one. */
  readonly newerFiles?: number;
}

/** States of a listed document. */
export const DOCUMENT_STATES = ["indexed", "failed", "skipped"] as const;

/** Which documents to list. All conditions must hold. */
export interface DocumentFilter extends SearchFilters {
  /** As in a search. */
  readonly dirPath?: string;
  /** As in a search. */
  readonly collections?: string;
  readonly state?: typeof DOCUMENT_STATES[number];
}

/** A file that the index knows. */
export interface ListedDocument extends Pick<StoredFile, "title" | "format" | "pages" | "metadata"> {
  /** Absolute path, as the operating system writes it. */
  readonly path: string;
  readonly state: typeof DOCUMENT_STATES[number];
  /** Why it is not indexed, or why its text is that of an earlier run, in the user's language. */
  readonly reason?: string;
  /** Language of its first chunk. */
  readonly language?: string;
  /** In bytes. */
  readonly size: number;
  readonly modified: Date;
  readonly chunks: number;
}

/** A page of a list of documents, in the order of their paths. */
export interface DocumentList {
  readonly documents: readonly ListedDocument[];
  /** Documents that meet the conditions, on all pages. */
  readonly total: number;
  /** Their numbers by facet, if wanted: of those that are indexed, unless the filter wants others. */
  readonly facets?: readonly FacetCounts[];
}

/** How a document is related to others, by absolute paths. */
export interface DocumentRelations {
  /** Documents that it links to, and links that lead to no document, as written. */
  readonly links: readonly string[];
  readonly unresolved: readonly string[];
  /** Documents that link to it. */
  readonly backlinks: readonly string[];
  /** Documents that have some of its tags, those that share the rarest ones first. */
  readonly sharers: readonly TagSharer[];
}

/** The files of the index of a served folder. */
export interface IndexedFolder {
  /** Real path of the folder. */
  readonly root: string;
  /** The same array until the index is replaced. */
  readonly files: readonly StoredFile[];
}

/** A chunk with its neighbours in the same file. */
export interface ChunkContext {
  /** Absolute path of the file. */
  readonly path: string;
  /** SHA-256 of its bytes as they were indexed, in hexadecimal. */
  readonly sha256: string;
  /** The joined text. */
  readonly text: string;
  readonly startLine: number;
  readonly endLine: number;
  /** Headings above the asked chunk. */
  readonly section: readonly string[];
  readonly page?: number;
  /** The chunks of the text, in their order. */
  readonly chunks: readonly {
    readonly chunkId: string;
    readonly startLine: number;
    readonly endLine: number;
    /** See {@linkcode import("../types.ts").Hit}. */
    readonly rows?: readonly [first: number, last: number];
    readonly images?: readonly number[];
    /** Its place in `text`, in UTF-16 units. The text may begin before the first chunk, with the head of a table. */
    readonly start: number;
    readonly end: number;
  }[];
  /** The asked one of them, counted from 0. */
  readonly asked: number;
  /** Number of the first of them in the file, counted from 1, and number of chunks of the file. */
  readonly first: number;
  readonly count: number;
}

/** A chunk of a document as its index has it, with its place in the document's text. */
export interface IndexedChunk {
  readonly chunkId: string;
  /** Offsets in the document's text in UTF-16 units; the end is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly startLine: number;
  readonly endLine: number;
  readonly section: readonly string[];
  readonly page?: number;
  /** The length by which it is ranked. */
  readonly tokens: number;
  readonly language: string;
  /** See {@linkcode import("../types.ts").Hit}. */
  readonly rows?: readonly [first: number, last: number];
  readonly images?: readonly number[];
  /** The head of a table that is repeated before the text. */
  readonly lead?: string;
  readonly text: string;
  /** UTF-16 units at its beginning that the chunk before has as well. */
  readonly shared: number;
  readonly generated?: Generated;
}

/** The record of a document, and some of its chunks. */
export interface DocumentDetails {
  /** Absolute path, as the operating system writes it, and the real path of its served folder. */
  readonly path: string;
  readonly root: string;
  readonly file: StoredFile;
  /** The number of the first chunk that is given, counted from 0. */
  readonly first: number;
  readonly chunks: readonly IndexedChunk[];
}

/** The contents of the served folders, as their indexes know them. */
export interface Catalog {
  collections(): Promise<CollectionInfo[]>;
  /** The served folders that have an index. */
  folders(): Promise<IndexedFolder[]>;
  /** Another text as soon as the index of a folder is another one, or files were taken out of it or given back. */
  version(): Promise<string>;
  /** Throws what a search throws for `dirPath` and for a bad date. */
  documents(
    filter: DocumentFilter,
    offset: number,
    limit: number,
    facets?: readonly Facet[],
  ): Promise<DocumentList>;
  /**
   * Returns the index's facts about the document at an absolute path, with `limit` of its chunks from number `offset` on. Throws `UserError`
   * `document_not_indexed`.
   */
  document(path: string, offset: number, limit: number): Promise<DocumentDetails>;
  /**
   * How the document at an absolute path is related to those of its folder, or to those of them that are in `collections`; without relations
   * if no index has it. Throws what a search throws for `collections`.
   */
  relations(path: string, collections?: string): Promise<DocumentRelations>;
  /** The chunk of this name with so many chunks before and after it. Throws `UserError` `chunk_not_found`. */
  chunkContext(chunkId: string, before: number, after: number, signal?: AbortSignal): Promise<ChunkContext>;
  /**
   * Weights of words, by how few chunks contain them (idf of the rarest of their terms). A word of stop words or of no terms has the
   * weight 0.
   */
  weights(words: readonly string[]): Promise<ReadonlyMap<string, number>>;
}
