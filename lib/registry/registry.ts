import { createHash } from "node:crypto";
import { registryDir } from "../config/mod.ts";
import { UserError } from "../errors.ts";
import { isReal, OwnFolder, unwritable, writeAll } from "../sandbox/mod.ts";

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

/** Forgets `root`; nothing happens if it is not there. Throws `data_folder_unsafe`. */
export function unregister(stateDir: string, root: string): void {
  try {
    registry(stateDir).remove(entryName(root));
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** Real paths of all directories processed on this machine that still are directories, in order. Throws `data_folder_unsafe`. */
export async function registeredRoots(stateDir: string): Promise<string[]> {
  const roots: string[] = [];
  for (const path of await registeredPaths(stateDir)) if (await isReal(path)) roots.push(path);
  return roots;
}

/**
 * All directories processed on this machine as they were noted, in order: whether they still are there is not looked at.
 * Throws `data_folder_unsafe`.
 */
export async function registeredPaths(stateDir: string): Promise<string[]> {
  const folder = registry(stateDir);
  if (!folder.exists()) return [];
  const paths: string[] = [];
  for (const name of folder.names()) {
    const path = name.endsWith(".json") ? await readEntry(folder, name) : undefined;
    if (path !== undefined) paths.push(path);
  }
  return paths.sort();
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
