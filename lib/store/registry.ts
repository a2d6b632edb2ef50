import { createHash } from "node:crypto";
import { join } from "node:path";
import { unwritable } from "./unwritable.ts";

/** Folder of the registry in the user's state folder: one small file for each processed directory, so no two writers meet. */
const FOLDER = "folders";

function entryPath(stateDir: string, root: string): string {
  const name = createHash("sha256").update(root).digest("hex").slice(0, 32);
  return join(stateDir, FOLDER, `${name}.json`);
}

/** Remembers that `root` has been processed on this machine. Throws `data_folder_unwritable` or `disk_full`. */
export async function register(stateDir: string, root: string): Promise<void> {
  const path = entryPath(stateDir, root);
  if (await readEntry(path) === root) return;
  const fresh = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    await Deno.mkdir(join(stateDir, FOLDER), { recursive: true });
    const entry = JSON.stringify({ path: root, processedAt: new Date().toISOString() }) + "\n";
    using file = await Deno.open(fresh, { createNew: true, write: true });
    await file.write(new TextEncoder().encode(entry));
    await file.sync();
    await Deno.rename(fresh, path);
  } catch (error) {
    await Deno.remove(fresh).catch(() => {});
    throw unwritable(error, path);
  }
}

/** Forgets `root`; nothing happens if it is not there. */
export async function unregister(stateDir: string, root: string): Promise<void> {
  try {
    await Deno.remove(entryPath(stateDir, root));
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** Real paths of all directories processed on this machine that still are directories, in order. */
export async function registeredRoots(stateDir: string): Promise<string[]> {
  const roots: string[] = [];
  try {
    for await (const entry of Deno.readDir(join(stateDir, FOLDER))) {
      if (!entry.name.endsWith(".json")) continue;
      const root = await readEntry(join(stateDir, FOLDER, entry.name));
      if (root !== undefined) roots.push(root);
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return roots.sort();
}

/** The directory an entry names, if it is one and has not become a link to another. */
async function readEntry(path: string): Promise<string | undefined> {
  try {
    const { path: root } = JSON.parse(await Deno.readTextFile(path));
    return typeof root === "string" && await Deno.realPath(root) === root ? root : undefined;
  } catch {
    // a damaged entry or a directory that is gone: as if it were not there
    return undefined;
  }
}
