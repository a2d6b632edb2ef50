/**
 * The collections that are served, by name and folder, and the paths that a request may name in them.
 * Below: the part of the folders that a search looks in.
 */
import { basename, dirname, join } from "node:path";
import { UserError } from "#foundation/errors.ts";
import { collectionOf, type Config } from "#foundation/configuration/mod.ts";
import {
  isInside,
  isRefused,
  type Resolved,
  resolveFolderInside,
  resolveInside,
} from "#foundation/boundary/mod.ts";
import type { Below, ServedFolder } from "./served_folders.ts";

/** A served folder under the name that clients call it by. */
export interface ServedCollection {
  readonly name: string;
  /** Real path of the folder. */
  readonly root: string;
  /** The description in the configuration. */
  readonly description?: string;
}

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
 * The names and paths in a list of collections, one to a line or separated by commas (a name of `known` may have commas).
 * `all` for a blank list, and for one with `all` or `*`.
 */
export function askedCollections(
  list: string | undefined,
  known: readonly ServedCollection[],
): readonly string[] | "all" {
  const asked = (list ?? "").split("\n").flatMap((line) =>
    rootNamed(line, known) === undefined ? line.split(/[,，、]/) : [line]
  ).map((name) => name.trim()).filter((name) => name !== "");
  const isAll = (name: string) => /^(?:all|\*)$/i.test(name) && rootNamed(name, known) === undefined;
  return asked.length === 0 || asked.some(isAll) ? "all" : asked;
}

/** The folder of a name: as it is written, or in other upper and lower case if only one has it. */
export function rootNamed(name: string, known: readonly ServedCollection[]): string | undefined {
  const plain = name.trim().normalize("NFC");
  const exact = known.find((one) => one.name.normalize("NFC") === plain);
  if (exact !== undefined) return exact.root;
  const similar = known.filter((one) => one.name.normalize("NFC").toLowerCase() === plain.toLowerCase());
  return similar.length === 1 ? similar[0]!.root : undefined;
}

/** Names that an error lists. */
const MOST_NAMES = 30;

/** The error `collection_unknown`. */
export function unknownCollection(
  name: string,
  known: readonly ServedCollection[],
  cause?: unknown,
): UserError {
  const names = known.map(({ name }) => name);
  const shown = names.slice(0, MOST_NAMES).join(", ") + (names.length > MOST_NAMES ? ", …" : "");
  return new UserError("collection_unknown", { name, known: shown }, { cause });
}

/**
 * Resolves a path inside the served folders, or, if there is no such entry, one that begins with the name of a folder
 * (`notes/tea.md`), as assistants write it, and the address of a resource (`muxue://notes/tea.md`). A path that begins with a name may not lead out of the folder of that name.
 * `resolve`: `resolveInside` or `resolveFolderInside`. Throws what it throws, with `path` as it was asked for.
 */
export async function resolveServed(
  path: string,
  roots: readonly string[],
  collections: readonly ServedCollection[],
  resolve: (path: string, roots: readonly string[]) => Promise<Resolved>,
): Promise<Resolved> {
  const address = pathOfAddress(path);
  try {
    if (address !== undefined) throw new UserError("file_not_found", { path });
    return await resolve(path, roots);
  } catch (error) {
    if (!isMissingEntry(error)) throw error;
    let last: unknown = error;
    for (const named of collectionPaths(address ?? path, collections)) {
      // A served folder inside that folder keeps its own rules.
      const within = roots.filter((root) => isInside(root, named.root));
      try {
        return await resolve(join(named.root, named.path), within);
      } catch (failure) {
        if (!(failure instanceof UserError)) throw failure;
        last = new UserError(failure.key, { ...failure.params, path }, { cause: failure });
      }
    }
    throw last;
  }
}

/** The places that a path names, if it begins with the name of a folder; the longest name first. */
function collectionPaths(path: string, collections: readonly ServedCollection[]) {
  const plain = path.trim().replaceAll("\\", "/");
  const begins = (name: string) => fold(plain).startsWith(`${fold(name)}/`);
  const isWritten = (name: string) => plain.startsWith(`${name}/`);
  return collections.filter(({ name }) => begins(name))
    .sort((a, b) => b.name.length - a.name.length || Number(isWritten(b.name)) - Number(isWritten(a.name)))
    .map(({ name, root }) => ({ root, path: plain.split("/").slice(name.split("/").length).join("/") }));
}

/** The path in the address `muxue://notes/green%20tea.md`, with the name of the folder; `undefined` for other texts. */
function pathOfAddress(text: string): string | undefined {
  const [, encoded] = /^\s*muxue:\/\/([^?#]+)/i.exec(text) ?? [];
  if (encoded === undefined) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

function fold(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

function isMissingEntry(error: unknown): boolean {
  return error instanceof UserError &&
    (error.key === "file_not_found" || error.key === "directory_not_found");
}

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
    const { root, relative } = await resolveServed(dirPath, roots, collections, resolveFolderInside);
    const inside = folders.filter((folder) => folder.root === root);
    for (const folder of inside) {
      if (!await folder.knowsFolder(relative)) throw new UserError("directory_not_found", { path: dirPath });
    }
    return { folders: inside, below: new Map(relative === "" ? [] : [[root, [relative]]]) };
  } catch (error) {
    const inArchive = isNoFolder(error) ? await archiveScope(dirPath, folders, collections) : undefined;
    if (inArchive !== undefined) return inArchive;
    if (!(error instanceof UserError)) throw error;
    // A folder or file that the client may not know of must look like one that does not exist.
    const isLimited = folders.some(({ access }) => access !== undefined);
    if (isLimited && (error.key !== "no_permission" || isRefused(error.cause))) {
      throw new UserError("directory_not_found", { path: dirPath });
    }
    if (error.key !== "no_permission") throw error;
    throw new UserError("dir_not_served", { path: dirPath, served: roots.join(", ") }, { cause: error });
  }
}

/** The scope of an archive that clients may know of, or of a folder in one. */
async function archiveScope(
  dirPath: string,
  folders: readonly ServedFolder[],
  collections: readonly ServedCollection[],
): Promise<Scope | undefined> {
  const plain = dirPath.trim().replaceAll("\\", "/").replace(/\/+$/, "");
  const { archivePrefixes } = await import("#library/corpus/mod.ts");
  for (const archive of archivePrefixes(`${plain}/`)) {
    const roots = folders.map(({ root }) => root);
    const found = await resolveServed(archive, roots, collections, resolveInside).catch(() => undefined);
    if (found === undefined) continue;
    const { root, relative } = found;
    const below = `${relative}${plain.slice(archive.length)}`;
    const inside = folders.filter((folder) => folder.root === root);
    for (const folder of inside) {
      if (await folder.rules.leftOut(relative) !== null || !await folder.knowsFolder(below)) return undefined;
    }
    return { folders: inside, below: new Map([[root, [below]]]) };
  }
  return undefined;
}

/** The folders of a library. */
export interface ServedLocations {
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
  { dirPath, collections }: {
    readonly dirPath?: string | undefined;
    readonly collections?: string | undefined;
  },
  { folders, below, collections: known }: ServedLocations,
): Promise<Scope> {
  const whole = (name: string): Scope | undefined => {
    const root = rootNamed(name, known);
    return root === undefined
      ? undefined
      : { folders: folders.filter((folder) => folder.root === root), below: new Map() };
  };
  const asked = askedCollections(collections, known);
  if (asked === "all" && (collections ?? "").trim() === "") {
    return await scopeOf(dirPath, folders, below, known).catch((error) => {
      const scope = isNoFolder(error) ? whole(dirPath ?? "") : undefined;
      if (scope === undefined) throw error;
      return scope;
    });
  }
  if (asked === "all") return { folders, below };
  const scopes: Scope[] = [];
  for (const name of asked) scopes.push(whole(name) ?? await folderScope(name, folders, known));
  return joined(folders, scopes);
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
