import { basename, dirname, join } from "node:path";
import { isDiskFull, unwritable } from "./unwritable.ts";

/** End of the names of files in the making. */
const SUFFIX = ".tmp";

/**
 * Replaces the file at `path` by what `write` puts into a new one beside it, in one step: readers and a power cut see the
 * old or the new, never a part. `write` must force its bytes to the disk. If it throws, the old file stays. Throws
 * `disk_full`, `data_folder_unwritable` where the new file cannot be made, and what `write` throws.
 */
export async function replaceFile<T>(path: string, write: (file: Deno.FsFile) => Promise<T>): Promise<T> {
  const fresh = `${path}.${crypto.randomUUID().slice(0, 8)}${SUFFIX}`;
  const file = await orUnwritable(
    Deno.open(fresh, { createNew: true, read: true, write: true, mode: 0o600 }),
    path,
  );
  try {
    let result: T;
    try {
      result = await write(file);
    } finally {
      file.close();
    }
    await orUnwritable(Deno.rename(fresh, path), path);
    await syncFolder(dirname(path));
    return result;
  } catch (error) {
    await Deno.remove(fresh).catch(() => {});
    throw isDiskFull(error) ? unwritable(error, path) : error;
  }
}

async function orUnwritable<T>(work: Promise<T>, path: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw unwritable(error, path);
  }
}

/** Removes what killed processes left beside `path`. Only for the holder of the writer lock. */
export async function removeLeftovers(path: string): Promise<void> {
  for await (const { name } of Deno.readDir(dirname(path))) {
    if (!name.startsWith(`${basename(path)}.`) || !name.endsWith(SUFFIX)) continue;
    await Deno.remove(join(dirname(path), name)).catch(() => {});
  }
}

/** A rename is safe from a power cut once its folder is on the disk; Windows has no such call and needs none. */
async function syncFolder(folder: string): Promise<void> {
  try {
    using handle = await Deno.open(folder, { read: true });
    await handle.sync();
  } catch {
    // not every file system can
  }
}
