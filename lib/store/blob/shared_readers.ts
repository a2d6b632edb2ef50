import type { IndexKey, IndexReader } from "../../index/mod.ts";

/** An index file. */
export interface SharedFile {
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

/** A reader, and a function that ends its use. */
export interface ReaderUse {
  readonly reader: IndexReader;
  readonly release: () => void;
}

/** By path. One map for the process: a server, its updates and a search open the same folder independently of each other. */
const open = new Map<string, SharedReader>();

/**
 * Returns the reader of an index file. A reader of the same version and key that is in use is shared: with a large index,
 * opening takes as long as a small update. Each use must be released once. `make` opens a new reader.
 */
export function shareReader(file: SharedFile, make: () => IndexReader): ReaderUse {
  let shared = open.get(file.path);
  if (shared === undefined || !isSame(shared.file, file) || shared.reader.damage !== undefined) {
    shared = { file, reader: make(), users: 0 };
    open.set(file.path, shared);
  }
  const { reader } = shared;
  shared.users++;
  return { reader, release: releaseOnce(shared) };
}

function releaseOnce(shared: SharedReader): () => void {
  let isReleased = false;
  return () => {
    if (isReleased) return;
    isReleased = true;
    if (--shared.users > 0) return;
    shared.reader.close();
    if (open.get(shared.file.path) === shared) open.delete(shared.file.path);
  };
}

function isSame(one: SharedFile, other: SharedFile): boolean {
  return one.version === other.version && one.key.length === other.key.length &&
    one.key.every((byte, i) => byte === other.key[i]);
}
