/**
 * The list of folders that were indexed on this machine, one small file for each, and the places of data folders that are not in
 * the folders themselves.
 */
import { basename, dirname, join } from "node:path";
import { registryDir } from "#foundation/configuration/mod.ts";
import { UserError } from "./errors.ts";
import {
  fill,
  isFullPath,
  isMissing,
  isReal,
  OwnFolder,
  sha256Hex,
  unwritable,
  writeAll,
} from "#foundation/boundary/mod.ts";

/** Greatest size of an entry in bytes. The longest possible path fits in, even if every character is escaped. */
const MAX_ENTRY = 65_536;

/** Contents of the registry, each list in ascending order. */
interface Registered {
  /** Real paths of the folders that still exist. */
  readonly roots: readonly string[];
  /** Folders that are gone or have been replaced by a link, each with the file of its entry. */
  readonly gone: readonly { readonly path: string; readonly entry: string }[];
  /** Entries that name no folder: cut off, emptied, too large, or not files. */
  readonly damaged: readonly string[];
}

/** The registry: one small file for each folder, so that runs at the same time do not write the same file. */
function registry(stateDir: string): OwnFolder {
  return new OwnFolder(registryDir(stateDir), { named: true });
}

async function entryName(root: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(root));
  return `${new Uint8Array(digest).toHex().slice(0, 32)}.json`;
}

/** An entry: the real path of a folder, and the path of its data folder if that is not `DIR/.muxue_rag`. */
interface Entry {
  readonly path: string;
  readonly index?: string;
}

/**
 * Adds `root` to the registry, with the path of its data folder if that is `elsewhere`. Throws `data_folder_unsafe`,
 * `data_folder_unwritable` or `disk_full`.
 */
export async function register(stateDir: string, root: string, elsewhere?: string): Promise<void> {
  const folder = registry(stateDir);
  const name = await entryName(root);
  const known = await readEntry(folder, name);
  if (known?.path === root && known.index === elsewhere) return;
  try {
    folder.make();
    const entry = JSON.stringify({ path: root, index: elsewhere, processedAt: new Date().toISOString() }) +
      "\n";
    await folder.replace(name, (file) => writeAll(file, new TextEncoder().encode(entry)));
  } catch (error) {
    throw writeError(error, folder.at(name));
  }
}

/** Returns the path of the data folder of `root` that the registry names; `undefined` for `DIR/.muxue_rag`. */
export async function indexDirOf(stateDir: string, root: string): Promise<string | undefined> {
  const entry = await readEntry(registry(stateDir), await entryName(root));
  if (entry?.path !== root || entry.index === undefined) return undefined;
  // an entry may name no folder but that of the program for this root
  return isFullPath(entry.index) && dataFolderIn(dirname(entry.index), root) === entry.index
    ? entry.index
    : undefined;
}

/** Removes `root` from the registry, if it is there. Throws `data_folder_unsafe` or `data_folder_unwritable`. */
export async function unregister(stateDir: string, root: string): Promise<void> {
  const folder = registry(stateDir);
  const name = await entryName(root);
  try {
    folder.remove(name);
  } catch (error) {
    if (!isMissing(error)) throw writeError(error, folder.at(name));
  }
}

/** Removes all entries, damaged ones too, and the folder of the registry. Throws as {@linkcode unregister}. */
export function forgetAll(stateDir: string): void {
  const folder = registry(stateDir);
  for (const name of folder.namesIfAny()) {
    if (!name.endsWith(".json")) continue;
    try {
      folder.remove(name);
    } catch (error) {
      throw writeError(error, folder.at(name));
    }
  }
  folder.removeIfEmpty();
}

function writeError(error: unknown, path: string): UserError {
  return error instanceof UserError ? error : unwritable(error, path);
}

/** Returns the real paths of the registered folders that still exist, in ascending order. Throws as {@linkcode registered}. */
export async function registeredRoots(stateDir: string): Promise<readonly string[]> {
  return (await registered(stateDir)).roots;
}

/** Returns the paths of all registered folders in ascending order, also of gone ones. Throws as {@linkcode registered}. */
export async function registeredPaths(stateDir: string): Promise<string[]> {
  return (await readEntries(stateDir)).entries.map(({ path }) => path);
}

/**
 * Reads the registry and looks which of its folders still exist. Throws `UserError` `data_folder_unsafe`, `no_permission` or
 * `file_unreadable`, each with the registry's `path`.
 */
export async function registered(stateDir: string): Promise<Registered> {
  const { entries, damaged } = await readEntries(stateDir);
  const roots: string[] = [];
  const gone: { path: string; entry: string }[] = [];
  for (const entry of entries) {
    if (await isReal(entry.path)) roots.push(entry.path);
    else gone.push(entry);
  }
  return { roots, gone, damaged };
}

async function readEntries(
  stateDir: string,
): Promise<{ entries: { path: string; entry: string }[]; damaged: string[] }> {
  const folder = registry(stateDir);
  const entries: { path: string; entry: string }[] = [];
  const damaged: string[] = [];
  for (const name of folder.namesIfAny().sort()) {
    if (!name.endsWith(".json")) continue;
    const entry = await readEntry(folder, name);
    if (entry === undefined) damaged.push(folder.at(name));
    else if (entry !== null) entries.push({ path: entry.path, entry: folder.at(name) });
  }
  entries.sort((a, b) => a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
  return { entries, damaged };
}

/** Returns an entry: `undefined` if it is damaged, `null` if there is none. */
async function readEntry(folder: OwnFolder, name: string): Promise<Entry | undefined | null> {
  try {
    using file = folder.open(name, "read");
    // if the last byte of the buffer is filled, the entry is too large
    const buffer = new Uint8Array(MAX_ENTRY + 1);
    const bytes = buffer.subarray(0, await fill(file, buffer));
    if (bytes.length > MAX_ENTRY) return undefined;
    const { path, index } = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof path !== "string") return undefined;
    return { path, ...(typeof index === "string" ? { index } : {}) };
  } catch (error) {
    return isMissing(error) ? null : undefined;
  }
}

/** Characters of a folder's name that its data folder begins with. */
const NAME_CHARS = 40;

/**
 * Path of the data folder of `root` (a real path) in `base`, the folder of `--index-dir`: the name of `root`, for people,
 * and a hash of its path.
 *
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { dataFolderIn } from "./registry.ts";
 *
 * equal(dataFolderIn("/indexes", "/media/cd/My notes"), "/indexes/My_notes-8381d8b56f72ca9c");
 * ```
 */
export function dataFolderIn(base: string, root: string): string {
  const name = [...basename(root).replaceAll(/[^\p{L}\p{M}\p{N}_-]+/gu, "_")].slice(0, NAME_CHARS).join("");
  const hash = sha256Hex(root).slice(0, 16);
  return join(base, `${name || "folder"}-${hash}`);
}
