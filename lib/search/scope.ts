import { UserError } from "../errors.ts";
import { resolveFolderInside } from "../sandbox/mod.ts";
import { resolveServed } from "./collection_path.ts";
import type { ServedCollection } from "./served_collections.ts";
import type { ServedFolder } from "./served_folder.ts";

/**
 * Paths inside folders, by the real path of the folder, `/` between their parts: only files below one of them are searched.
 * A folder without an entry is searched whole.
 */
export type Below = ReadonlyMap<string, readonly string[]>;

/** The folders that a search looks in. */
export interface Scope {
  readonly folders: readonly ServedFolder[];
  readonly below: Below;
}

/**
 * The scope that `dirPath` names: a served folder or a folder below one, which may begin with a name of `collections`; all served folders, limited to `below`, if it is
 * blank. Throws `UserError` `directory_not_found`, `not_a_directory`, `path_ambiguous` (a relative path that is in several
 * folders), and `dir_not_served` for every path that is outside of them or hidden in them, whether it exists or not.
 */
export async function scopeOf(
  dirPath: string | undefined,
  folders: readonly ServedFolder[],
  below: Below,
  collections: readonly ServedCollection[] = [],
): Promise<Scope> {
  if (dirPath === undefined || dirPath.trim() === "") return { folders, below };
  const roots = folders.map(({ root }) => root);
  try {
    const { root, relative } = await resolveServed(dirPath, {
      ...{ collections, roots, resolve: resolveFolderInside },
    });
    const inside = folders.filter((folder) => folder.root === root);
    return { folders: inside, below: new Map(relative === "" ? [] : [[root, [relative]]]) };
  } catch (error) {
    if (!(error instanceof UserError) || error.key !== "no_permission") throw error;
    throw new UserError("dir_not_served", { path: dirPath, served: roots.join(", ") }, { cause: error });
  }
}
