import { join } from "node:path";
import { UserError } from "../errors.ts";
import { DATA_FOLDER } from "../own_names.ts";
import { OwnFolder, unwritable, writeAll } from "../sandbox/mod.ts";

/** Name of the index in the data folder. */
export const INDEX_FILE = "index.bin";

/** Name of the file with what has changed since the index was written. */
export const CHANGES_FILE = "changes.bin";

/** Keeps the data folder out of repositories. */
export const IGNORE_FILE = ".gitignore";

/**
 * Data folders that are not `DIR/.muxue_rag`, by the real path of `DIR`: full paths, those of their parents
 * real.
 */
export type IndexDirs = Readonly<Record<string, string>>;

/** The data folder of `root`, a real path: `DIR/.muxue_rag`, or the path `elsewhere`. */
export function dataFolder(root: string, elsewhere?: string): OwnFolder {
  return new OwnFolder(elsewhere ?? join(root, DATA_FOLDER));
}

/** `index.bin` in the data folder. */
export function indexPath(root: string, elsewhere?: string): string {
  return dataFolder(root, elsewhere).at(INDEX_FILE);
}

/**
 * Makes a data folder with a `.gitignore` that keeps it out of repositories. A link in its place is refused, because writes
 * would end elsewhere. Throws `data_folder_unsafe`, `index_folder_unwritable` or `disk_full`.
 */
export async function ensureDataFolder(folder: OwnFolder): Promise<void> {
  try {
    folder.make();
    await keepOutOfRepositories(folder);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw unwritable(error, folder.path, "index_folder_unwritable");
  }
}

/** An entry of a data folder that was in the way of one of the program's files. */
export interface TakenAway {
  readonly path: string;
  /** The name that it has now, if it was a folder with content. */
  readonly aside?: string;
}

/**
 * Takes away the entries of a data folder with these names that are not what they should be: a link, a pipe or a folder in the place of
 * a file. They are neither read nor followed. Without that, every command would refuse the folder until a person removes them. Throws
 * `data_folder_unwritable`.
 */
export function takeAwayOdd(
  folder: OwnFolder,
  names: readonly string[],
  isOdd: (info: Deno.FileInfo) => boolean = ({ isFile }) => !isFile,
): TakenAway[] {
  const taken: TakenAway[] = [];
  for (const name of names) {
    const info = folder.look(name);
    if (info === undefined || !isOdd(info)) continue;
    try {
      const aside = folder.takeAway(name);
      taken.push({ path: folder.at(name), ...(aside === undefined ? {} : { aside }) });
    } catch (error) {
      // Another process may have done it.
      if (error instanceof Deno.errors.NotFound) continue;
      throw error instanceof UserError ? error : unwritable(error, folder.at(name));
    }
  }
  return taken;
}

/** Writes the `.gitignore` if it is missing, or empty because the disk was full. */
async function keepOutOfRepositories(folder: OwnFolder): Promise<void> {
  const info = folder.look(IGNORE_FILE);
  if (info !== undefined && !(info.isFile && info.size === 0)) return;
  await folder.replace(IGNORE_FILE, (file) => writeAll(file, new TextEncoder().encode("*\n")), 0o666);
}
