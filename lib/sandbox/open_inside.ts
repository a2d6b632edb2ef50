import { UserError } from "../errors.ts";
import { isTrulyAt } from "./is_truly_at.ts";
import { comparable } from "./paths.ts";
import type { Resolved } from "./resolve.ts";

/**
 * Opens a resolved file for reading. What is not a regular file is never opened (a pipe would block), and after opening it
 * is made sure that the file lies at its real path still: a link put in its place in the meantime, or in that of any folder
 * above, be it above the allowed one, gets nothing ({@linkcode isTrulyAt}). That no folder on the way was changed lately
 * would be quicker to see, but of those above the allowed folder the locked worker may not ask it. A pipe put there between
 * the look and the opening would still block until something is written to it: `Deno.open` offers no `O_NONBLOCK`. The
 * caller closes the file.
 *
 * Throws `UserError` `not_a_file` and `no_permission` (swapped), each with `path`, and the runtime's own errors otherwise.
 */
export async function openInside({ real }: Pick<Resolved, "real">): Promise<Deno.FsFile> {
  // only the opening may block: the rest is quicker done than handed to another thread
  const before = Deno.lstatSync(real);
  if (before.isSymlink) throw new UserError("no_permission", { path: real });
  if (!before.isFile) throw new UserError("not_a_file", { path: real });

  const file = await Deno.open(real, { read: true });
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
