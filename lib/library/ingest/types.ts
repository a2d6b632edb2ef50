/** Inputs and results of an indexing run, with its counts. */
import type { FileKind, SkipReason } from "#library/corpus/mod.ts";
import type { LazyTable } from "#models/embedding/mod.ts";
import type { FileRecord, StoredFile } from "#engine/index/mod.ts";
import type { Extractor } from "#library/extract/mod.ts";
import type { Log } from "#foundation/log.ts";
import type { Span } from "#foundation/span.ts";
import type { Refiner } from "./generation/refiner.ts";
import type { StoreAccess, UnusableState } from "#library/store/mod.ts";

export type { FileKind, SkipReason } from "#library/corpus/mod.ts";

/** The parts of the program that a run uses. */
export interface IngestContext extends StoreAccess {
  /** The user's state folder, which holds the registry of indexed folders. */
  readonly stateDir: string;
  readonly log: Log;
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
interface PartlyRead {
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
  /** The same for pictures inside of documents. */
  readonly recognisedPictures?: number;
  /** The current file, relative to the folder. */
  readonly path?: string;
}

/** How a file ended in a run. The reason why it is not indexed is that of its record. */
export interface FileEnd extends Pick<StoredFile, "reason" | "detail"> {
  /** Relative to the folder, `/` between its parts. That of a folder that is skipped as a whole ends with `/`. */
  readonly path: string;
  /** `removed`: it was in the index and is not in the folder any more. All others are there. */
  readonly end: "indexed" | "unchanged" | "skipped" | "failed" | "removed";
}

/** Options of {@linkcode import("./mod.ts").ingest}. */
export interface IngestOptions {
  /** Process everything again. */
  readonly full?: boolean;
  /** Whether an index that was made with other settings is left alone, by an error, unless `full` is set. Default: it is rebuilt. */
  readonly keepsSettings?: boolean;
  /** Relative paths of files that are read again although they have not changed. */
  readonly again?: ReadonlySet<string>;
  /** Puts the chunks of files right. Without it, files whose chunks were put right before are read again. */
  readonly refiner?: Refiner | undefined;
  readonly onProgress?: (progress: IngestProgress) => void;
  /**
   * With `files.ocr`: recognises the text of scanned pages at once. Without it, the run uses the texts that are known, and
   * the other scans wait: a server recognises them in the background, or a later run does. Default: false.
   */
  readonly recognise?: boolean;
  /** The trace of the run, which its owner ends. */
  readonly span?: Span | undefined;
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
   * with a large index. Default: true, unless machines share the store.
   */
  readonly verify?: boolean;
  /** Writes the whole index again if many small updates have fragmented it. Default: false. */
  readonly merge?: boolean;
  /** The paths that have changed since a run. Only they are looked at, if the index is still that of the run. */
  readonly changes?: FolderChanges | undefined;
  /** Called at the end with the folder as the run found it. */
  readonly onState?: (state: FolderState) => void;
  /**
   * In a store that several machines share: the run helps another run instead of failing with `index_busy`. Called once before it helps.
   * Default: the run helps no other run.
   */
  readonly onJoined?: (() => void) | undefined;
  /** Called at the end with the ends of all files. */
  readonly onEnds?: ((ends: readonly FileEnd[]) => void) | undefined;
}

/** Entries of a folder that are not in its index, as a run found them. */
export interface WalkedEntries {
  /** Relative paths of the folders that were listed, `""` for the root. */
  readonly folders: ReadonlySet<string>;
  /** Files and folders that are skipped by name, place, kind or size. */
  readonly skipped: ReadonlyMap<string, SkipReason>;
  /** Changed files that were left as they were, because they may still be written. */
  readonly unsettled: ReadonlySet<string>;
  /** Whether an ignore file is a link: its rules may change without an event in the folder. */
  readonly hasLinkedRules: boolean;
}

/** A folder as a run found it, and the index that agrees with it. */
export interface FolderState extends WalkedEntries {
  /** When that index was made, see `IndexMeta`. */
  readonly indexedAt: string;
}

/** The paths that have changed in a folder since a run. */
export interface FolderChanges {
  readonly since: FolderState;
  /** Relative paths of files and folders, `""` for the root. */
  readonly paths: ReadonlySet<string>;
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
  /** The parts of the index that are missing, in the user's language. */
  readonly lacking?: readonly string[];
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
  /** The place of an index that several machines share. */
  readonly store?: string;
  /** Whether the folder is on another machine, so that the index was not compared with it. */
  readonly filesElsewhere?: true;
  /** Number of files that the next run would find changed; absent if there is no usable index, or no folder. */
  readonly stale?: { readonly new: number; readonly changed: number; readonly removed: number };
  /** Whether a run holds the writer lock. */
  readonly busy: boolean;
}

/** Number of files by result of the run. Files without text are counted only if they were indexed before. */
export interface FileCounts {
  readonly new: number;
  readonly changed: number;
  readonly renamed: number;
  readonly removed: number;
  readonly unchanged: number;
  /** Bytes of the files that were read. */
  readonly bytesRead: number;
}

/** The result of writing one file into the new index. */
export interface FileOutcome {
  readonly status: FileRecord["status"];
  /** SHA-256 of the content in hexadecimal; empty where the file could not be read. */
  readonly sha256: string;
  /** Whether the content is that of the previous index. */
  readonly same: boolean;
  readonly bytesRead: number;
  /** Chunks that were made of the file in this run. Default: 0. */
  readonly chunks?: number;
  /** The record that was written, for a file that was read. */
  readonly record?: FileRecord;
}

/** Counts the files of a run as new, changed, renamed, removed or unchanged. */
export class FileCounter {
  readonly #counts = { new: 0, changed: 0, renamed: 0, removed: 0, unchanged: 0, bytesRead: 0 };
  /** Number of removed files by content that no new file has turned out to be a rename of. */
  readonly #gone = new Map<string, number>();

  /** `removed`: the files of the previous index that are no longer in the folder. */
  constructor(removed: readonly StoredFile[]) {
    for (const { status, sha256 } of removed) {
      if (status !== "indexed") continue;
      this.#counts.removed++;
      this.#gone.set(sha256, (this.#gone.get(sha256) ?? 0) + 1);
    }
  }

  get counts(): FileCounts {
    return { ...this.#counts };
  }

  /** Counts a file that stays as it is. */
  addKept({ status }: StoredFile): void {
    if (status === "indexed") this.#counts.unchanged++;
  }

  /** Counts a file. `old`: its record in the previous index, if it has one. */
  add(old: StoredFile | undefined, { status, sha256, same, bytesRead }: FileOutcome): void {
    this.#counts.bytesRead += bytesRead;
    const wasIndexed = old?.status === "indexed";
    if (status !== "indexed") this.#counts.removed += wasIndexed ? 1 : 0;
    else if (wasIndexed) this.#counts[same || old.sha256 === sha256 ? "unchanged" : "changed"]++;
    else this.#counts[this.#takeGone(sha256) ? "renamed" : "new"]++;
  }

  /** Whether a removed file has this content. It then counts as renamed, not as removed, and only once. */
  #takeGone(sha256: string): boolean {
    const gone = this.#gone.get(sha256) ?? 0;
    if (gone === 0) return false;
    this.#gone.set(sha256, gone - 1);
    this.#counts.removed--;
    return true;
  }
}

/** How much of the text of scans and pictures is in an index. */
interface RecognitionState {
  /** Pages, and picture files, whose text was recognised. */
  readonly pages: number;
  /** Pictures inside of documents whose text was recognised; absent if there are none. */
  readonly pictures?: number;
  /** Files whose text is still to be recognised. */
  readonly pending: number;
}

/** Counts the recognised pages and pictures of the files of an index; `undefined` if there are none, and none are pending. */
export function recognitionOf(files: readonly StoredFile[]): RecognitionState | undefined {
  let pages = 0, pictures = 0, pending = 0;
  for (const { recognised, recognisedImages, recognition } of files) {
    pages += recognised?.length ?? 0;
    pictures += recognisedImages?.length ?? 0;
    if (recognition === "pending") pending++;
  }
  if (pages + pictures + pending === 0) return undefined;
  return { pages, ...(pictures === 0 ? {} : { pictures }), pending };
}
