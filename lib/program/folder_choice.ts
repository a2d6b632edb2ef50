import { dirname, join, relative } from "node:path";
import { DATA_FOLDER } from "#foundation/constants.ts";
import { dataFolderIn, indexDirOf, registeredPaths } from "#foundation/registry.ts";
import { exists, isInside, toPortable } from "#foundation/boundary/mod.ts";

/** How the folders of a command were chosen. */
export interface FolderChoice {
  /**
   * `name`: by `--dir`. `here`: the indexed folder that contains the working folder. `outside`: all folders, since no
   * indexed folder contains the working folder. `all`: all folders. `collections`: the collections of the configuration.
   */
  readonly by: "name" | "here" | "outside" | "all" | "collections";
  /**
   * By the real path of a folder: the paths inside it that the command line names, `/` between their parts. Only for
   * commands that then work on the index of that folder.
   */
  readonly below: Readonly<Record<string, readonly string[]>>;
  /** By the real path of a folder without an index that the command line names: the indexed folder that contains it. */
  readonly within: Readonly<Record<string, string>>;
}

/**
 * Real path of the innermost folder with an index that contains `dir`, a real path, or is `dir`; without one, of the
 * innermost that is in the list of indexed folders. `undefined` if there is none, or if the list cannot be read.
 */
export async function indexedFolderOf(stateDir: string, dir: string): Promise<string | undefined> {
  const known = await registeredPaths(stateDir).catch((): string[] => []);
  const around = known.filter((root) => isInside(dir, root)).sort((a, b) => b.length - a.length);
  for (const root of around) if (await hasData(stateDir, root)) return root;
  return around[0];
}

/**
 * Real path of the innermost folder with an index that contains `dir`, if `dir` has none itself. With `indexDir`, the real
 * path of `--index-dir`, both indexes are looked for there.
 */
export async function indexedFolderAround(
  stateDir: string,
  dir: string,
  indexDir: string | undefined,
): Promise<string | undefined> {
  const root = await indexedFolderOf(stateDir, dir);
  if (root === undefined || root === dir || !await hasData(stateDir, root)) return undefined;
  if (await exists(indexDir === undefined ? usualPlace(dir) : dataFolderIn(indexDir, dir))) {
    return undefined;
  }
  const elsewhere = await indexDirOf(stateDir, root);
  const isThere = indexDir === undefined || elsewhere !== undefined && dirname(elsewhere) === indexDir;
  return isThere ? root : undefined;
}

async function hasData(stateDir: string, root: string): Promise<boolean> {
  return await exists(await indexDirOf(stateDir, root) ?? usualPlace(root));
}

function usualPlace(root: string): string {
  return join(root, DATA_FOLDER);
}

/** The path of `inner` inside of `root`, `/` between its parts. */
export function pathBelow(root: string, inner: string): string {
  return toPortable(relative(root, inner));
}
