import { UserError } from "../../errors.ts";
import { isDiskFull, TEMPORARY_END, unwritable, type Write } from "../../sandbox/mod.ts";
import { CHANGES_FILE, dataFolder, IGNORE_FILE, INDEX_FILE } from "../data_folder.ts";

/** The files that are written under temporary names. */
const OUR_FILES = [INDEX_FILE, CHANGES_FILE, IGNORE_FILE];

/**
 * Replaces the index of `root`, or another file `name` of its data folder, by a new one that `write` fills, in one step:
 * readers and a power cut see the old file or the new one. If `write` throws, the old file stays. Throws
 * `data_folder_unsafe`, `disk_full`, `data_folder_unwritable` if the new file cannot be made, and the errors of `write`.
 * Only for the holder of the writer lock.
 */
export async function replaceIndex<T>(
  root: string,
  write: Write<T>,
  folder = dataFolder(root),
  name: string = INDEX_FILE,
): Promise<T> {
  let failed: { readonly error: unknown } | undefined;
  try {
    return await folder.replace(name, async (file) => {
      try {
        return await write(file);
      } catch (error) {
        failed = { error };
        throw error;
      }
    });
  } catch (error) {
    if (error instanceof UserError || error === failed?.error && !isDiskFull(error)) throw error;
    throw unwritable(error, folder.at(name));
  }
}

/**
 * Removes temporary files that killed processes left in the data folder of `root`: those of both files of the index and of
 * `.gitignore`. Only for the holder of the writer lock.
 */
export function removeLeftovers(root: string, folder = dataFolder(root)): void {
  for (const name of folder.names()) {
    const isOurs = OUR_FILES.some((file) => name.startsWith(`${file}.`));
    if (!isOurs || !name.endsWith(TEMPORARY_END)) continue;
    try {
      folder.remove(name);
    } catch {
      // A leftover file only takes space.
    }
  }
}
