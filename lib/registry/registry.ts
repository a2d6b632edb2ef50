import { createHash } from "node:crypto";
import { registryDir } from "../config/mod.ts";
import { UserError } from "../errors.ts";
import { fileError, fill, isMissing, isReal, OwnFolder, unwritable, writeAll } from "../sandbox/mod.ts";

/** Bytes of an entry at most: the longest path there can be, every character of it escaped, fits in. */
const MAX_ENTRY = 65_536;

/** Contents of the registry, each list in order. */
export interface Registered {
  /** Real paths of the directories that still are directories. */
  readonly roots: readonly string[];
  /** The directories that are not, or that a link leads elsewhere from now, each with the file of its entry. */
  readonly gone: readonly { readonly path: string; readonly entry: string }[];
  /** Files of the registry that name no directory: cut off, emptied, too large, or no files at all. */
  readonly damaged: readonly string[];
}

/** One small file for each processed directory, so no two writers meet. */
function registry(stateDir: string): OwnFolder {
  return new OwnFolder(registryDir(stateDir), { named: true });
}

function entryName(root: string): string {
  return `${createHash("sha256").update(root).digest("hex").slice(0, 32)}.json`;
}

/**
 * Remembers that `root` has been processed on this machine. Throws `data_folder_unsafe`, `data_folder_unwritable` or
 * `disk_full`.
 */
export async function register(stateDir: string, root: string): Promise<void> {
  const folder = registry(stateDir);
  const name = entryName(root);
  if (await readEntry(folder, name) === root) return;
  try {
    folder.make();
    const entry = JSON.stringify({ path: root, processedAt: new Date().toISOString() }) + "\n";
    await folder.replace(name, (file) => writeAll(file, new TextEncoder().encode(entry)));
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw unwritable(error, folder.at(name));
  }
}

/** Forgets `root`; nothing happens if it is not there. Throws `data_folder_unsafe` or `data_folder_unwritable`. */
export function unregister(stateDir: string, root: string): void {
  const folder = registry(stateDir);
  const name = entryName(root);
  try {
    folder.remove(name);
  } catch (error) {
    if (isMissing(error)) return;
    if (error instanceof UserError) throw error;
    throw unwritable(error, folder.at(name));
  }
}

/**
 * Real paths of all directories processed on this machine that still are directories, in order. Throws as
 * {@linkcode registered} does.
 */
export async function registeredRoots(stateDir: string): Promise<readonly string[]> {
  return (await registered(stateDir)).roots;
}

/**
 * All directories processed on this machine as they were noted, in order: whether they still are there is not looked at.
 * Throws as {@linkcode registered} does.
 */
export async function registeredPaths(stateDir: string): Promise<string[]> {
  return (await readEntries(stateDir)).entries.map(({ path }) => path);
}

/**
 * The directories processed on this machine. Throws `UserError` `data_folder_unsafe`, `no_permission` or `file_unreadable`,
 * each with the registry's `path`.
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
  for (const name of namesIn(folder).sort()) {
    if (!name.endsWith(".json")) continue;
    const path = await readEntry(folder, name);
    if (path === undefined) damaged.push(folder.at(name));
    else if (path !== null) entries.push({ path, entry: folder.at(name) });
  }
  entries.sort((a, b) => a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
  return { entries, damaged };
}

function namesIn(folder: OwnFolder): string[] {
  try {
    return folder.names();
  } catch (error) {
    if (isMissing(error)) return [];
    throw fileError(error, folder.path);
  }
}

/** The directory an entry names; `undefined` if it is damaged, null if there is none. */
async function readEntry(folder: OwnFolder, name: string): Promise<string | undefined | null> {
  try {
    using file = folder.open(name, "read");
    // one byte more than there may be: then it is too large
    const buffer = new Uint8Array(MAX_ENTRY + 1);
    const bytes = buffer.subarray(0, await fill(file, buffer));
    if (bytes.length > MAX_ENTRY) return undefined;
    const { path } = JSON.parse(new TextDecoder().decode(bytes));
    return typeof path === "string" ? path : undefined;
  } catch (error) {
    return isMissing(error) ? null : undefined;
  }
}
