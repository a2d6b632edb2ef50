import { UserError } from "../errors.ts";
import type { Resolved } from "./boundary.ts";
import { comparable } from "./paths.ts";

/**
 * Opens a resolved file for reading. What is not a regular file is never opened (a pipe would block), and
 * after opening it is checked that the real path still is one and still names the file that was opened: a
 * link put in its place in the meantime gets nothing. A pipe put there between the look and the opening would
 * still block until something is written to it: `Deno.open` offers no `O_NONBLOCK`. The caller closes the file.
 *
 * Throws `UserError` `not_a_file` and `no_permission` (swapped), each with `path`, and the runtime's own
 * errors otherwise.
 */
export async function openInside({ real }: Pick<Resolved, "real">): Promise<Deno.FsFile> {
  const before = await Deno.lstat(real);
  if (before.isSymlink) throw new UserError("no_permission", { path: real });
  if (!before.isFile) throw new UserError("not_a_file", { path: real });

  const file = await Deno.open(real, { read: true });
  try {
    const opened = await file.stat();
    if (!opened.isFile) throw new UserError("not_a_file", { path: real });
    if (!isSame(before, opened) || comparable(await Deno.realPath(real)) !== comparable(real)) {
      throw new UserError("no_permission", { path: real });
    }
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}

/** Device and file number agree, where the system has such numbers. */
function isSame(a: Deno.FileInfo, b: Deno.FileInfo): boolean {
  return (a.ino === null || b.ino === null || a.ino === b.ino) && (!a.dev || !b.dev || a.dev === b.dev);
}
