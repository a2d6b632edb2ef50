import { basename, dirname, join } from "node:path";
import { UserError } from "../errors.ts";

/** End of the names of files in the making. */
const SUFFIX = ".tmp";

/**
 * Replaces the file at `path` by what `write` puts into a new one beside it, in one step: readers and a power cut see the
 * old or the new, never a part. `write` must force its bytes to the disk. If it throws, the old file stays.
 */
export async function replaceFile<T>(path: string, write: (file: Deno.FsFile) => Promise<T>): Promise<T> {
  const fresh = `${path}.${Deno.pid}${SUFFIX}`;
  try {
    const file = await Deno.open(fresh, { createNew: true, read: true, write: true, mode: 0o600 });
    let result: T;
    try {
      result = await write(file);
    } finally {
      file.close();
    }
    await Deno.rename(fresh, path);
    await syncFolder(dirname(path));
    return result;
  } catch (error) {
    await Deno.remove(fresh).catch(() => {});
    if (isDiskFull(error)) throw new UserError("disk_full", { path: dirname(path) }, { cause: error });
    throw error;
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

function isDiskFull(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === "ENOSPC" || code === "EDQUOT" ||
    error instanceof Error && /os error (28|112|122)\b/.test(error.message);
}
