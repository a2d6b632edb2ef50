/** The interface of searching: what a request may ask for, and what an answer and its hits say. */
import type { Document, PageUnit, PictureAnswer, PictureRequest } from "#documents/mod.ts";
import { type Catalog, DOCUMENT_STATES, type DocumentFilter } from "./catalog/types.ts";
import type { PictureCaption } from "#engine/index/mod.ts";
import type { AccessLimit } from "./access.ts";
import type { CitedLines } from "./line_range.ts";
import type { Explanation } from "./explain.ts";
import type { FilterCount } from "./filter_counts.ts";
import type { Mark } from "./find_marks.ts";
import type { Hit, SearchRequest } from "./request.ts";
import type { Suggestion } from "./suggest_words.ts";
import { QUERY_LANGUAGES, type SearchFilters } from "#engine/query/types.ts";
import {
  askedCollections,
  rootNamed,
  type ServedCollection,
  servedCollections,
  unknownCollection,
} from "./served_collections.ts";
import type { SearchMode } from "#engine/rank/types.ts";
import type { WhyNot, WhyNotRequest } from "./why_not/types.ts";
import type { CheckedSentence, SupportReason, Verdict } from "#engine/support/mod.ts";

export { askedCollections, rootNamed, type ServedCollection, servedCollections, unknownCollection };
export { DOCUMENT_STATES, type DocumentFilter, QUERY_LANGUAGES };
export type * from "./request.ts";
export type { AccessLimit, Explanation, Mark, PageUnit, SearchFilters, SearchMode };

/** How an answer compares with the files now. */
export interface Freshness {
  /** Time of the oldest index that was searched. */
  readonly indexedAt: Date;
  /**
   * `current`: the folders are watched, and their changes are indexed. `updating`: changes are being indexed. `outdated`: a
   * file in the answer has changed, or a file is newer than the index, and nothing is indexing it. `unknown`: nothing keeps
   * the index current, and no difference was seen.
   */
  readonly state: "current" | "updating" | "outdated" | "unknown";
  /**
   * Number of files that are new or have changed since they were indexed, at least. Absent where the index is kept current,
   * and where the time did not suffice to find one.
   */
  readonly newerFiles?: number;
}

/** Passages of a file that would be in the answer without the limit for one file. */
export interface LeftOut {
  readonly filePath: string;
  /** At least one. */
  readonly passages: number;
}

/** Answer of a search. `hits` may be empty. */
export interface SearchAnswer {
  readonly hits: readonly Hit[];
  /** Wall-clock seconds. */
  readonly seconds: number;
  /** Remarks for the reader, in their language: a folder without index, a leg that could not answer. */
  readonly notices: readonly string[];
  /** Real paths of the folders that the search concerned, with or without an index. Absent: all that are served. */
  readonly roots?: readonly string[];
  /** Those of the folders that were not searched because their index is damaged. Absent if there are none. */
  readonly damaged?: readonly string[];
  readonly freshness?: Freshness;
  /** Files of the answer with further passages, which the limit for one file (`search.per_doc_limit`) left out. */
  readonly leftOut?: readonly LeftOut[];
  /** Number of passages that `minDegree` left out, at least. Absent if there are none. */
  readonly lowerDegree?: number;
  /** The documents that meet each condition on files, if the filters left nothing over. */
  readonly filterCounts?: readonly FilterCount[];
  /** Words of the texts for words of the question that no text holds. Absent if there are none. */
  readonly suggestions?: readonly Suggestion[];
  /** There may be further hits after the last one. Absent otherwise. */
  readonly more?: true;
  /** Present if it was asked for. */
  readonly explanation?: Explanation;
  /** Id of its trace. Absent if it was not traced. */
  readonly trace?: string;
}

/** The first and the last line that are wanted, counted from 1. */
export interface LineRange {
  readonly startLine?: number;
  readonly endLine?: number;
}

/** A file of a served folder. */
interface ServedFile {
  /** Real absolute path. */
  readonly path: string;
  /** Size on disk in bytes. */
  readonly size: number;
  readonly modified: Date;
  /** Whether the file is on another machine, so that its text is that of the index. Absent otherwise. */
  readonly isStored?: true;
}

/** One file read whole or in part. */
export interface RawFile extends ServedFile {
  /** Decoded text, line ends as in the file, without a byte order mark. */
  readonly text: string;
  readonly encoding: string;
  /** Lines given, counted from 1, and lines in the file. */
  readonly startLine: number;
  readonly endLine: number;
  readonly totalLines: number;
}

/** A document of a served folder, as it is indexed. */
export interface ServedDocument extends ServedFile {
  readonly document: Document;
  /** Name of the format that a loader read, or `text`. */
  readonly format: string;
  /** Last part of the path. */
  readonly name: string;
  /** SHA-256 of its bytes in hexadecimal. */
  readonly sha256: string;
  /** When the file was created. Absent where the file system does not know it, and for a copy of an older file. */
  readonly created?: Date;
  /** The lines that the request named after the path (`path:12-40`). */
  readonly cited?: CitedLines;
}

/** The bytes of a file of a served folder. */
export interface OriginalFile extends ServedFile, Pick<ServedDocument, "name"> {
  readonly bytes: Uint8Array;
}

/** The pictures of a document that were asked for. */
export interface ServedPictures extends Pick<ServedFile, "path"> {
  /** SHA-256 of the document's bytes in hexadecimal. */
  readonly sha256: string;
  readonly answer: PictureAnswer;
  /** The bytes of what is given, in the order of the answer. */
  readonly contents: readonly Uint8Array[];
  /** The words of a model about the pictures of the answer, by their numbers. It may be wrong. Absent if there is nothing. */
  readonly captions?: ReadonlyMap<number, PictureCaption>;
}

/** The folders a process serves: what the MCP tools and the `search` command talk to. */
export interface Library {
  /** The person or program that it is opened for, for traces. */
  readonly principal?: string | undefined;
  /** Real absolute paths of the folders served, with or without an index. */
  readonly roots: readonly string[];
  /** The same folders with the names that clients call them by, in the same order. */
  readonly collections: readonly ServedCollection[];
  /**
   * Searches the indexes of all served folders, or of `dirPath`. Notices a replaced index by a stat.
   * Throws `UserError` `index_not_ready` when no folder concerned has a usable index,
   * `directory_not_found`, `not_a_directory`, `path_ambiguous`, `dir_not_served` for a bad `dirPath`, `collection_unknown`
   * for a name in `collections` that no folder has; the first may have `nearest` like the errors of {@linkcode readRawFile}.
   */
  search(request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer>;
  /**
   * Returns the first gate that kept a document, a chunk or a sentence out of the answer to a question, by the search itself. Throws what
   * {@linkcode search} throws, and `UserError` `path_ambiguous`, `why_not_nothing`. A document that the client may not know of is one that
   * does not exist.
   */
  whyNot(request: WhyNotRequest, signal?: AbortSignal): Promise<WhyNot>;
  /**
   * Reads a text file inside a served folder. A path may end in lines as in a citation, `path:12-40`; `range` overrides
   * them. Throws `UserError` `file_not_found`, `not_text`, `no_permission` (outside of the served folders, left out of the
   * index, or refused by the system), `unsupported_encoding`, `bad_line_range`. The first and the third may have the
   * parameter `nearest`, full paths of served files with a similar name, separated by NUL.
   */
  readRawFile(path: string, range?: LineRange, signal?: AbortSignal): Promise<RawFile>;
  /**
   * The text of a document inside a served folder, as it is indexed. Throws what {@linkcode readRawFile} throws for a path,
   * and `document_encrypted`, `document_damaged`, `document_unsupported`, `document_too_complex`, `extractor_unavailable`.
   * Reading ends when the signal aborts.
   */
  readDocument(path: string, signal?: AbortSignal): Promise<ServedDocument>;
  /**
   * The bytes of a file inside a served folder. Throws what {@linkcode readRawFile} throws for a path, and `file_too_large`
   * for more than `maxBytes`. Reading ends when the signal aborts.
   */
  readOriginal(path: string, maxBytes: number, signal?: AbortSignal): Promise<OriginalFile>;
  /**
   * Reads the pictures of a document inside a served folder, or a page of it as a picture. A picture that stands in a file beside the
   * document is read if the folders have it. Throws what {@linkcode readDocument} throws.
   */
  readPictures(path: string, request: PictureRequest, signal?: AbortSignal): Promise<ServedPictures>;
  /** The contents of the folders. */
  catalog(): Promise<Catalog>;
  /** Checks each sentence of an answer that states something against passages. Works without a folder and without a model. */
  checkSupport(
    answer: string,
    passages: readonly string[],
    options?: SupportOptions,
  ): Promise<CheckedSupport>;
  /** Frees the open indexes. */
  close(): void;
}

/** Options of {@linkcode Library.checkSupport}. */
export interface SupportOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * The folders that passages are of. With them, the language model of the task `verify` is asked, if it may get texts of all of them. Default:
   * no model.
   */
  readonly roots?: readonly string[] | undefined;
}

/** A checked sentence, whose verdict may be that of a language model. */
export interface ModelCheckedSentence extends Omit<CheckedSentence, "reason"> {
  readonly reason: SupportReason | "model";
  /** The statements that the model compared, where it split the sentence. */
  readonly statements?: readonly CheckedStatement[];
}

/** A part of a sentence, as a language model judged it. */
export interface CheckedStatement {
  readonly text: string;
  readonly verdict: Verdict;
  /** Words of a passage, as they stand there. */
  readonly quote?: string;
}

/** The result of {@linkcode Library.checkSupport}. */
export interface CheckedSupport {
  readonly sentences: readonly ModelCheckedSentence[];
  /** Id of the model that was asked as well. */
  readonly model?: string;
  /** Why the model has not judged all of it. */
  readonly notices: readonly string[];
}
