import { dirname, join, relative } from "node:path";
import { dataFolderIn, indexDirOf, registeredPaths } from "../registry/mod.ts";
import { exists, isInside, toPortable } from "../sandbox/mod.ts";

/** How the folders of a command were chosen. */
export interface FolderChoice {
  /**
   * `name`: by `--dir`. `here`: the indexed folder that contains the working folder. `outside`: all folders, since no indexed
   * folder contains the working folder. `all`: all folders.
   */
  readonly by: "name" | "here" | "outside" | "all";
  /**
   * By the real path of a folder: the paths inside it that the command line names, `/` between their parts. Only for commands
   * that then work on the index of that folder.
   */
  readonly below: Readonly<Record<string, readonly string[]>>;
  /** By the real path of a folder without an index that the command line names: the indexed folder that contains it. */
  readonly within: Readonly<Record<string, string>>;
}

/**
 * Real path of the innermost indexed folder that contains `dir`, a real path, or is `dir`; `undefined` without one. A folder of which
 * the list of indexed folders cannot be read is in none.
 */
export async function indexedFolderOf(stateDir: string, dir: string): Promise<string | undefined> {
  const known = await registeredPaths(stateDir).catch((): string[] => []);
  return known.filter((root) => isInside(dir, root)).sort((a, b) => b.length - a.length)[0];
}

/**
 * Like {@linkcode indexedFolderOf}, if `dir` has no index, and that of the folder around it is where a command with this
 * `--index-dir` (a real path) looks for it.
 */
export async function indexedFolderAround(
  stateDir: string,
  dir: string,
  indexDir: string | undefined,
): Promise<string | undefined> {
  const root = await indexedFolderOf(stateDir, dir);
  if (root === undefined || root === dir) return undefined;
  // Imported here, since most folders lie in no other one and the launcher needs nothing else of it.
  const { DATA_FOLDER } = await import("../corpus/mod.ts");
  const own = indexDir === undefined ? join(dir, DATA_FOLDER) : dataFolderIn(indexDir, dir);
  if (await exists(own)) return undefined;
  const elsewhere = await indexDirOf(stateDir, root);
  const isThere = indexDir === undefined || elsewhere !== undefined && dirname(elsewhere) === indexDir;
  return isThere ? root : undefined;
}

/** The path of `inner` inside of `root`, `/` between its parts. */
export function pathBelow(root: string, inner: string): string {
  return toPortable(relative(root, inner));
}
