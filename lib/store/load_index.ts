import { UserError } from "../errors.ts";
import { DamagedBlobError, IndexReader, OutdatedBlobError } from "../index/mod.ts";
import { dataFolder, indexPath, isRealFolder } from "./data_folder.ts";

/** An index that was looked for. */
export type LoadedIndex =
  | { readonly state: "ready"; readonly reader: IndexReader }
  | { readonly state: "missing" }
  /** `problem`: what is wrong with it, in English. */
  | { readonly state: "outdated" | "damaged"; readonly problem: string };

/** Opens the index of `root`; `resident`: see {@linkcode IndexReader.open}. Throws what is neither a missing, an outdated nor a damaged index. */
export async function loadIndex(
  root: string,
  options: { readonly resident?: boolean } = {},
): Promise<LoadedIndex> {
  const path = indexPath(root);
  try {
    if (!await isRealFolder(dataFolder(root))) return { state: "missing" };
    const info = await Deno.lstat(path);
    if (!info.isFile) throw new UserError("data_folder_unsafe", { path });
    return { state: "ready", reader: IndexReader.open(path, options) };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return { state: "missing" };
    if (error instanceof OutdatedBlobError) return { state: "outdated", problem: error.message };
    if (error instanceof DamagedBlobError) return { state: "damaged", problem: error.message };
    throw error;
  }
}
