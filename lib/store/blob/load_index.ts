import {
  DamagedIndexError,
  ForeignIndexError,
  type IndexKey,
  type IndexReader,
  OutdatedIndexError,
} from "../../index/mod.ts";
import { dataFolder, INDEX_FILE } from "../data_folder.ts";
import { isMadeFor, movedFrom } from "../moved_index.ts";
import { openReader } from "./open_reader.ts";

import type { UnusableState } from "../index_store.ts";

/** An index that was looked for. */
export type LoadedIndex =
  | { readonly state: "ready"; readonly reader: IndexReader }
  | { readonly state: "missing" }
  /** `problem`: what is wrong with it, in English. */
  | { readonly state: UnusableState; readonly problem: string };

/** How {@linkcode loadIndex} loads. */
export interface LoadOptions {
  /** See `IndexReader.open`. */
  readonly resident?: boolean;
  /** Whether an index that was written for another folder is given as one that is ready. Its files are not to be believed. */
  readonly moved?: boolean;
}

/**
 * Opens the index of `root`, a real path, that was written with `key`. Throws what is neither a missing nor an unusable index:
 * `data_folder_unsafe` for a link, and what the system says of a file that cannot be opened.
 */
export function loadIndex(
  root: string,
  key: IndexKey,
  { resident = false, moved = false }: LoadOptions = {},
): Promise<LoadedIndex> {
  return Promise.try((): LoadedIndex => {
    try {
      const reader = openReader(openIndexFile(root), { key, resident });
      if (moved || isMadeFor(reader, root)) return { state: "ready", reader };
      reader.close();
      return { state: "moved", problem: movedFrom(reader) };
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return { state: "missing" };
      if (error instanceof OutdatedIndexError) return { state: "outdated", problem: error.message };
      if (error instanceof DamagedIndexError) return { state: "damaged", problem: error.message };
      if (error instanceof ForeignIndexError) return { state: "foreign", problem: error.message };
      throw error;
    }
  });
}

/** Opens the file of the index of `root` for reading. Throws `data_folder_unsafe` and what the system says. */
export function openIndexFile(root: string): Deno.FsFile {
  return dataFolder(root).open(INDEX_FILE, "read");
}
