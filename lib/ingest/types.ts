import type { SkipReason } from "../corpus/mod.ts";
import type { LazyTable } from "../embedding/mod.ts";
import type { FileKind, IndexKey } from "../index/mod.ts";
import type { Extractor } from "../extract/mod.ts";
import type { Log } from "../log/mod.ts";
import type { IndexDirs, IndexStore, UnusableState } from "../store/mod.ts";
import type { RecognitionState } from "./recognition/recognition_state.ts";
import type { FileCounts } from "./file_counter.ts";
import type { FolderChanges, FolderState } from "./folder_state.ts";

export type { FileKind, FolderChanges, FolderState, SkipReason };

/** The parts of the program that a run uses. */
export interface IngestContext {
  /** The user's state folder, which holds the registry of indexed folders. */
  readonly stateDir: string;
  readonly log: Log;
  /** The key that indexes are sealed and checked with. */
  readonly indexKey: IndexKey;
  /** Data folders that are not `DIR/.muxue_rag`. */
  readonly indexDirs?: IndexDirs;
  /** Opens the store of a folder, a real path. Default: the store of the program. */
  readonly storeOf?: ((root: string) => IndexStore) | undefined;
  /** Real paths of the program's own files and folders. They are never indexed. */
  readonly ownPlaces?: readonly string[] | undefined;
  /** The folder of installed models; null if it is unknown. Default: null. */
  readonly modelsDir?: string | null;
  /** Extracts documents. Without it only plain texts are read. */
  readonly extractor?: Extractor;
  /** Version of the program, stored in the index. */
  readonly version: string;
  /** The built-in table of word vectors, if the caller shares it. */
  readonly table?: LazyTable;
}

/** A file that could not be indexed, and why, in the user's language. */
export interface FileFailure {
  /** Path relative to the folder, `/` between its parts. */
  readonly path: string;
  readonly reason: string;
}

/** An indexed document of which some pages hold no text. */
export interface PartlyRead {
  /** Path relative to the folder, `/` between its parts. */
  readonly path: string;
  /** Number of its pages. */
  readonly pages: number;
  /** Numbers of the pages without text, in ascending order. */
  readonly emptyPages: readonly number[];
}

/** The files of a folder that were not read, or only in part. */
export interface NotRead {
  /** Number of files and folders that were skipped on purpose, by reason. */
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
  /** Files that could not be read. */
  readonly failed: readonly FileFailure[];
  /**
   * The failed files by kind, with the skipped files that a user may miss: scans, documents in formats without a loader,
   * and files over the size limit. Absent if there are none, as is `emptyPages`.
   */
  readonly unread?: readonly FileKind[];
  readonly emptyPages?: readonly PartlyRead[];
}

/**
 * Result of an indexing run. Numbers count files unless the name says otherwise. Every indexed file is new, changed, renamed
 * or unchanged; all other files are skipped or failed. `removed` counts files that were indexed and no longer are.
 */
export interface IngestSummary extends NotRead, FileCounts {
  /** Real path of the folder. */
  readonly root: string;
  /** Whether everything was processed again; `rebuildReason` says why if the user did not ask for it. */
  readonly full: boolean;
  readonly rebuildReason?: string;
  /** Indexed files, chunks and bytes of the index. */
  readonly files: number;
  readonly chunks: number;
  readonly indexBytes: number;
  /** Absent if no text was recognised and no scan waits for it. */
  readonly recognition?: RecognitionState;
  readonly seconds: number;
  /** False if nothing had changed and the index was left as it was. */
  readonly written: boolean;
  /** Problems that did not keep the index from being written, in the user's language. */
  readonly warnings?: readonly string[];
  /** Relative paths of the files that may still be written; absent if there are none. */
  readonly unsettled?: readonly string[];
}

/** Progress of a run, or of a check of the index (`check`). */
export interface IngestProgress {
  readonly step: "check" | "scan" | "read" | "write" | "done";
  readonly filesDone: number;
  readonly filesTotal: number;
  readonly bytesDone: number;
  readonly bytesTotal: number;
  readonly chunks: number;
  /** Chunks embedded in this run; absent if the index gets no vectors. */
  readonly embedded?: number;
  /** Chunks found so far that are new. */
  readonly toEmbed?: number;
  /** Pages whose text was recognised in this run; absent if there are none. */
  readonly recognised?: number;
  /** The current file, relative to the folder. */
  readonly path?: string;
}

/** Options of {@linkcode import("./mod.ts").ingest}. */
export interface IngestOptions {
  /** Process everything again. */
  readonly full?: boolean;
  /** Whether an index that was made with other settings is left alone, by an error, unless `full` is set. Default: it is rebuilt. */
  readonly keepsSettings?: boolean;
  /** Relative paths of files that are read again although they have not changed. */
  readonly again?: ReadonlySet<string>;
  readonly onProgress?: (progress: IngestProgress) => void;
  /**
   * With `files.ocr`: recognises the text of scanned pages at once. Without it, the run uses the texts that are known, and
   * the other scans wait: a server recognises them in the background, or a later run does. Default: false.
   */
  readonly recognise?: boolean;
  /** Stops the run, which then throws the signal's reason and leaves the old index as it was. */
  readonly signal?: AbortSignal;
  /** How long the run may block the event loop, in milliseconds. Default: 50. */
  readonly spellMs?: number;
  /**
   * Files whose modification time is less than so many milliseconds ago may still be written. They are left as they were,
   * and the summary lists them. Default: 0.
   */
  readonly settleMs?: number;
  /**
   * Checks all bytes of the previous index. Without it, only the parts that the run reads are checked, which is much faster
   * with a large index. Default: true.
   */
  readonly verify?: boolean;
  /** Writes the whole index again if many small updates have fragmented it. Default: false. */
  readonly merge?: boolean;
  /** The paths that have changed since a run. Only they are looked at, if the index is still that of the run. */
  readonly changes?: FolderChanges | undefined;
  /** Called at the end with the folder as the run found it. */
  readonly onState?: (state: FolderState) => void;
}

/** The report of `status` on one folder. */
export interface FolderStatus extends Partial<NotRead> {
  readonly root: string;
  /**
   * `missing`: never indexed. `outdated`: made by another version. `damaged`: a checksum or the structure is wrong. `moved`:
   * made for another folder. `foreign`: not made by this installation.
   */
  readonly state: "ready" | "missing" | UnusableState;
  /** The problem in the user's language, if the index cannot be searched or must be rebuilt. */
  readonly detail?: string;
  readonly indexedAt?: Date;
  readonly files?: number;
  readonly chunks?: number;
  readonly terms?: number;
  /** Model and dimensions of the vectors; absent if the index has none. */
  readonly model?: string;
  readonly dimensions?: number;
  readonly textBytes?: number;
  readonly indexBytes?: number;
  /** Absent if no text was recognised and no scan waits for it. */
  readonly recognition?: RecognitionState;
  /** Number of files that the next run would find changed; absent if there is no usable index. */
  readonly stale?: { readonly new: number; readonly changed: number; readonly removed: number };
  /** Whether a run holds the writer lock. */
  readonly busy: boolean;
}
