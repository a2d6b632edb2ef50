import { UserError } from "../errors.ts";
import { isTrulyAt } from "./_is_truly_at.ts";
import { comparable } from "./paths.ts";
import { openToRead, type ReadableFile } from "./_open_to_read.ts";
import type { Resolved } from "./resolve.ts";

/**
 * Opens a resolved file for reading; the caller closes it. Only regular files are opened. A pipe that takes the file's place
 * at that moment is not waited for ({@linkcode openToRead}).
 *
 * After opening, the file must still be at its real path. So a link that replaces it, or any folder above it, in the
 * meantime gives access to nothing ({@linkcode isTrulyAt}). Comparing the change times of the folders would be faster, but
 * the locked worker may not read those above the allowed folder.
 *
 * Throws `UserError` `not_a_file` and `no_permission` (the file was swapped), each with `path`, and the errors of the
 * runtime.
 */
export function openInside({ real }: Pick<Resolved, "real">): Promise<ReadableFile> {
  return Promise.try(() => openInsideSync(real));
}

/** Synchronous, because no call in it blocks and a thread switch would take longer. */
function openInsideSync(real: string): ReadableFile {
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

function openToReadAt(real: string): ReadableFile {
  try {
    return openToRead(real);
  } catch (error) {
    // A link took its place just now.
    if (!(error instanceof Deno.errors.FilesystemLoop)) throw error;
    throw new UserError("no_permission", { path: real }, { cause: error });
  }
}
