import { reasonOf, UserError } from "../errors.ts";
import { unregister } from "../registry/mod.ts";
import { dataFolder, WriterLock } from "../store/mod.ts";
import type { IngestContext } from "./types.ts";

/** True if `root` has a data folder. Throws `data_folder_unsafe` if something else is in its place. */
export function hasIndex(root: string): Promise<boolean> {
  return Promise.try(() => dataFolder(root).exists());
}

/**
 * Removes `DIR/.muxue_rag` with all that is in it and forgets `root`. False if there was none. Throws `index_busy`,
 * `data_folder_unsafe`, `data_folder_unwritable`.
 */
export async function cleanIndex(root: string, context: IngestContext): Promise<boolean> {
  if (!await hasIndex(root)) {
    unregister(context.stateDir, root);
    return false;
  }
  const folder = dataFolder(root);
  const lock = await WriterLock.take(root);
  // Windows does not remove a folder in which a file is open; in between nobody can do worse than start an indexing run
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
  context.log.info("clean", { root });
  return true;
}
