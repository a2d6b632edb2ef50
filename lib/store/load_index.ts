import { DamagedBlobError, IndexReader, OutdatedBlobError } from "../index/mod.ts";
import { dataFolder, INDEX_FILE } from "./data_folder.ts";

/** An index that was looked for. */
export type LoadedIndex =
  | { readonly state: "ready"; readonly reader: IndexReader }
  | { readonly state: "missing" }
  /** `problem`: what is wrong with it, in English. */
  | { readonly state: "outdated" | "damaged"; readonly problem: string };

/**
 * Opens the index of `root`; `resident`: see {@linkcode IndexReader.open}. Throws what is neither a missing, an outdated nor a
 * damaged index: `data_folder_unsafe` for a link, and what the system says.
 */
export function loadIndex(root: string, options: { readonly resident?: boolean } = {}): Promise<LoadedIndex> {
  return Promise.try((): LoadedIndex => {
    try {
      return { state: "ready", reader: IndexReader.open(openIndexFile(root), options) };
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return { state: "missing" };
      if (error instanceof OutdatedBlobError) return { state: "outdated", problem: error.message };
      if (error instanceof DamagedBlobError) return { state: "damaged", problem: error.message };
      throw error;
    }
  });
}

/** Opens the file of the index of `root` for reading. Throws `data_folder_unsafe` and what the system says. */
export function openIndexFile(root: string): Deno.FsFile {
  return dataFolder(root).open(INDEX_FILE, "read");
}
