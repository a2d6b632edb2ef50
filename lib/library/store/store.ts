/**
 * The seam to the place where everything that is kept about a collection lies: its index with the records of its files, the
 * vectors of neural models, recognised texts, locks, backups. The rest of the program knows only this interface.
 *
 * `folder/` keeps a collection in the data folder `DIR/.muxue_rag`, `postgres/` in a database, `sharded/` in several other stores;
 * `tests/library/store/memory/` keeps one in memory. `open_store.ts` chooses.
 *
 * To add a store:
 * 1. Write `lib/library/store/NAME/` with a class that implements {@linkcode Store}. Its constructor connects to nothing; methods do
 *    that when they are called, and load what they need late.
 *    - *The index.* A store that keeps bytes needs no search of its own: the `IndexWriter` of `lib/engine/index` writes a whole index into
 *      a `MemoryFile`, and a `BlobIndex` over `IndexReader.open()` is the {@linkcode OpenIndex} (`examples/engine.ts`). The numbers that
 *      {@linkcode WriteOptions.previous} has are those of its reader. A store that searches in another way, such as a database,
 *      implements `OpenIndex`; `tests/library/store/memory/memory_index.ts` is the plainest form of that. `openWhole()`,
 *      `copyIndex()` and `unusable()` (`folder/delta.ts`) open and copy a whole index, and turn its errors into states.
 *    - *Vectors.* {@linkcode TableReader} (`vector_table.ts`) has them in memory: a store adds `refresh()` to its part of a
 *      {@linkcode VectorReader}.
 *    - *Checks.* {@linkcode isMadeFor}, {@linkcode movedFrom} and {@linkcode isPathInside} check an index that is opened. An index is
 *      sealed by its writer; vectors and texts by `sealOf()` of `lib/engine/index`.
 *    - *Locks* are those of the operating system (`WriterLock` in `folder/data_folder.ts`), each on a small file of its own that is
 *      never replaced, since three kinds of work are done at once.
 *    - *Files* are opened through `OwnFolder` of `lib/foundation/boundary`, and the worker may write to the data folder alone
 *      (`dataFolder()` in `folder/data_folder.ts`). An address needs a permission (`permissions.ts` there).
 * 2. Add a line to `tests/library/store/_stores.ts`, and run `contract_test.ts` until it passes: its sentences are the specification,
 *    in the order in which a store is best written. `same_answers_test.ts` and `model_test.slow.ts` then compare whole searches and random
 *    updates with the store in memory, and `damaged_fuzz_test.slow.ts` changes bytes of its files (`filesOf` knows them by their endings): each is
 *    noticed, or changes nothing. The store is done when all four pass.
 * 3. Add its line to `openStore()` in `open_store.ts`, above the one of the folder, and its files to the table of
 *    `lib/library/README.md`.
 *
 * Rules that no type expresses:
 * - **Numbers.** Files and chunks count from 0 within an index. The chunks of a file follow one another, in the order of the file
 *   table. Lists of chunk numbers that are passed in are in ascending order, and results are in the order of the list.
 * - **Same answers.** Every store gives the same scores, up to rounding (1e-9). So terms come from `Tokenizer`, BM25 has the
 *   constants of `lib/engine/index`, and vectors are kept as int8 numbers (`quantizeRow`). The caller
 *   supplies whatever depends on several indexes: the weight of each term, its idf included, and the average length.
 * - **Old or new.** A reader, also in another process, sees the old index or the new one, never a mixture, also after a power cut.
 *   An {@linkcode OpenIndex} shows the state in which it was opened until it is closed.
 * - **Forgery.** Anybody who can write to the place may forge what is kept. A store checks what it reads: the path of each file stays
 *   inside the folder, and what another installation wrote is `foreign`, or counts as missing where it can be made again (see
 *   `lib/engine/index/blob/format.ts`). Damage found later is thrown as {@linkcode DamagedIndexError}.
 * - **Nothing stays open** but what the caller closes: indexes, vectors, locks. A server pools its connections for the process and
 *   lets idle ones go.
 * - **Shared places.** A store counts and removes only what is its own. The list of files is part of the index; a backup lies where the
 *   caller puts it.
 * - Methods may be called at the same time. Writing needs the lock that is named.
 * @module
 */
import type {
  FieldTables,
  FileRecord,
  GeneratedOf,
  IndexMeta,
  NewChunk,
  OpenIndex,
  TermThread,
  VectorMeta,
} from "#engine/index/mod.ts";
import type { Phrase } from "#foundation/messages/mod.ts";
import { comparable, isHostilePath } from "#foundation/boundary/mod.ts";
import type { UserError } from "#foundation/errors.ts";

/** Everything that is kept about one folder. */
export interface Store {
  /** The folder's real path. */
  readonly root: string;
  /** Where everything lies, for messages: the path of a folder, or an address. */
  readonly location: string;
  /** Where the index lies, for messages about it. */
  readonly indexLocation: string;
  /** Path of the data folder if that is not `DIR/.muxue_rag`. The list of indexed folders (`registry.ts`) remembers it. */
  readonly elsewhere?: string | undefined;
  /**
   * Whether several machines share it. If the folder is on another machine, nothing is known of the files, and their texts come from the
   * index.
   */
  readonly isShared?: boolean | undefined;
  /** Facts about the server that everything lies on. Absent, or `undefined`, where there is none. */
  facts?(): Promise<StoreFacts | undefined>;

  /** Whether anything is kept. Throws `UserError` `data_folder_unsafe`. */
  exists(): Promise<boolean>;
  /** Bytes of all that is kept. */
  bytes(): Promise<number>;
  /**
   * Removes everything, by the holder of no lock. Returns false if there is nothing. Throws `UserError` `index_busy`,
   * `data_folder_unsafe`, `data_folder_unwritable`.
   */
  remove(): Promise<boolean>;

  /** Looks at the server that proposes the nearest vectors. Absent without one. */
  vectorPlace?(): Promise<VectorPlace | undefined>;
  /** Why the vectors of the index that was written last are not in the place that proposes the nearest of them. */
  readonly vectorProblem?: UserError | undefined;

  /**
   * Opens the index. Throws `UserError` `data_folder_unsafe`, and errors of the system for an index that is there and cannot be
   * opened.
   */
  open(options?: OpenOptions): Promise<LoadedIndex>;
  /** A text that changes when the index is replaced; `undefined` if there is no index. Every search asks for it. */
  version(): Promise<string | undefined>;
  /**
   * Replaces the index by what `write` puts into the writer and finishes. If `write` throws, the old index stays. Needs the lock
   * of the index. Throws `UserError` as {@linkcode lock}, and what `write` throws.
   */
  replace<T>(options: WriteOptions, write: (writer: IndexWriter) => Promise<T>): Promise<T>;

  /**
   * Takes the right to do a kind of work, which one process at a time has. It ends with the process at the latest. Taking the lock of
   * the index begins a collection of which nothing is kept yet. Another thing in the place of one of the store's own, such as a link, is
   * taken away. Throws `UserError` `index_busy` (`vectors_busy` for `vectors`), `no_file_locks`, `data_folder_unsafe`,
   * `data_folder_unwritable`, `disk_full`.
   */
  lock(work?: StoreWork): Promise<StoreLock>;
  /** Whether a process holds the lock of the index; false if that cannot be found out. */
  isLocked(): Promise<boolean>;

  /** The work that several writers share while one of them holds the lock of the index. Absent, or `undefined`, where one does it alone. */
  sharedWork?(): Promise<SharedWork | undefined>;

  /** Writes an open index of this store, which was verified, into an empty sink. Returns its bytes. */
  backUp(index: OpenIndex, sink: ByteSink): Promise<number>;
  /**
   * Opens a backup for {@linkcode restore} after checking every byte. Takes over the source. Throws
   * {@linkcode DamagedIndexError}, {@linkcode OutdatedIndexError} and {@linkcode ForeignIndexError}.
   */
  openBackup(source: ByteSource): Promise<OpenIndex>;
  /** Replaces the index by a backup. Needs the lock of the index. */
  restore(backup: OpenIndex): Promise<void>;

  /** The vectors of neural models. */
  readonly vectors: VectorStore;
  /** The texts that were recognised in scans. */
  readonly recognised: RecognisedTexts;
  /** The results of language models. */
  readonly generated: GeneratedTexts;
  /** The runs of evaluations. */
  readonly evaluations: EvaluationRuns;
  /** The files that the user took out of the index. */
  readonly removed: RemovedFiles;
}

/**
 * A run that several writers do together: the holder of the lock of the index divides the new files into batches, and each writer claims
 * one after the other. A batch is in the index as a whole or not at all. If its writer is gone, another writer claims it. Taking the lock
 * ends the previous run: a batch that is not published by then is never published.
 */
export interface SharedWork {
  /** Begins a run, which has no batches yet. Needs the lock of the index. Throws `store_lock_lost` if another process has it. */
  begin(settings: string): Promise<void>;
  /** Gives the run batches, in the place of those that it has. Needs the lock of the index, as {@linkcode begin} does. */
  divide(batches: readonly (readonly SharedFile[])[]): Promise<void>;
  /** Ends the run. Needs the lock of the index. */
  end(): Promise<void>;
  /** The settings of the run; `undefined` if there is none. */
  settings(): Promise<string | undefined>;
  /** Takes a batch of a run with these settings; `undefined` if there is none to take. */
  claim(settings: string): Promise<SharedBatch | undefined>;
  /** Whether writers have batches, or could take some. */
  isUnfinished(): Promise<boolean>;
}

/** A new file of a run, as the writer saw it that divided the run. */
export type SharedFile = Pick<FileRecord, "path" | "size" | "mtimeMs" | "ctimeMs">;

/** A batch that a writer has until it is disposed of. */
export interface SharedBatch extends AsyncDisposable {
  readonly files: readonly SharedFile[];
  /**
   * Adds what `write` puts into the writer to the index in one step, without files that could not be read, and ends the batch. Changes
   * nothing and returns false if another writer has the batch by now, or the run has ended.
   */
  publish(
    vectors: VectorMeta | undefined,
    write: (writer: IndexWriter) => Promise<unknown>,
  ): Promise<boolean>;
}

/** The server of a store. */
export interface StoreFacts {
  /** Its version. */
  readonly server: string;
  /** Version of the extension for vectors; absent where it is not installed. */
  readonly pgvector?: string;
  /** The first version of the extension without known errors, if the installed one is older. */
  readonly soundFrom?: string;
  /** Version of the tables; absent where there are none yet. */
  readonly tables?: number;
  /** Bytes of the index, and of parts that are replaced and not removed yet. */
  readonly bytes: number;
  readonly retired: number;
  /** Whether it can only be read. */
  readonly isReplica: boolean;
  /** Roles without which the program alone, and not the server, keeps from people with tokens what they may not see. */
  readonly missingRoles?: readonly string[];
}

/** The state of the place that proposes the nearest vectors, in words. */
export interface VectorPlace {
  readonly phrase: Phrase;
  readonly isWell: boolean;
}

/** A choice of files: returns a 1 for each of the files that is chosen, and a 0 for each other one. `tables`: what the files say about themselves. */
export type FileMask = (files: readonly FileRecord[], tables: FieldTables) => Uint8Array;

/** Options of {@linkcode Store.open}. */
export interface OpenOptions {
  /** Whether an index that was made for another folder is ready too. */
  readonly forUpdate?: boolean;
  /**
   * Chooses the files that the index shows. The others are not listed, found or counted, as if they had never been there: numbers,
   * frequencies and lengths are those of an index without them, and so are the scores. Not for updates or backups. Default: all files.
   */
  readonly shows?: FileMask | undefined;
}

/** Work for which a store has a lock. The index can be written while vectors are made, texts recognised or generated. */
export type StoreWork = "index" | "vectors" | "recognition" | "generation";

/** State of an index that cannot be searched; `lib/engine/index/blob/format.ts` explains `moved` and `foreign`. */
export type UnusableState = "outdated" | "damaged" | "moved" | "foreign";

/** Result of opening a folder's index. */
export type LoadedIndex =
  | {
    readonly state: "ready";
    readonly index: OpenIndex;
    /** The missing parts of it, such as the part in a database that does not answer. */
    readonly lacking?: readonly Phrase[];
  }
  | { readonly state: "missing" }
  /** `problem` says in English what is wrong with it. */
  | { readonly state: UnusableState; readonly problem: string };

/** A lock that is held until it is disposed of. */
export interface StoreLock extends AsyncDisposable {
  /** The things that lay in the place of the store's own and were taken away. */
  readonly takenAway: readonly TakenAway[];
}

/** An entry that was in the way of one of the store's own. */
export interface TakenAway {
  readonly path: string;
  /** The name that it has now, if it was a folder with content. */
  readonly aside?: string;
}

/** Input of a new index. */
export interface WriteOptions {
  /** The index whose files may be kept. */
  readonly previous?: OpenIndex | undefined;
  /** How much differs from `previous`. If it is little, a store may write only that. Default: everything is written. */
  readonly changes?: IndexChanges | undefined;
  /** Numbers of the files of `previous` whose chunks get other generated texts. Default: none. */
  readonly generatedFiles?: readonly number[];
  /** The vectors that the index gets. Those of `previous` must be of the same model. */
  readonly vectors?: VectorMeta | undefined;
  /** Finds the terms of the chunks, if the store can use it; only without `previous`. */
  readonly thread?: TermThread | undefined;
}

/** How much an update changes, at most. */
export interface IndexChanges {
  /** Bytes of the files to read. */
  readonly bytes: number;
  /** Chunks of the previous index that are gone or replaced. */
  readonly chunks: number;
}

/**
 * Writes an index, file after file: new ones chunk by chunk, unchanged ones taken over from the previous index. Chunks are added
 * without waiting; a store that writes elsewhere collects them and waits in {@linkcode endFile}.
 */
export interface IndexWriter {
  /** The number of the next chunk in this writer, for {@linkcode setVector}. */
  readonly chunkCount: number;
  /**
   * Takes over file number `file` of the previous index under a new record, or, without one, under the one that it has. With
   * `generatedOf`, which needs {@linkcode WriteOptions.generatedFiles}, its chunks may get other generated texts.
   */
  keep(record: FileRecord | undefined, file: number, generatedOf?: GeneratedOf): void | Promise<void>;
  /** Adds a file without chunks. */
  addEmpty(record: FileRecord): void | Promise<void>;
  /** Begins a new file, of which the record will have this path. */
  beginFile(path: string): void;
  /** Adds the next chunk of the file that was begun. */
  addChunk(chunk: NewChunk): void;
  /** Ends the file that was begun. */
  endFile(record: FileRecord): void | Promise<void>;
  /** Waits while work in another thread is far behind. `pause` is awaited meanwhile and may throw to stop it. Throws the failure of the work. */
  caughtUp?(pause: () => Promise<void>): Promise<void>;
  /** Sets the vector (length 1, or zeros) of a chunk that was added, and bytes to store beside it. Default: zeros. */
  setVector(chunk: number, vector: Float32Array, words?: Uint8Array): void;
  /**
   * Writes the remaining data. `pause` is awaited between pieces of the work and may throw to stop it. `embedded` is
   * awaited before vectors are written; every vector must be set by then. Throws `IndexTooLargeError`.
   */
  finish(
    meta: Omit<IndexMeta, "tokenizer">,
    pause: () => Promise<void>,
    embedded?: () => Promise<void>,
  ): Promise<unknown>;
}

/** Takes the bytes of a backup, like a file that is open for writing, as `lib/engine/index` writes to one. */
export interface ByteSink {
  /** Writes bytes at the current place. Returns how many of them, 1 at least. */
  writeSync(bytes: Uint8Array): number;
  /** Sets the place from the start. */
  seekSync(offset: number, whence: 0): number;
}

/** The bytes of a backup, like a file that is open for reading, as `lib/engine/index` reads from one. */
export interface ByteSource {
  statSync(): { readonly size: number };
  /** Sets the place from the start. */
  seekSync(offset: number, whence: 0): number;
  /** Reads bytes from the current place on. Returns how many; `null` at the end. */
  readSync(bytes: Uint8Array): number | null;
  close(): void;
}

/** A model whose vectors are kept. */
export interface VectorModel {
  readonly id: string;
  readonly dimensions: number;
}

/** The vector of a text, by the text's content hash: see {@linkcode ChunkIdentity}. */
export interface ContentVector {
  /** Of which the first {@linkcode HASH_BYTES} bytes are used. */
  readonly hash: Uint8Array;
  /** Of length 1; zeros for a text that the model refused. */
  readonly vector: Float32Array;
}

/**
 * The vectors of neural models for the texts of a collection, by model and content hash. They are made after the index, in the
 * background, by the holder of the lock `vectors`, while searches read them. A vector that is damaged, was torn by a power cut, or was
 * written by another installation counts as missing.
 */
export interface VectorStore {
  /** Numbers in the vectors that are kept of a model; `undefined` if there are none. Throws `data_folder_unsafe`. */
  dimensions(model: string): Promise<number | undefined>;
  /** The vectors of a model for searches. Nothing is read before {@linkcode VectorReader.refresh}. */
  read(model: VectorModel): VectorReader;
  /**
   * Opens the vectors of a model for more of them. Those that cannot be used are removed when the first one is added. With `fresh`, a new set
   * begins, which {@linkcode VectorWriter.finish} puts in the place of the one that is kept; without that it is discarded.
   * Throws `data_folder_unsafe` and `data_folder_unwritable`.
   */
  write(model: VectorModel, options?: { readonly fresh?: boolean }): Promise<VectorWriter>;
  /**
   * Removes the vectors of all models in this program (`local…`) but the given ones, as far as possible. Those of servers stay: they
   * were paid for.
   */
  keepOnly(models: readonly string[]): Promise<void>;
}

/** The vectors of one model, in rows that count from 0. Disposing of it frees its memory; the next refresh reads again. */
export interface VectorReader extends Disposable {
  /** Number of rows. It changes with {@linkcode refresh} alone. */
  readonly size: number;
  /**
   * Reads what was written since the last call. Returns false if the rows have other numbers now, because the vectors were written
   * anew or are gone. Throws `data_folder_unsafe`, and the errors of the system.
   */
  refresh(): Promise<boolean>;
  /** Returns the row of each content hash, -1 for one without a vector. */
  rowsOf(hashes: readonly Uint8Array[]): Promise<Int32Array>;
  /** Returns the vectors of rows. Kept again, here or in another store, they have the same numbers. */
  vectors(rows: Int32Array): Promise<Float32Array[]>;
  /** Returns the cosine of a vector of length 1 with each row. */
  cosines(query: Float32Array): Promise<Float32Array>;
}

/** Adds vectors of one model. Its methods throw `disk_full` and `data_folder_unwritable`. */
export interface VectorWriter extends AsyncDisposable {
  /** Numbers in a vector. */
  readonly dimensions: number;
  /** Number of vectors. */
  readonly size: number;
  /** Returns for each content hash whether it has a vector. */
  has(hashes: readonly Uint8Array[]): Promise<boolean[]>;
  /** Adds vectors. When it returns, readers can find them. Calls at the same time are carried out in their order. */
  append(entries: readonly ContentVector[]): Promise<void>;
  /** Returns when everything that was added will outlast a power cut. */
  flush(): Promise<void>;
  /** Returns whether another process has changed the vectors since they were opened. */
  hasChanged(): Promise<boolean>;
  /** Removes every vector whose hash `keeps` does not accept. */
  compact(keeps: (hash: Uint8Array) => boolean): Promise<void>;
  /** Puts a fresh set in its place, unless nothing was added to it. */
  finish(): Promise<void>;
}

/**
 * The texts that were recognised in documents, by the SHA-256 of their content in hexadecimal, and in pictures inside of documents, by
 * {@linkcode pictureKey}, so that no page or picture is recognised twice. Several processes may write at once. A text that is damaged or
 * was written by another installation counts as missing.
 */
export interface RecognisedTexts {
  /** Returns the texts of a document; `undefined` if there are none. */
  get(sha256: string): Promise<RecognisedPages | undefined>;
  /**
   * Replaces the texts of a document. Does nothing in a collection of which nothing is kept. Throws `data_folder_unsafe`,
   * `data_folder_unwritable` or `disk_full`.
   */
  set(sha256: string, pages: RecognisedPages): Promise<void>;
  /** Removes the texts of all other documents, and of the pictures that the rest does not have. Never throws. */
  keepOnly(needed: ReadonlySet<string>): Promise<void>;
}

/** Most runs that are kept, bytes of one, and bytes of all. */
export const RUN_LIMITS = { runs: 100, bytes: 8_000_000, allBytes: 64_000_000 } as const;

/** The runs of evaluations: texts by names that begin with the time. Several processes may write at once. Their content may be forged. */
export interface EvaluationRuns {
  /** The names, the oldest first. */
  names(): Promise<string[]>;
  /** Returns the text of a run; `undefined` if there is none. */
  get(name: string): Promise<string | undefined>;
  /**
   * Keeps a run, and removes the oldest beyond {@linkcode RUN_LIMITS}. Returns false for one that is too large, and in a collection of
   * which nothing is kept. Throws `data_folder_unsafe`, `data_folder_unwritable` or `disk_full`.
   */
  set(name: string, text: string): Promise<boolean>;
}

/** Most files that may be taken out of an index one by one. */
export const MOST_REMOVED = 100_000;

/**
 * The files that the user took out of the index, by their paths relative to the folder. No run indexes them until they are taken from
 * the list. The files themselves stay. The list may be forged; it can only hide files.
 */
export interface RemovedFiles {
  /** Every search and each run asks for them. Throws `UserError` `removed_list_unusable`, and errors of the system. */
  paths(): Promise<ReadonlySet<string>>;
  /** Another text as soon as the list is another one. */
  version(): Promise<string>;
  /**
   * Puts paths on the list. Returns how many were not on it; 0 in a collection of which nothing is kept. Calls at once, also of
   * several processes, are carried out one after the other. Throws `removed_too_many`, `data_folder_unsafe`,
   * `data_folder_unwritable` or `disk_full`.
   */
  add(paths: ReadonlySet<string>): Promise<number>;
  /** Takes paths from the list. Returns how many were on it. Otherwise like {@linkcode add}. */
  delete(paths: ReadonlySet<string>): Promise<number>;
}

/** Why the text of a page was given up: it took too much time or memory, or its picture cannot be read. */
export type RecognitionFailure = "too_complex" | "unreadable";

/** The text that was recognised in the pages of a document. */
export interface RecognisedPages {
  /** By the number of the page; empty for a page without text. */
  readonly texts: ReadonlyMap<number, string>;
  /** Why no text could be recognised in the other pages that were tried, by their number. */
  readonly failed?: ReadonlyMap<number, RecognitionFailure>;
  /** The pictures in which text may be recognised, by their number; absent until they were listed. */
  readonly pictures?: ReadonlyMap<number, RecognisedPicture>;
  /** Number of pictures that are left out because of a limit. */
  readonly left?: number;
  /** Whether every page and picture was tried. */
  readonly isComplete: boolean;
  /** Names and sizes of the languages' data. Other data may give other texts. */
  readonly languages: string;
}

/** A picture inside of a document: its text, or why it has none. Both are absent until it was tried. */
export interface RecognisedPicture {
  /** SHA-256 of its bytes in hexadecimal. */
  readonly sha256: string;
  readonly text?: string;
  readonly failed?: RecognitionFailure;
}

const PICTURE_END = "-picture";

/** Returns the key of a picture among recognised texts, where its text is that of page 1. */
export function pictureKey(sha256: string): string {
  return `${sha256}${PICTURE_END}`;
}

/** Returns whether a key is that of a picture. */
export function isPictureKey(key: string): boolean {
  return key.endsWith(PICTURE_END);
}

/**
 * Results of language models, values of JSON by a key of 64 hexadecimal digits: a SHA-256 of everything that decides the result, so
 * that nothing is asked and paid for twice. Several processes may write at once. A result that is damaged or was written by another
 * installation counts as missing.
 */
export interface GeneratedTexts {
  /** The keys of all results, also of damaged ones. */
  keys(): Promise<readonly string[]>;
  /** Returns the result of a key; `undefined` if there is none. */
  get(key: string): Promise<unknown>;
  /**
   * Keeps a result. It outlasts the end of the process and a power cut. Does nothing in a collection of which nothing is kept, and with a
   * result that is too large (256 KB). Throws `data_folder_unsafe`, `data_folder_unwritable` or `disk_full`.
   */
  set(key: string, value: unknown): Promise<void>;
  /**
   * Removes the results that no call has had among `used` for {@linkcode UNUSED_DAYS}; in a large store only when they are many. Never
   * throws. `now`: the time of the call.
   */
  prune(used: ReadonlySet<string>, now: Date): Promise<void>;
  /** Reads every result. Returns how many are sound, and how many count as missing because they are damaged. */
  verify(): Promise<{ readonly results: number; readonly damaged: number }>;
}

/** Days after which a result that is not used any more is removed. It was paid for, and a text may come back. */
export const UNUSED_DAYS = 90;

/** Returns whether an index was made for the folder `root`, a real path. */
export function isMadeFor({ meta }: Pick<OpenIndex, "meta">, root: string): boolean {
  return comparable(meta.root) === comparable(root);
}

/** Returns a sentence in English that names the folder of an index. */
export function movedFrom({ meta }: Pick<OpenIndex, "meta">): string {
  return `made for ${meta.root}`;
}

/** Returns whether a path is relative, separated by `/`, and inside the folder, like the paths of the walk. */
export function isPathInside(path: string): boolean {
  if (isHostilePath(path) || Deno.build.os === "windows" && path.includes("\\")) return false;
  return path.split("/").every((name) => name !== "" && name !== "." && name !== "..");
}
