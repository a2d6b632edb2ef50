import { join } from "node:path";
import { DATA_FOLDER } from "../corpus/mod.ts";
import { UserError } from "../errors.ts";
import { unwritable } from "./unwritable.ts";

export { DATA_FOLDER };

/** Name of the index in it. */
export const INDEX_FILE = "index.bin";

/** `DIR/.muxue_rag`. */
export function dataFolder(root: string): string {
  return join(root, DATA_FOLDER);
}

/** `DIR/.muxue_rag/index.bin`. */
export function indexPath(root: string): string {
  return join(root, DATA_FOLDER, INDEX_FILE);
}

/**
 * Makes sure that `DIR/.muxue_rag` is a folder of ours: a link would let a write end elsewhere. Made with a `.gitignore`
 * that keeps it out of repositories. Throws `data_folder_unsafe`, `data_folder_unwritable` or `disk_full`.
 */
export async function ensureDataFolder(root: string): Promise<string> {
  const folder = dataFolder(root);
  try {
    if (!await isRealFolder(folder)) await Deno.mkdir(folder);
    await keepOutOfRepositories(folder);
  } catch (error) {
    if (error instanceof UserError) throw error;
    // another process may have made it in between
    if (error instanceof Deno.errors.AlreadyExists && await isRealFolder(folder)) return folder;
    throw unwritable(error, folder);
  }
  return folder;
}

/** Writes the `.gitignore` where it is missing or, because a disk was full once, empty. */
async function keepOutOfRepositories(folder: string): Promise<void> {
  const path = join(folder, ".gitignore");
  const info = await Deno.lstat(path).catch(() => undefined);
  if (info === undefined) await Deno.writeTextFile(path, "*\n", { createNew: true });
  else if (info.isFile && info.size === 0) await Deno.writeTextFile(path, "*\n");
}

/** True for a real folder, false if there is nothing; throws `data_folder_unsafe` for anything else. */
export async function isRealFolder(folder: string): Promise<boolean> {
  try {
    const info = await Deno.lstat(folder);
    if (!info.isDirectory || info.isSymlink) throw new UserError("data_folder_unsafe", { path: folder });
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
