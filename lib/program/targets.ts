/**
 * The folders of a command: those of `--dir`, the indexed folder around, collections,
 * or all folders that were indexed on this machine.
 */
import { basename, dirname, join, relative, resolve } from "node:path";
import { collectionOf, homeFolder, nearest, storeUrls } from "#foundation/configuration/mod.ts";
import { UsageError, UserError } from "#foundation/errors.ts";
import {
  exists,
  isInside,
  isNamedFolder,
  listNamed,
  realPlaceNamed,
  resolveTarget,
  toPortable,
} from "#foundation/boundary/mod.ts";
import type { FolderCommand } from "./command.ts";
import { abortable, type Context } from "./context.ts";
import type { FolderChoice, Request } from "./request.ts";
import { DATA_FOLDER } from "#foundation/constants.ts";
import { dataFolderIn, indexDirOf, registered, registeredPaths } from "#foundation/registry.ts";

/** The texts of warnings. Most starts have none. */
const say = () => import("./say.ts");

type TargetSearch =
  & Pick<Context, "io" | "flags" | "language" | "signal">
  & Pick<Request, "config" | "stateDir">
  & {
    /** Real path of the folder of `--index-dir`. */
    readonly indexDir: string | undefined;
  };

interface Targets extends FolderChoice {
  /** Their real paths, each once. */
  readonly roots: readonly string[];
}

/**
 * The folders that `--dir` names, by their paths or as collections. Without it, a command on the folder around gets the
 * indexed folder that contains the working folder, and a command on all folders, or outside of them, the folders of the
 * collections, or, if there are none, the registered folders that still exist. Where `--dir`
 * lies in an indexed folder, a command on the folder around gets that folder. Throws `UsageError` for a `--dir` that is not
 * a folder or must not be indexed, and `cli_dir_missing` where the command needs one. A command that an MCP client starts
 * goes on with the folders that are left, if any: the client's user would only see that the server has ended.
 */
export async function targetsOf(
  { folders, startedByClient }: Pick<FolderCommand, "folders" | "startedByClient">,
  search: TargetSearch,
): Promise<Targets> {
  const named = await namedTargets(startedByClient ?? false, search);
  if (named.length > 0) {
    const within = folders === "one" || folders === "here" ? await indexedAroundEach(named, search) : {};
    return folders === "here" ? insideIndexed(named, within) : targets("name", named, within);
  }
  if (folders === "here" && !search.flags.all) {
    const root = await indexedFolderOf(search.stateDir, await realPlaceNamed(search.io.cwd));
    if (root !== undefined) return targets("here", [await target(search, root)]);
  }
  const isOfAll = folders === "all" || folders === "here";
  if (Object.keys(search.config.collections).length > 0 && !search.flags.all) {
    if (isOfAll || folders === "one") return targets("collections", await collectionTargets(search));
  }
  if (folders === "one") throw new UsageError("cli_dir_missing");
  if (!isOfAll) return targets("name", []);
  const all = await registeredTargets(search);
  return targets(folders === "here" && !search.flags.all ? "outside" : "all", all);
}

function targets(by: Targets["by"], roots: readonly string[], within: Targets["within"] = {}): Targets {
  return { roots, by, below: {}, within };
}

/** The folders of a command that works on the index around a folder that has none. */
function insideIndexed(named: readonly string[], within: Targets["within"]): Targets {
  const below: Record<string, string[]> = {};
  const roots = new Set<string>();
  for (const dir of named) {
    const root = within[dir];
    if (root !== undefined) (below[root] ??= []).push(pathBelow(root, dir));
    roots.add(root ?? dir);
  }
  // A folder that is named as well is not limited.
  for (const dir of named) delete below[dir];
  return { roots: [...roots], by: "name", below, within };
}

/** The indexed folder around each of the folders that have no index, if there is one that may be used. */
async function indexedAroundEach(
  named: readonly string[],
  search: TargetSearch,
): Promise<Record<string, string>> {
  const within: Record<string, string> = {};
  for (const dir of named) {
    // A collection has an index of its own.
    if (collectionOf(search.config, dir) !== undefined) continue;
    const root = await indexedFolderAround(search.stateDir, dir, search.indexDir);
    if (root !== undefined && await target(search, root).then(() => true, () => false)) within[dir] = root;
  }
  return within;
}

/** The real paths of every `--dir`, each once. */
async function namedTargets(startedByClient: boolean, search: TargetSearch): Promise<string[]> {
  const { flags: { dir }, language, config: { collections } } = search;
  const roots = new Set<string>();
  const failures: UsageError[] = [];
  for (const each of dir) {
    try {
      const path = Object.hasOwn(collections, each) ? collections[each]!.path : each;
      roots.add(await target(search, path));
    } catch (error) {
      if (!(error instanceof UsageError) || !startedByClient) throw error;
      failures.push(error);
    }
  }
  const [failure] = failures;
  if (roots.size === 0 && failure !== undefined) throw failure;
  for (const { key, params } of failures) {
    const { printableMessage, warn } = await say();
    warn(search, "cli_dir_left_out", { text: printableMessage(language, key, params) });
  }
  return [...roots];
}

/** The folder of a command that works on one. Throws `UsageError` `cli_dir_missing` without it. */
export function oneRoot({ roots: [root] }: Pick<Request, "roots">): string {
  if (root === undefined) throw new UsageError("cli_dir_missing");
  return root;
}

/** The real paths of the collections. A folder that cannot be used is left out with a warning. Throws if all of them are. */
async function collectionTargets(search: TargetSearch): Promise<string[]> {
  const roots: string[] = [];
  const failures: { readonly name: string; readonly error: UserError }[] = [];
  for (const [name, { path }] of Object.entries(search.config.collections)) {
    try {
      roots.push(await target(search, path));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      failures.push({ name, error });
    }
  }
  const [first] = failures;
  if (roots.length === 0 && first !== undefined) throw first.error;
  for (const { name, error: { key, params } } of failures) {
    const { printableMessage, warn } = await say();
    warn(search, "cli_collection_left_out", { name, text: printableMessage(search.language, key, params) });
  }
  return roots;
}

/** The real paths of the registered folders that may be indexed. The others are left out with a warning. */
async function registeredTargets(search: TargetSearch): Promise<string[]> {
  const known = await registered(search.stateDir);
  for (const path of known.damaged) (await say()).warn(search, "registry_entry_damaged", { path });
  for (const { path, entry } of known.gone) {
    (await say()).warn(search, "registry_folder_gone", { dir: path, entry });
  }
  const roots: string[] = [];
  for (const dir of known.roots) {
    try {
      roots.push(await target(search, dir));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const { printableMessage, warn } = await say();
      const text = printableMessage(search.language, error.key, error.params);
      warn(search, "cli_dir_gone", { dir, text });
    }
  }
  return roots;
}

async function target(search: TargetSearch, dir: string): Promise<string> {
  const { io, flags, config, language, signal } = search;
  try {
    const resolving = resolveTarget(dir, {
      cwd: io.cwd,
      allowSensitive: flags.allowSensitive ?? config.files.allow_sensitive,
      home: homeFolder(io.env, Deno.build.os),
    });
    // A network drive that does not answer must not hold up Ctrl-C.
    return await abortable(resolving, signal);
  } catch (error) {
    if (!(error instanceof UserError) || error instanceof UsageError) throw error;
    const path = resolve(io.cwd, dir);
    // A collection in a database is searched where its files are not.
    const isElsewhere = error.key === "directory_not_found" && collectionOf(config, path) !== undefined &&
      storeUrls(config, path).length > 0;
    if (isElsewhere) return path;
    const { message } = await import("#foundation/messages/mod.ts");
    const text = message(language, error.key, error.params);
    if (text.includes(path)) throw new UsageError(error.key, error.params);
    const found = { text, dir: path };
    if (error.key === "not_a_directory") {
      throw new UsageError("cli_dir_error_file", { ...found, parent: dirname(path) });
    }
    if (error.key !== "directory_not_found") throw new UsageError("cli_dir_error", found);
    const names = basename(dir) === dir ? Object.keys(config.collections) : [];
    const suggestion = nearest(dir, names) ?? await abortable(similarFolder(path), signal);
    if (suggestion !== undefined) throw new UsageError("cli_dir_error_suggest", { ...found, suggestion });
    if (names.length === 0) throw new UsageError("cli_dir_error_unknown", found);
    throw new UsageError("cli_dir_error_collections", { ...found, names: names.join(", ") });
  }
}

/** The folder beside `path`, which does not exist, with a similar name, unless it is hidden. */
async function similarFolder(path: string): Promise<string | undefined> {
  const parent = dirname(path);
  const names = await listNamed(parent).catch(() => []);
  const name = nearest(basename(path), names.filter((name) => !name.startsWith(".")));
  return name !== undefined && isNamedFolder(join(parent, name)) ? join(parent, name) : undefined;
}

/**
 * Real path of the innermost folder with an index that contains `dir`, a real path, or is `dir`; without one, of the
 * innermost that is in the list of indexed folders. `undefined` if there is none, or if the list cannot be read.
 */
async function indexedFolderOf(stateDir: string, dir: string): Promise<string | undefined> {
  const known = await registeredPaths(stateDir).catch((): string[] => []);
  const around = known.filter((root) => isInside(dir, root)).sort((a, b) => b.length - a.length);
  for (const root of around) if (await hasData(stateDir, root)) return root;
  return around[0];
}

/**
 * Real path of the innermost folder with an index that contains `dir`, if `dir` has none itself. With `indexDir`, the real
 * path of `--index-dir`, both indexes are looked for there.
 */
async function indexedFolderAround(
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
function pathBelow(root: string, inner: string): string {
  return toPortable(relative(root, inner));
}
