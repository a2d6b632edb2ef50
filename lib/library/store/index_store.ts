/**
 * The seam between search or indexing and the place where indexes are kept; `open_index.ts` has its part for reading. The
 * program uses the implementation in `blob/`; `tests/library/store/memory/` has a plain one for tests. A further implementation must
 * pass `tests/library/store/_contract.ts`.
 *
 * Numbers of chunks and files count from 0 within one index. The chunks of a file follow one another, in the order of the
 * file table. Lists of chunk numbers that are passed in are in ascending order, and results are in the order of the list.
 *
 * Terms, document frequencies and BM25 are those of `lib/engine/index/text` and `lib/engine/index/postings`. Several indexes can be
 * searched as one because the caller supplies everything that depends on all of them: the weight of each term (its idf
 * included) and the average length.
 *
 * Methods of an open index throw {@linkcode DamagedIndexError} if stored data differs from the data that was written.
 *
 * Rules for a store:
 * - The index may be forged by anybody who can write to the folder. A store checks what it reads: the path of each file must
 *   stay inside the folder (`isPathInside()`), and an index that this installation did not write is `foreign` (see
 *   `lib/engine/index/blob/format.ts`).
 * - It opens files through `dataFolder()` in `data_folder.ts`. The worker may write to no other part of the folder.
 * - Readers in other processes see the old index or the new one, also after a power cut.
 * - Every store gives the same answers, up to rounding (1e-9). So terms come from `Tokenizer` in `lib/engine/index`, and vectors of
 *   a model that is not `exact` become int8 numbers by `lib/engine/index/vectors/vector_index.ts`.
 *
 * To add a store:
 * 1. Write `lib/library/store/NAME/`. `data_folder.ts` and the checks of `open_index.ts` serve all stores, and `tests/library/store/memory/`
 *    is an example of 500 lines.
 * 2. Add a line to `tests/library/store/_stores.ts`, and run `contract_test.ts` and `same_answers_test.ts`.
 * 3. Choose the store in `folder_store.ts`.
 * @module
 */
import type { ExactVectors, FileRecord, IndexMeta, NewChunk, VectorMeta } from "#engine/index/mod.ts";
import type { ReadableFile } from "#foundation/boundary/mod.ts";
import type { TakenAway } from "./data_folder.ts";
import type { OpenIndex } from "#engine/open_index.ts";

/** State of an index that cannot be searched; `lib/engine/index/blob/format.ts` explains `moved` and `foreign`. */
export type UnusableState = "outdated" | "damaged" | "moved" | "foreign";

/** Result of opening a folder's index. */
export type LoadedIndex =
  | { readonly state: "ready"; readonly index: OpenIndex }
  | { readonly state: "missing" }
  /** `problem` says in English what is wrong with it. */
  | { readonly state: UnusableState; readonly problem: string };

/** Writes an index, file after file: new ones chunk by chunk, unchanged ones taken over from the previous index. */
export interface IndexWriter {
  /** The number of the next chunk in this writer, for {@linkcode contentHash} and {@linkcode setVector}. */
  readonly chunkCount: number;
  /** Takes over file number `file` of the previous index under a new record, or, without one, under the one that it has. */
  keep(record: FileRecord | undefined, file: number): void | Promise<void>;
  /** Adds a file without chunks. */
  addEmpty(record: FileRecord): void | Promise<void>;
  /** Begins a new file. */
  beginFile(): void;
  /** Adds the next chunk of the file that was begun. */
  addChunk(chunk: NewChunk): void;
  /** Ends the file that was begun. */
  endFile(record: FileRecord): void | Promise<void>;
  /** The content hash of a chunk that was added: see {@linkcode ChunkIdentity}. */
  contentHash(chunk: number): Uint8Array;
  /** Sets the vector (length 1, or zeros) of a chunk that was added, and bytes to store beside it. Default: zeros. */
  setVector(chunk: number, vector: Float32Array, words?: Uint8Array): void;
  /**
   * Writes the remaining data. `pause` is awaited between pieces of the work and may throw to stop it. `embedded` is
   * awaited before vectors are written; every vector must be set by then, or be returned by the function that it gives.
   * Throws `IndexTooLargeError`.
   */
  finish(
    meta: Omit<IndexMeta, "tokenizer">,
    pause: () => Promise<void>,
    embedded?: () => Promise<ExactVectors | void>,
  ): Promise<unknown>;
}

/** How much an update changes, at most. */
export interface IndexChanges {
  /** Bytes of the files to read. */
  readonly bytes: number;
  /** Chunks of the previous index that are gone or replaced. */
  readonly chunks: number;
}

/** Input of a new index. */
export interface WriteOptions {
  /** The index whose files may be kept. */
  readonly previous?: OpenIndex | undefined;
  /** How much differs from `previous`. If it is little, a store may write only that. Default: everything is written. */
  readonly changes?: IndexChanges | undefined;
  /** The vectors that the index gets. Those of `previous` must be of the same model. */
  readonly vectors?: VectorMeta | undefined;
}

/** The writer lock of a folder. */
export interface StoreLock extends Disposable {
  /** The things that lay in the place of the store's files and were taken away. */
  readonly takenAway: readonly TakenAway[];
}

/** The index of one folder. Writing needs the lock. */
export interface IndexStore {
  /** The folder's real path. */
  readonly root: string;
  /** Path of its data folder if that is not `DIR/.muxue_rag`. */
  readonly elsewhere?: string | undefined;
  /** Location of the index for messages, such as the path of a file. */
  readonly location: string;
  /**
   * Opens the index. With `forUpdate`, an index that was made for another folder is ready too. Throws `UserError`
   * `data_folder_unsafe`, and errors of the system for an index that is there and cannot be opened.
   */
  open(options?: { readonly forUpdate?: boolean }): Promise<LoadedIndex>;
  /** A text that changes when the index is replaced; `undefined` if there is no index. */
  version(): Promise<string | undefined>;

  /** Whether a process holds the lock; false if that cannot be found out. */
  isLocked(): Promise<boolean>;
  /**
   * Takes the writer lock and creates the data folder if it does not exist. Whatever is in the place of the store's files
   * without being a file, such as a link, is taken away. The lock ends with the process at the latest.
   * Throws `UserError` `index_busy`, `no_file_locks`, `data_folder_unsafe`, `data_folder_unwritable`, `disk_full`.
   */
  lock(): Promise<StoreLock>;
  /**
   * Replaces the index by what `write` puts into the writer and finishes: readers and a power cut see the old index or
   * the new one. If `write` throws, the old index stays. Throws `UserError` as {@linkcode lock}, and what `write` throws.
   */
  replace<T>(options: WriteOptions, write: (writer: IndexWriter) => Promise<T>): Promise<T>;
  /**
   * Writes an open index of this store, which was verified, into an empty file that is open for writing. Returns its bytes.
   */
  backUp(index: OpenIndex, file: Deno.FsFile): Promise<number>;
  /**
   * Opens a backup for {@linkcode restore} after checking every byte. Takes over the file, which is open for reading. Throws
   * {@linkcode DamagedIndexError}, {@linkcode OutdatedIndexError} and {@linkcode ForeignIndexError}.
   */
  openBackup(file: ReadableFile): Promise<OpenIndex>;
  /** Replaces the index by a backup. */
  restore(backup: OpenIndex): Promise<void>;
}
