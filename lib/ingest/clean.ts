import { reasonOf, UserError } from "../errors.ts";
import { unregister } from "../registry/mod.ts";
import { dataFolder, type IndexDirs, WriterLock } from "../store/mod.ts";
import type { IngestContext } from "./types.ts";

/** Whether `root` has a data folder. Throws `data_folder_unsafe` if something else has its name. */
export function hasIndex(root: string, dirs: IndexDirs = {}): Promise<boolean> {
  return Promise.try(() => dataFolder(root, dirs[root]).exists());
}

/**
 * Removes the data folder of `root` with its contents, and `root` from the registry. Returns false if there was no data
 * folder. Throws `index_busy`, `data_folder_unsafe`, `data_folder_unwritable`.
 */
export async function cleanIndex(
  root: string,
  context: Pick<IngestContext, "stateDir" | "indexDirs"> & Partial<Pick<IngestContext, "log">>,
): Promise<boolean> {
  if (!await hasIndex(root, context.indexDirs)) {
    unregister(context.stateDir, root);
    return false;
  }
  const folder = dataFolder(root, context.indexDirs?.[root]);
  const lock = await WriterLock.take(root, folder);
  // Windows does not remove a folder that contains an open file; an indexing run that starts in between does no harm
  if (Deno.build.os === "windows") lock.release();
  try {
    await folder.removeAll();
  } catch (error) {
    if (error instanceof UserError) throw error;
    const reason = reasonOf(error);
    throw new UserError("data_folder_unwritable", { path: folder.path, error: reason }, { cause: error });
  } finally {
    if (Deno.build.os !== "windows") lock.release();
  }
  unregister(context.stateDir, root);
  context.log?.info("clean", { root });
  return true;
}
