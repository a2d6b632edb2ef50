import { UserError } from "../errors.ts";
import { resolveFolderInside } from "../sandbox/mod.ts";
import type { ServedFolder } from "./served_folder.ts";

/** Where a search looks. */
export interface Scope {
  readonly folders: readonly ServedFolder[];
  /** If given, only files below this path of the one folder, `/` between its parts. */
  readonly below?: string;
}

/**
 * The scope that `dirPath` names: a folder served, or one below; all of them if it is blank. Throws `UserError`
 * `directory_not_found`, `not_a_directory`, `path_ambiguous` (relative, and in several of the folders), and
 * `dir_not_served` for everything outside of them or hidden in them, whether it exists or not.
 */
export async function scopeOf(dirPath: string | undefined, folders: readonly ServedFolder[]): Promise<Scope> {
  if (dirPath === undefined || dirPath.trim() === "") return { folders };
  const roots = folders.map(({ root }) => root);
  try {
    const { root, relative } = await resolveFolderInside(dirPath, roots);
    const inside = folders.filter((folder) => folder.root === root);
    return relative === "" ? { folders: inside } : { folders: inside, below: relative };
  } catch (error) {
    if (!(error instanceof UserError) || error.key !== "no_permission") throw error;
    throw new UserError("dir_not_served", { path: dirPath, served: roots.join(", ") }, { cause: error });
  }
}
