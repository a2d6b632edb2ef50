import {
  DamagedIndexError,
  ForeignIndexError,
  type IndexKey,
  type IndexReader,
  OutdatedIndexError,
  type VectorMeta,
} from "../../index/mod.ts";
import { lookAtSync, type OwnFolder, type ReadableFile, unwritable } from "../../sandbox/mod.ts";
import {
  CHANGES_FILE,
  dataFolder,
  ensureDataFolder,
  INDEX_FILE,
  indexPath,
  takeAwayOdd,
} from "../data_folder.ts";
import type { OpenIndex } from "../open_index.ts";
import type { IndexStore, IndexWriter, LoadedIndex, StoreLock, WriteOptions } from "../index_store.ts";
import { WriterLock } from "../lock.ts";
import { RECOGNISED_FOLDER } from "../recognised_texts.ts";
import { isMadeFor, movedFrom } from "../index_checks.ts";
import { copyIndex, openReader, openWhole, pause } from "./blob_file.ts";
import { BlobIndex } from "./blob_index.ts";
import { DELTA_LIMITS, type DeltaLimits, deltaOf } from "./delta.ts";
import { removeLeftovers, replaceIndex } from "./replace_index.ts";
import { type AnyIndex, DeltaWriter, segmentsOf, WholeWriter } from "./segment_writers.ts";
import { SegmentedIndex } from "./segmented_index.ts";
import { shareReader } from "./shared_readers.ts";

/** Files that a backup takes over without a pause. */
const FILES_AT_ONCE = 256;

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
 * Keeps the index of a folder in one file, `index.bin` in its data folder, and the files that have changed since it was
 * written in another, `changes.bin` (see `delta.ts`). Each file is replaced as a whole.
 */
export class BlobStore implements IndexStore {
  readonly #key: IndexKey;

  readonly #folder: OwnFolder;
  readonly #limits: DeltaLimits;

  /**
   * `root`: real path of the folder. `key` seals its index. `elsewhere`: path of its data folder if not `DIR/.muxue_rag`.
   */
  constructor(
    readonly root: string,
    key: IndexKey,
    readonly elsewhere?: string,
    limits: DeltaLimits = DELTA_LIMITS,
  ) {
    this.#key = key;
    this.#folder = dataFolder(root, elsewhere);
    this.#limits = limits;
  }

  get location(): string {
    return indexPath(this.root, this.elsewhere);
  }

  async open({ forUpdate = false } = {}): Promise<LoadedIndex> {
    try {
      const index = await this.#open();
      if (index === undefined) return { state: "missing" };
      if (forUpdate || isMadeFor(index, this.root)) return { state: "ready", index };
      index.close();
      return { state: "moved", problem: movedFrom(index) };
    } catch (error) {
      if (error instanceof OutdatedIndexError) return { state: "outdated", problem: error.message };
      if (error instanceof DamagedIndexError) return { state: "damaged", problem: error.message };
      if (error instanceof ForeignIndexError) return { state: "foreign", problem: error.message };
      throw error;
    }
  }

  version(): Promise<string | undefined> {
    return Promise.try(() => {
      const base = this.#versionOf(INDEX_FILE);
      return base && `${base} ${this.#versionOf(CHANGES_FILE) ?? ""}`;
    });
  }

  isLocked(): Promise<boolean> {
    return WriterLock.isTaken(this.root, this.#folder);
  }

  async lock(): Promise<StoreLock> {
    await ensureDataFolder(this.#folder);
    const lock = await WriterLock.take(this.root, this.#folder);
    try {
      removeLeftovers(this.root, this.#folder);
      const files = this.#folder.names().filter((name) => OUR_FILES.some((ours) => ours.test(name)));
      return {
        takenAway: [
          ...lock.takenAway,
          ...takeAwayOdd(this.#folder, files),
          ...takeAwayOdd(this.#folder, [RECOGNISED_FOLDER], ({ isDirectory }) => !isDirectory),
        ],
        [Symbol.dispose]: () => lock.release(),
      };
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  async replace<T>(
    { previous: given, changes, vectors }: WriteOptions,
    write: (writer: IndexWriter) => Promise<T>,
  ): Promise<T> {
    const previous = given && ownIndex(given);
    const isSmall = previous !== undefined && changes !== undefined && isSameModel(previous, vectors) &&
      this.#isSmall(previous, changes);
    if (isSmall) {
      return await replaceIndex(
        this.root,
        (file) => write(new DeltaWriter(file, this.#key, previous, vectors)),
        this.#folder,
        CHANGES_FILE,
      );
    }
    const made = await replaceIndex(
      this.root,
      (file) => write(new WholeWriter(file, this.#key, previous, vectors)),
      this.#folder,
    );
    this.#removeChanges();
    return made;
  }

  async backUp(given: OpenIndex, file: Deno.FsFile): Promise<number> {
    const index = ownIndex(given);
    if (index instanceof BlobIndex) return await copyIndex(index.reader, file);
    const writer = new WholeWriter(file, this.#key, index, index.vectors);
    for (const number of index.files.keys()) {
      writer.keep(undefined, number);
      if (number % FILES_AT_ONCE === 0) await pause();
    }
    return (await writer.finish(index.meta, pause)).size;
  }

  openBackup(file: ReadableFile): Promise<OpenIndex> {
    return Promise.try(() => {
      const reader = openWhole(file, this.#key);
      try {
        reader.verify();
        return new BlobIndex(reader);
      } catch (error) {
        reader.close();
        throw error;
      }
    });
  }

  async restore(backup: OpenIndex): Promise<void> {
    const [{ reader }] = segmentsOf(ownIndex(backup));
    await replaceIndex(this.root, (file) => copyIndex(reader, file), this.#folder);
    const problem = this.#removeChanges();
    // A backup that equals the base has the base's id, so that the delta holds for it as well: nothing has changed.
    if (problem !== undefined && this.#hasDeltaOf(reader.id)) {
      throw unwritable(problem, this.#folder.at(CHANGES_FILE));
    }
  }

  /** Opens both files in states that belong together; `undefined` if there is no index. */
  async #open(): Promise<AnyIndex | undefined> {
    for (let attempt = 1;; attempt++) {
      const version = this.#versionOf(INDEX_FILE) ?? "";
      const base = this.#openBase(version);
      if (base === undefined) return undefined;
      let index: AnyIndex = base;
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
        { path: this.location, version, key: this.#key },
        () => openWhole(this.#folder.open(INDEX_FILE, "read"), this.#key),
      );
      return new BlobIndex(reader, { release });
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    }
  }

  /** Returns the base with its delta, if there is one. */
  #withChanges(base: BlobIndex): AnyIndex {
    let file: ReadableFile;
    try {
      file = this.#folder.open(CHANGES_FILE, "read");
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return base;
      throw error;
    }
    const reader = openReader(file, this.#key);
    try {
      const delta = deltaOf(reader);
      if (delta?.base === base.reader.id) {
        const changed = new BlobIndex(reader);
        const isFragmented = this.#share(base.reader, reader) > this.#limits.share / 2;
        return new SegmentedIndex({ base, changed, delta, isFragmented });
      }
    } catch (error) {
      reader.close();
      throw error;
    }
    reader.close();
    return base;
  }

  /** Whether an update is to be written as a delta. */
  #isSmall(previous: AnyIndex, { bytes, chunks }: { bytes: number; chunks: number }): boolean {
    const [base, changed] = segmentsOf(previous);
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

function ownIndex(index: OpenIndex): AnyIndex {
  if (index instanceof BlobIndex || index instanceof SegmentedIndex) return index;
  throw new TypeError("an index of another store");
}

/** Whether vectors described by `meta` can be beside those of an index. */
function isSameModel({ vectors }: AnyIndex, meta: VectorMeta | undefined): boolean {
  return vectors?.model === meta?.model && vectors?.dimensions === meta?.dimensions &&
    vectors?.exact === meta?.exact;
}
