/**
 * The store in the data folder of a folder: its index is opened, shared, replaced, backed up and restored as files; the other things
 * are in the files beside this one.
 */
import {
  BlobIndex,
  DamagedIndexError,
  type IndexKey,
  type IndexReader,
  type OpenIndex,
  type VectorMeta,
} from "#engine/index/mod.ts";
import {
  JoinedIndex,
  limited,
  type PartChanges,
  type PartedIndex,
  partsOf,
  PartWriter,
  placeIn,
} from "#engine/joined/mod.ts";
import { reasonOf, UserError } from "#foundation/errors.ts";
import { lookAtSync, OwnFolder, unwritable } from "#foundation/boundary/mod.ts";
import {
  CHANGES_FILE,
  dataFolder,
  ensureDataFolder,
  INDEX_FILE,
  LOCK_FILES,
  removeLeftovers,
  replaceIndex,
  takeAwayOdd,
  WriterLock,
} from "./data_folder.ts";
import {
  type ByteSink,
  type ByteSource,
  type EvaluationRuns,
  type GeneratedTexts,
  type IndexWriter,
  isMadeFor,
  type LoadedIndex,
  movedFrom,
  type OpenOptions,
  type RecognisedTexts,
  type RemovedFiles,
  type Store,
  type StoreLock,
  type StoreWork,
  type VectorStore,
  type WriteOptions,
} from "../store.ts";
import { FolderGenerated, GENERATED_FOLDER } from "./generated_texts.ts";
import { FolderTexts, RECOGNISED_FOLDER } from "./recognised_texts.ts";
import { FolderRuns } from "./evaluation_runs.ts";
import { FolderRemoved } from "./removed_files.ts";
import { FolderVectors } from "./folder_vectors.ts";
import {
  checkDelta,
  copyIndex,
  DELTA_LIMITS,
  type DeltaLimits,
  deltaOf,
  DeltaWriter,
  openReader,
  openVerified,
  openWhole,
  orderOf,
  unusable,
  writeAsOne,
} from "./delta.ts";

/** Names of the files that a run reads or replaces. */
const OUR_FILES = [
  /^(?:index|changes)\.bin$/,
  /^(?:neural|server)-[0-9a-f]{16}\.vec(?:\.new)?$/,
];

/** How often an index is opened that other processes keep replacing. */
const ATTEMPTS = 10;
/** Time between two attempts, in milliseconds. */
const PAUSE_MS = 10;

/**
 * Keeps everything of a folder in its data folder: the index in one file, `index.bin`, and the files that have changed since it was
 * written in another, `changes.bin` (see `delta.ts`). Each file is replaced as a whole.
 */
export class FolderStore implements Store {
  readonly #key: IndexKey;
  readonly #folder: OwnFolder;
  readonly #limits: DeltaLimits;
  readonly vectors: VectorStore;
  readonly recognised: RecognisedTexts;
  readonly generated: GeneratedTexts;
  readonly evaluations: EvaluationRuns;
  readonly removed: RemovedFiles;

  /** `root`: real path of the folder. `key` seals its index. `elsewhere`: path of its data folder if not `DIR/.muxue_rag`. */
  constructor(
    readonly root: string,
    key: IndexKey,
    readonly elsewhere?: string,
    limits: DeltaLimits = DELTA_LIMITS,
  ) {
    this.#key = key;
    this.#folder = dataFolder(root, elsewhere);
    this.#limits = limits;
    this.vectors = new FolderVectors(this.#folder, key);
    this.recognised = new FolderTexts(this.#folder, key);
    this.generated = new FolderGenerated(this.#folder, key);
    this.evaluations = new FolderRuns(this.#folder);
    this.removed = new FolderRemoved(root, this.#folder);
  }

  get location(): string {
    return this.#folder.path;
  }

  get indexLocation(): string {
    return this.#folder.at(INDEX_FILE);
  }

  exists(): Promise<boolean> {
    return Promise.try(() => this.#folder.exists());
  }

  bytes(): Promise<number> {
    return Promise.try(() => {
      const inside = [RECOGNISED_FOLDER, GENERATED_FOLDER].map((name) =>
        new OwnFolder(this.#folder.at(name))
      );
      return [this.#folder, ...inside.filter((folder) => lookAtSync(folder.path)?.isDirectory)]
        .reduce((sum, folder) => sum + bytesIn(folder), 0);
    });
  }

  async remove(): Promise<boolean> {
    if (!this.#folder.exists()) return false;
    const lock = await WriterLock.take(this.root, this.#folder);
    // Windows does not remove a folder that contains an open file; an indexing run that starts in between does no harm.
    if (Deno.build.os === "windows") lock.release();
    try {
      await this.#folder.removeAll();
    } catch (error) {
      if (error instanceof UserError) throw error;
      const { path } = this.#folder;
      throw new UserError("data_folder_unwritable", { path, error: reasonOf(error) }, { cause: error });
    } finally {
      if (Deno.build.os !== "windows") lock.release();
    }
    return true;
  }

  async open({ forUpdate = false, shows }: OpenOptions = {}): Promise<LoadedIndex> {
    try {
      const index = await this.#open();
      if (index === undefined) return { state: "missing" };
      if (forUpdate || isMadeFor(index, this.root)) {
        return { state: "ready", index: shows === undefined ? index : limited(index, shows) };
      }
      index.close();
      return { state: "moved", problem: movedFrom(index) };
    } catch (error) {
      return unusable(error);
    }
  }

  version(): Promise<string | undefined> {
    return Promise.try(() => {
      const base = this.#versionOf(INDEX_FILE);
      return base && `${base} ${this.#versionOf(CHANGES_FILE) ?? ""}`;
    });
  }

  isLocked(): Promise<boolean> {
    return WriterLock.isTaken(this.#folder);
  }

  async lock(work: StoreWork = "index"): Promise<StoreLock> {
    if (work !== "index") return await this.#take(work);
    await ensureDataFolder(this.#folder);
    const lock = await this.#take(work);
    try {
      await removeLeftovers(this.#folder);
      const files = this.#folder.names().filter((name) => OUR_FILES.some((ours) => ours.test(name)));
      lock.takenAway.push(
        ...takeAwayOdd(this.#folder, files),
        ...takeAwayOdd(
          this.#folder,
          [RECOGNISED_FOLDER, GENERATED_FOLDER],
          ({ isDirectory }) => !isDirectory,
        ),
      );
      return lock;
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  async replace<T>(
    { previous: given, changes, vectors, generatedFiles = [], thread }: WriteOptions,
    write: (writer: IndexWriter) => Promise<T>,
  ): Promise<T> {
    const previous = given && ownIndex(given);
    const isDelta = previous && changes && isSameModel(previous, vectors) &&
      this.#isSmall(previous, changes) &&
      generatedFiles.every((file) => placeIn(previous, file).part === 1);
    if (isDelta) {
      const writeDelta = (file: ByteSink) => write(new DeltaWriter(file, this.#key, previous, vectors));
      return await replaceIndex(this.#folder, writeDelta, CHANGES_FILE);
    }
    const writeWhole = (file: ByteSink) =>
      write(new PartWriter(file, this.#key, previous, { vectors, thread }));
    const made = await replaceIndex(this.#folder, writeWhole);
    this.#removeChanges();
    return made;
  }

  async backUp(given: OpenIndex, sink: ByteSink): Promise<number> {
    const index = ownIndex(given);
    if (index instanceof BlobIndex) return await copyIndex(index.reader, sink);
    return await writeAsOne(index, index, sink, this.#key);
  }

  openBackup(source: ByteSource): Promise<OpenIndex> {
    return Promise.try(() => openVerified(source, this.#key));
  }

  async restore(backup: OpenIndex): Promise<void> {
    const [{ reader }] = partsOf(ownIndex(backup));
    await replaceIndex(this.#folder, (file) => copyIndex(reader, file));
    const problem = this.#removeChanges();
    // A backup that equals the base has the base's id, so that the delta holds for it as well: nothing has changed.
    if (problem !== undefined && this.#hasDeltaOf(reader.id)) {
      throw unwritable(problem, this.#folder.at(CHANGES_FILE));
    }
  }

  async #take(work: StoreWork): Promise<WriterLock> {
    try {
      return await WriterLock.take(this.root, this.#folder, LOCK_FILES[work]);
    } catch (error) {
      const isBusy = work === "vectors" && error instanceof UserError && error.key === "index_busy";
      throw isBusy ? new UserError("vectors_busy", error.params) : error;
    }
  }

  /** Opens both files in states that belong together; `undefined` if there is no index. */
  async #open(): Promise<PartedIndex | undefined> {
    for (let attempt = 1;; attempt++) {
      const version = this.#versionOf(INDEX_FILE) ?? "";
      const base = this.#openBase(version);
      if (base === undefined) return undefined;
      let index: PartedIndex = base;
      try {
        index = this.#withChanges(base);
        // A base that was replaced in between has taken up the delta that it was opened without.
        if (version === (this.#versionOf(INDEX_FILE) ?? "")) return index;
        if (attempt === ATTEMPTS) throw new DamagedIndexError("the index was replaced all the time");
      } catch (error) {
        index.close();
        throw error;
      }
      index.close();
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  #openBase(version: string): BlobIndex | undefined {
    try {
      const { reader, release } = shareReader(
        { path: this.indexLocation, version, key: this.#key },
        () => openWhole(this.#folder.open(INDEX_FILE, "read"), this.#key),
      );
      return new BlobIndex(reader, { release });
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    }
  }

  /** Returns the base with its delta, if there is one. */
  #withChanges(base: BlobIndex): PartedIndex {
    const version = this.#versionOf(CHANGES_FILE);
    const shared = version === undefined ? undefined : this.#shareChanges(version);
    if (shared === undefined) return base;
    const { reader, release } = shared;
    try {
      const index = new BlobIndex(reader, { release });
      const isFragmented = this.#share(base.reader, reader) > this.#limits.share / 2;
      const same = joined.get(reader);
      if (same !== undefined && same.parts[0]!.reader === base.reader) {
        const [{ dead }] = same.changes as [PartChanges];
        const kept = dead.length === 0 ? base : base.without(dead);
        return new JoinedIndex([{ index: kept }, { index }], { isFragmented }, same);
      }
      const delta = deltaOf(reader);
      if (delta?.base === base.reader.id) {
        checkDelta(delta, base.files);
        const order = orderOf(delta, base.files.length);
        const made = new JoinedIndex([{ index: base, changes: delta }, { index }], { order, isFragmented });
        joined.set(reader, made);
        return made;
      }
    } catch (error) {
      release();
      throw error;
    }
    release();
    return base;
  }

  #shareChanges(version: string) {
    const path = this.#folder.at(CHANGES_FILE);
    try {
      return shareReader(
        { path, version, key: this.#key },
        () => openReader(this.#folder.open(CHANGES_FILE, "read"), this.#key),
      );
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    }
  }

  /** Whether an update is to be written as a delta. */
  #isSmall(previous: PartedIndex, { bytes, chunks }: { bytes: number; chunks: number }): boolean {
    const [base, changed] = partsOf(previous);
    const { fromBytes, share } = this.#limits;
    if (base.reader.textBytes < fromBytes) return false;
    const dead = base.reader.chunks.length - base.statistics.chunks + chunks;
    return this.#share(base.reader, changed?.reader, bytes) <= share &&
      dead <= share * base.reader.chunks.length;
  }

  /** The bytes of text of a delta as a share of those of the base. */
  #share(base: IndexReader, changed: IndexReader | undefined, more = 0): number {
    return ((changed?.textBytes ?? 0) + more) / Math.max(1, base.textBytes);
  }

  /**
   * Removes a delta that the new base has taken up. Returns the error if that fails. A delta that stays is ignored if it
   * names another base.
   */
  #removeChanges(): unknown {
    try {
      this.#folder.remove(CHANGES_FILE);
      return undefined;
    } catch (error) {
      return error;
    }
  }

  /** Whether there is a delta of a base. True if that cannot be found out. */
  #hasDeltaOf(base: string): boolean {
    try {
      using reader = openReader(this.#folder.open(CHANGES_FILE, "read"), this.#key);
      return deltaOf(reader)?.base === base;
    } catch (error) {
      return !(error instanceof Deno.errors.NotFound);
    }
  }

  /** Synchronous, because every search waits for it and a switch to another thread takes ten times as long. */
  #versionOf(name: string): string | undefined {
    const info = lookAtSync(this.#folder.at(name));
    return info && `${info.ino}:${info.size}:${info.mtime?.getTime()}`;
  }
}

/** Bytes of the files in a folder. */
function bytesIn(folder: OwnFolder): number {
  return folder.names().reduce((sum, name) => {
    const info = folder.look(name);
    return sum + (info?.isFile ? info.size : 0);
  }, 0);
}

function ownIndex(index: OpenIndex): PartedIndex {
  if (index instanceof BlobIndex || index instanceof JoinedIndex) return index;
  throw new TypeError("an index of another store");
}

/** Whether vectors described by `meta` can be beside those of an index. */
function isSameModel({ vectors }: PartedIndex, meta: VectorMeta | undefined): boolean {
  return vectors?.model === meta?.model && vectors?.dimensions === meta?.dimensions;
}

/** An index file. */
interface SharedFile {
  readonly path: string;
  /** Differs when the file is replaced. */
  readonly version: string;
  /** The key that the index was checked with. */
  readonly key: IndexKey;
}

/** A reader that several parts of the program use. */
interface SharedReader {
  readonly file: SharedFile;
  readonly reader: IndexReader;
  users: number;
}

/** By path. One map for the process: a server, its updates and a search open the same folder independently of each other. */
const open = new Map<string, SharedReader>();

/**
 * The first index that was opened of a base and its delta, by the reader of the delta. Later ones share its numbers of files and chunks,
 * since they take as long as all else that opening does.
 */
const joined = new WeakMap<IndexReader, JoinedIndex<BlobIndex>>();

/**
 * Returns the reader of an index file, and a function that ends its use. A reader of the same version and key that is in use is shared: with
 * a large index, opening takes as long as a small update. `make` opens a new reader.
 */
function shareReader(file: SharedFile, make: () => IndexReader) {
  let shared = open.get(file.path);
  if (shared === undefined || !isSame(shared.file, file) || shared.reader.damage !== undefined) {
    shared = { file, reader: make(), users: 0 };
    open.set(file.path, shared);
  }
  const ours = shared;
  ours.users++;
  let isReleased = false;
  const release = () => {
    if (isReleased) return;
    isReleased = true;
    if (--ours.users > 0) return;
    ours.reader.close();
    if (open.get(file.path) === ours) open.delete(file.path);
  };
  return { reader: ours.reader, release };
}

function isSame(one: SharedFile, other: SharedFile): boolean {
  return one.version === other.version && one.key.length === other.key.length &&
    one.key.every((byte, i) => byte === other.key[i]);
}
