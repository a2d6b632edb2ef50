import { dirname } from "node:path";
import { UserError } from "../errors.ts";
import { isTrulyAt } from "./is_truly_at.ts";
import { comparable, isInside } from "./paths.ts";
import type { Resolved } from "./resolve.ts";
import { isSameFile } from "./same_file.ts";

/** Milliseconds for which the time of a folder's last change proves nothing: systems keep it in seconds. */
const RECENT_MS = 2_500;

/** What to open. Without its root it takes longer to be sure of it. */
export interface Opening extends Pick<Resolved, "real"> {
  /** The allowed folder that it is in. */
  readonly root?: string | undefined;
}

/**
 * Opens a resolved file for reading. What is not a regular file is never opened (a pipe would block), and
 * after opening it is checked that the real path still is one and still names the file that was opened: a
 * link put in its place in the meantime, or in that of a folder above, gets nothing. A pipe put there between the look and
 * the opening would still block until something is written to it: `Deno.open` offers no `O_NONBLOCK`. The caller closes the
 * file.
 *
 * Throws `UserError` `not_a_file` and `no_permission` (swapped), each with `path`, and the runtime's own
 * errors otherwise.
 */
export async function openInside({ real, root }: Opening): Promise<Deno.FsFile> {
  const began = Date.now();
  const before = await Deno.lstat(real);
  if (before.isSymlink) throw new UserError("no_permission", { path: real });
  if (!before.isFile) throw new UserError("not_a_file", { path: real });

  const file = await Deno.open(real, { read: true });
  try {
    const opened = await file.stat();
    if (!opened.isFile) throw new UserError("not_a_file", { path: real });
    const isReal = () => comparable(Deno.realPathSync(real)) === comparable(real);
    const isQuiet = root !== undefined && isUnchanged(root, real, began - RECENT_MS);
    const isThere = isQuiet
      ? isReal() && isSameFile(Deno.lstatSync(real), opened)
      : isTrulyAt(real, opened, isReal);
    if (!isThere) throw new UserError("no_permission", { path: real });
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}

/**
 * Whether no folder from `root` down to the file at `real` has been changed after `time`, nor is a link. Whatever is put in
 * another's place changes the folder it is in, so what is there has been there since then.
 */
function isUnchanged(root: string, real: string, time: number): boolean {
  const folders: string[] = [];
  for (let folder = dirname(real); isInside(folder, root); folder = dirname(folder)) {
    folders.unshift(folder);
    if (folder === dirname(folder)) break;
  }
  return folders.length > 0 && folders.every((folder) => {
    // from above: that one was not swapped is known of the one it is in
    const { isDirectory, ctime } = Deno.lstatSync(folder);
    return isDirectory && ctime !== null && ctime.getTime() < time;
  });
}
