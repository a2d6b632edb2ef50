import { createHash } from "node:crypto";
import { registryDir } from "../config/mod.ts";
import { UserError } from "../errors.ts";
import { fileError, isMissing, isReal, OwnFolder, unwritable, writeAll } from "../sandbox/mod.ts";

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
 * {@linkcode registeredPaths} does.
 */
export async function registeredRoots(stateDir: string): Promise<string[]> {
  const roots: string[] = [];
  for (const path of await registeredPaths(stateDir)) if (await isReal(path)) roots.push(path);
  return roots;
}

/**
 * All directories processed on this machine as they were noted, in order: whether they still are there is not looked at.
 * Throws `UserError` `data_folder_unsafe`, `no_permission` or `file_unreadable`, each with the registry's `path`.
 */
export async function registeredPaths(stateDir: string): Promise<string[]> {
  const folder = registry(stateDir);
  const paths: string[] = [];
  for (const name of namesIn(folder)) {
    const path = name.endsWith(".json") ? await readEntry(folder, name) : undefined;
    if (path !== undefined) paths.push(path);
  }
  return paths.sort();
}

function namesIn(folder: OwnFolder): string[] {
  try {
    return folder.names();
  } catch (error) {
    if (isMissing(error)) return [];
    throw fileError(error, folder.path);
  }
}

/** The directory an entry names. A damaged entry is as if it were not there. */
async function readEntry(folder: OwnFolder, name: string): Promise<string | undefined> {
  try {
    const { path } = JSON.parse(await folder.readText(name));
    return typeof path === "string" ? path : undefined;
  } catch {
    return undefined;
  }
}
