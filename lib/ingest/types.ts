import type { SkipReason } from "../corpus/mod.ts";
import type { LazyTable } from "../embedding/mod.ts";
import type { FileKind, IndexKey } from "../index/mod.ts";
import type { Extractor } from "../extract/mod.ts";
import type { Log } from "../log/mod.ts";
import type { UnusableState } from "../store/mod.ts";

export type { FileKind, SkipReason };

/** Input of a run from the program around it. */
export interface IngestContext {
  /** The user's state folder: the registry of processed directories is there. */
  readonly stateDir: string;
  readonly log: Log;
  /** The key that indexes are sealed and checked with. */
  readonly indexKey: IndexKey;
  /** Real paths of the program's own files and folders, which are not indexed wherever they lie. */
  readonly ownPlaces?: readonly string[] | undefined;
  /** Reads documents; without it only texts are read. */
  readonly extractor?: Extractor;
  /** Version of the program, stored in the index. */
  readonly version: string;
  /** The built-in table, where it is loaded already or will be needed again. */
  readonly table?: LazyTable;
}

/** A file that could not be indexed, and why, in the user's language. */
export interface FileFailure {
  /** Path relative to the folder, `/` between its parts. */
  readonly path: string;
  readonly reason: string;
}

/** An indexed document some of whose pages hold no text. */
export interface PartlyRead {
  /** Path relative to the folder, `/` between its parts. */
  readonly path: string;
  /** Number of its pages. */
  readonly pages: number;
  /** Those without text, in ascending order. */
  readonly emptyPages: readonly number[];
}

/** The files of a folder that were not read, or not all of them. */
export interface NotRead {
  /** How many files and folders were left out on purpose, by the reason. */
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
  /** Files that could not be read. */
  readonly failed: readonly FileFailure[];
  /**
   * The same files by kind, with the skipped ones that a reader may miss: scans, documents of formats without a loader, and files over the size limit. Absent where
   * there are none, as is `emptyPages`.
   */
  readonly unread?: readonly FileKind[];
  readonly emptyPages?: readonly PartlyRead[];
}

/**
 * Result of an indexing run. Every number counts files unless its name says otherwise. A file is in one count only: of the
 * indexed `files` each is new, changed, renamed or unchanged; the others are skipped or failed. `removed` are those that
 * were indexed and no longer are.
 */
export interface IngestSummary extends NotRead {
  /** Real path of the folder. */
  readonly root: string;
  /** True when everything was processed anew; `rebuildReason` says why if the user did not ask for it. */
  readonly full: boolean;
  readonly rebuildReason?: string;
  readonly new: number;
  readonly changed: number;
  readonly renamed: number;
  readonly removed: number;
  readonly unchanged: number;
  /** Files and chunks in the index now, its size on disk, and the text bytes read in this run. */
  readonly files: number;
  readonly chunks: number;
  readonly indexBytes: number;
  readonly bytesRead: number;
  readonly seconds: number;
  /** False when nothing had changed and the index on disk was left as it is. */
  readonly written: boolean;
  /** Problems beside the index, in the user's language. */
  readonly warnings?: readonly string[];
}

/** State of a run, told now and then. */
export interface IngestProgress {
  readonly step: "scan" | "read" | "write" | "done";
  readonly filesDone: number;
  readonly filesTotal: number;
  readonly bytesDone: number;
  readonly bytesTotal: number;
  readonly chunks: number;
  /** Chunks that got their vectors in this run; absent where the index gets none. */
  readonly embedded?: number;
  /** Chunks found so far whose vectors this run has to make: those that are known are not among them. */
  readonly toEmbed?: number;
  /** The file in hand, relative to the folder. */
  readonly path?: string;
}

/** Options of {@linkcode import("./mod.ts").ingest}. */
export interface IngestOptions {
  /** Process everything anew. */
  readonly full?: boolean;
  /** With `full`: ask the model elsewhere for every vector anew, those that are known included. */
  readonly fresh?: boolean;
  readonly onProgress?: (progress: IngestProgress) => void;
  /** Aborting leaves the old index as it was; the call throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** How long the run may compute without letting others have a turn, in milliseconds; 50 by default. */
  readonly spellMs?: number;
}

/** The report of `status` on one folder. */
export interface FolderStatus extends Partial<NotRead> {
  readonly root: string;
  /**
   * `missing`: never indexed. `outdated`: made by another version. `damaged`: a checksum or the structure is wrong. `moved`:
   * made for another folder. `foreign`: not made by this installation.
   */
  readonly state: "ready" | "missing" | UnusableState;
  /** The problem, in the user's language, when there is an index that cannot be searched. */
  readonly detail?: string;
  readonly indexedAt?: Date;
  readonly files?: number;
  readonly chunks?: number;
  readonly terms?: number;
  /** The model of the vectors and how many numbers each has; absent where the index has none. */
  readonly model?: string;
  readonly dimensions?: number;
  readonly textBytes?: number;
  readonly indexBytes?: number;
  /** How the folder differs from the index now; absent when there is no usable index. */
  readonly stale?: { readonly new: number; readonly changed: number; readonly removed: number };
  /** True while a writer is at work. */
  readonly busy: boolean;
}
