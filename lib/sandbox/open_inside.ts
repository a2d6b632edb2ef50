import { UserError } from "../errors.ts";
import { isTrulyAt } from "./is_truly_at.ts";
import { comparable } from "./paths.ts";
import { openToRead } from "./open_to_read.ts";
import type { Resolved } from "./resolve.ts";

/**
 * Opens a resolved file for reading. What is not a regular file is not opened, and if a pipe takes its place just then, it
 * is not waited for ({@linkcode openToRead}). After opening it is made sure that the file lies at its real path still: a link
 * put in its place in the meantime, or in that of any folder above, be it above the allowed one, gets nothing
 * ({@linkcode isTrulyAt}). That no folder on the way was changed lately would be quicker to see, but of those above the
 * allowed folder the locked worker may not ask it. The caller closes the file.
 *
 * Throws `UserError` `not_a_file` and `no_permission` (swapped), each with `path`, and the runtime's own errors otherwise.
 */
export function openInside({ real }: Pick<Resolved, "real">): Promise<Deno.FsFile> {
  return Promise.try(() => openInsideSync(real));
}

/** Nothing here blocks: it is quicker done than handed to another thread. */
function openInsideSync(real: string): Deno.FsFile {
  const before = Deno.lstatSync(real);
  if (before.isSymlink) throw new UserError("no_permission", { path: real });
  if (!before.isFile) throw new UserError("not_a_file", { path: real });

  const file = openToReadAt(real);
  try {
    const opened = file.statSync();
    if (!opened.isFile) throw new UserError("not_a_file", { path: real });
    const isReal = () => comparable(Deno.realPathSync(real)) === comparable(real);
    if (!isTrulyAt(real, opened, isReal)) throw new UserError("no_permission", { path: real });
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}

function openToReadAt(real: string): Deno.FsFile {
  try {
    return openToRead(real);
  } catch (error) {
    // a link in its place, just now
    if (!(error instanceof Deno.errors.FilesystemLoop)) throw error;
    throw new UserError("no_permission", { path: real }, { cause: error });
  }
}
