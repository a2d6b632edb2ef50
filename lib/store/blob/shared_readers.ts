import type { IndexReader } from "../../index/mod.ts";

/** A reader that several parts of the program use. */
interface SharedReader {
  readonly version: string;
  readonly reader: IndexReader;
  users: number;
}

/** A reader, and a function that ends its use. */
export interface ReaderUse {
  readonly reader: IndexReader;
  readonly release: () => void;
}

/** By path. */
const open = new Map<string, SharedReader>();

/**
 * Returns the reader of the index file `path`. A reader of the same version that is in use is shared: with a large index, opening
 * takes as long as a small update. Each use must be released once. `make` opens a new reader.
 */
export function shareReader(path: string, version: string, make: () => IndexReader): ReaderUse {
  let shared = open.get(path);
  if (shared === undefined || shared.version !== version || shared.reader.damage !== undefined) {
    shared = { version, reader: make(), users: 0 };
    open.set(path, shared);
  }
  const { reader } = shared;
  shared.users++;
  return { reader, release: releaseOnce(path, shared) };
}

function releaseOnce(path: string, shared: SharedReader): () => void {
  let isReleased = false;
  return () => {
    if (isReleased) return;
    isReleased = true;
    if (--shared.users > 0) return;
    shared.reader.close();
    if (open.get(path) === shared) open.delete(path);
  };
}
