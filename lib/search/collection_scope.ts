import { basename, dirname } from "node:path";
import { collectionOf, type Config } from "../config/mod.ts";
import { UserError } from "../errors.ts";
import { type Below, type Scope, scopeOf } from "./scope.ts";
import type { ServedFolder } from "./served_folder.ts";

/** A served folder under the name that clients call it by. */
export interface ServedCollection {
  readonly name: string;
  /** Real path of the folder. */
  readonly root: string;
  /** The description in the configuration. */
  readonly description?: string;
}

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

/** Names that an error lists. */
const MOST_NAMES = 30;

/**
 * The name of each folder: that of its collection in the configuration, or else the last part of its path. Where that name is
 * taken, it has as many parts of the path as make it a name of its own.
 */
export function servedCollections(
  roots: readonly string[],
  config: Pick<Config, "collections">,
): ServedCollection[] {
  const taken = new Set(roots.map((root) => collectionOf(config, root)?.name));
  const count = (name: string, take: (root: string) => string) =>
    roots.filter((root) => take(root) === name).length;
  return roots.map((root) => {
    const named = collectionOf(config, root);
    if (named !== undefined) return { root, ...named };
    for (let parts = 1; parts <= 3; parts++) {
      const take = (root: string) => lastParts(root, parts);
      const name = take(root);
      if (name !== "" && !taken.has(name) && count(name, take) === 1) return { root, name };
    }
    return { root, name: root };
  });
}

/** The last `parts` parts of a path with `/` between them; empty for the root of a drive. */
function lastParts(path: string, parts: number): string {
  const name = basename(path);
  const parent = dirname(path);
  if (parts === 1 || parent === path) return name;
  return [lastParts(parent, parts - 1), name].filter((part) => part !== "").join("/");
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
  const asked = (collections ?? "").split("\n").flatMap((line) =>
    rootOf(line) === undefined ? line.split(/[,，、]/) : [line]
  ).map((name) => name.trim()).filter((name) => name !== "");
  if (asked.length === 0) {
    return await scopeOf(dirPath, folders, below).catch((error) => {
      const root = isNoFolder(error) && dirPath !== undefined ? rootOf(dirPath) : undefined;
      if (root === undefined) throw error;
      return whole(folders, root);
    });
  }
  if (asked.some((name) => /^(?:all|\*)$/i.test(name) && rootOf(name) === undefined)) {
    return { folders, below };
  }
  const scopes: Scope[] = [];
  for (const name of asked) {
    const root = rootOf(name);
    scopes.push(root === undefined ? await folderScope(name, folders, known) : whole(folders, root));
  }
  return joined(folders, scopes);
}

/** The folder of a name: as it is written, or in other upper and lower case if only one has it. */
function rootNamed(name: string, known: readonly ServedCollection[]): string | undefined {
  const plain = name.trim().normalize("NFC");
  const exact = known.find((one) => one.name.normalize("NFC") === plain);
  if (exact !== undefined) return exact.root;
  const similar = known.filter((one) => one.name.normalize("NFC").toLowerCase() === plain.toLowerCase());
  return similar.length === 1 ? similar[0]!.root : undefined;
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
    return await scopeOf(path, folders, new Map());
  } catch (error) {
    if (!isNoFolder(error) || /[\\/]/.test(path)) throw error;
    const names = known.map(({ name }) => name);
    const more = names.length > MOST_NAMES ? ", …" : "";
    throw new UserError("collection_unknown", {
      name: path,
      known: names.slice(0, MOST_NAMES).join(", ") + more,
    }, { cause: error });
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
