import { UserError } from "../../errors.ts";
import {
  DamagedIndexError,
  ForeignIndexError,
  type IndexKey,
  IndexReader,
  IndexWriter as BlobIndexWriter,
  OutdatedIndexError,
  type ReadOptions,
  StoredVectors,
} from "../../index/mod.ts";
import { lookAt, type OwnFolder, type ReadableFile } from "../../sandbox/mod.ts";
import { dataFolder, ensureDataFolder, INDEX_FILE, indexPath } from "../data_folder.ts";
import type { IndexStore, IndexWriter, LoadedIndex, OpenIndex, WriteOptions } from "../index_store.ts";
import { WriterLock } from "../lock.ts";
import { isMadeFor, isPathInside, movedFrom } from "../index_checks.ts";
import { BlobIndex } from "./blob_index.ts";
import { removeLeftovers, replaceIndex } from "./replace_index.ts";

/** Bytes copied at once. */
const COPY_BYTES = 1 << 20;

/** Keeps the index of a folder in one file, `index.bin` in its data folder, which is replaced as a whole. */
export class BlobStore implements IndexStore {
  readonly #key: IndexKey;

  readonly #folder: OwnFolder;

  /** `root`: real path of the folder. `key` seals its index. `elsewhere`: path of its data folder if not `DIR/.muxue_rag`. */
  constructor(readonly root: string, key: IndexKey, readonly elsewhere?: string) {
    this.#key = key;
    this.#folder = dataFolder(root, elsewhere);
  }

  get location(): string {
    return indexPath(this.root, this.elsewhere);
  }

  open({ forUpdate = false } = {}): Promise<LoadedIndex> {
    return Promise.try((): LoadedIndex => {
      try {
        const index = new BlobIndex(openReader(this.#openFile(), { key: this.#key, resident: forUpdate }));
        if (forUpdate || isMadeFor(index, this.root)) return { state: "ready", index };
        index.close();
        return { state: "moved", problem: movedFrom(index) };
      } catch (error) {
        if (error instanceof Deno.errors.NotFound) return { state: "missing" };
        if (error instanceof OutdatedIndexError) return { state: "outdated", problem: error.message };
        if (error instanceof DamagedIndexError) return { state: "damaged", problem: error.message };
        if (error instanceof ForeignIndexError) return { state: "foreign", problem: error.message };
        throw error;
      }
    });
  }

  async version(): Promise<string | undefined> {
    const info = await lookAt(this.location);
    return info && `${info.ino}:${info.size}:${info.mtime?.getTime()}`;
  }

  isLocked(): Promise<boolean> {
    return WriterLock.isTaken(this.root, this.#folder);
  }

  async lock(): Promise<Disposable> {
    await ensureDataFolder(this.#folder);
    const lock = await WriterLock.take(this.root, this.#folder);
    try {
      removeLeftovers(this.root, this.#folder);
      return lock;
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  replace<T>({ previous, vectors }: WriteOptions, write: (writer: IndexWriter) => Promise<T>): Promise<T> {
    const old = previous && readerOf(previous);
    return replaceIndex(
      this.root,
      (file) => write(new BlobIndexWriter(file, this.#key, old, vectors)),
      this.#folder,
    );
  }

  paidVectors(
    wanted: { readonly model: string } | { readonly notModel: string | undefined },
    verified = false,
  ): Promise<StoredVectors | undefined> {
    return Promise.try(() => {
      try {
        return StoredVectors.open(this.#openFile(), this.#key, wanted, verified);
      } catch (error) {
        if (error instanceof UserError) throw error;
        // A run must not depend on the index that it replaces.
        return undefined;
      }
    });
  }

  backUp(index: OpenIndex, file: Deno.FsFile): Promise<void> {
    return Promise.try(() => copy(readerOf(index), file));
  }

  openBackup(file: ReadableFile): Promise<OpenIndex> {
    return Promise.try(() => {
      const reader = openReader(file, { key: this.#key });
      try {
        reader.verify();
        return new BlobIndex(reader);
      } catch (error) {
        reader.close();
        throw error;
      }
    });
  }

  restore(backup: OpenIndex): Promise<void> {
    return replaceIndex(this.root, (file) => copy(readerOf(backup), file), this.#folder);
  }

  #openFile(): ReadableFile {
    return this.#folder.open(INDEX_FILE, "read");
  }
}

function readerOf(index: OpenIndex): IndexReader {
  if (!(index instanceof BlobIndex)) throw new TypeError("an index of another store");
  return index.reader;
}

/** Copies the bytes of a verified index without checking them again. */
function copy(reader: IndexReader, file: Deno.FsFile): void {
  for (let at = 0; at < reader.size; at += COPY_BYTES) {
    const bytes = reader.bytes(at, Math.min(at + COPY_BYTES, reader.size));
    for (let written = 0; written < bytes.length;) written += file.writeSync(bytes.subarray(written));
  }
}

/**
 * Opens the index in a file that is open for reading, see {@linkcode IndexReader.open}. Also throws `DamagedIndexError` if a path
 * in its file table cannot be that of a file in the folder.
 */
function openReader(file: ReadableFile, options: ReadOptions): IndexReader {
  const reader = IndexReader.open(file, options);
  for (const [at, { path }] of reader.files.entries()) {
    if (isPathInside(path)) continue;
    reader.close();
    throw new DamagedIndexError(`path of file ${at}`);
  }
  return reader;
}
