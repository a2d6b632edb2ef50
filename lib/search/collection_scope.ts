import { UserError } from "../errors.ts";
import { type Below, type Scope, scopeOf } from "./scope.ts";
import {
  askedCollections,
  rootNamed,
  type ServedCollection,
  unknownCollection,
} from "./served_collections.ts";
import type { ServedFolder } from "./served_folder.ts";

/** The folders that a request may ask for. */
export interface AskedPlace {
  readonly dirPath?: string | undefined;
  readonly collections?: string | undefined;
}

/** The folders of a library. */
export interface ServedPlaces {
  readonly folders: readonly ServedFolder[];
  readonly below: Below;
  readonly collections: readonly ServedCollection[];
}

/**
 * The scope that a request asks for. `collections`: names of collections or paths of folders, one to a line or separated by
 * commas; blank or `all` for all. `dirPath`: a path, or, if there is no such folder, the name of a collection. Throws what
 * {@linkcode scopeOf} throws, and `UserError` `collection_unknown`.
 */
export async function askedScope(
  { dirPath, collections }: AskedPlace,
  { folders, below, collections: known }: ServedPlaces,
): Promise<Scope> {
  const rootOf = (name: string) => rootNamed(name, known);
  const asked = askedCollections(collections, known);
  if (asked === "all" && (collections ?? "").trim() === "") {
    return await scopeOf(dirPath, folders, below, known).catch((error) => {
      const root = isNoFolder(error) && dirPath !== undefined ? rootOf(dirPath) : undefined;
      if (root === undefined) throw error;
      return whole(folders, root);
    });
  }
  if (asked === "all") return { folders, below };
  const scopes: Scope[] = [];
  for (const name of asked) {
    const root = rootOf(name);
    scopes.push(root === undefined ? await folderScope(name, folders, known) : whole(folders, root));
  }
  return joined(folders, scopes);
}

function whole(folders: readonly ServedFolder[], root: string): Scope {
  return { folders: folders.filter((folder) => folder.root === root), below: new Map() };
}

/** The scope of a path in a list of collections. */
async function folderScope(
  path: string,
  folders: readonly ServedFolder[],
  known: readonly ServedCollection[],
): Promise<Scope> {
  try {
    return await scopeOf(path, folders, new Map(), known);
  } catch (error) {
    if (!isNoFolder(error) || /[\\/]/.test(path)) throw error;
    throw unknownCollection(path, known, error);
  }
}

function isNoFolder(error: unknown): boolean {
  return error instanceof UserError &&
    ["directory_not_found", "not_a_directory", "path_ambiguous", "dir_not_served"].includes(error.key);
}

/** All of the scopes together. A folder that is asked for whole has no limit. */
function joined(folders: readonly ServedFolder[], scopes: readonly Scope[]): Scope {
  const below = new Map<string, readonly string[]>();
  const roots = new Set(scopes.flatMap((scope) => scope.folders.map(({ root }) => root)));
  for (const root of roots) {
    const limits = scopes.filter((scope) => scope.folders.some((folder) => folder.root === root))
      .map((scope) => scope.below.get(root));
    const paths = limits.flatMap((limit) => limit ?? []);
    if (limits.every((limit) => limit !== undefined)) below.set(root, paths);
  }
  return { folders: folders.filter(({ root }) => roots.has(root)), below };
}
