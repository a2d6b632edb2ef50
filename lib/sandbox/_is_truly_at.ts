import { holdAtOnce } from "./_at_once.ts";
import { isMissing } from "./system_error.ts";
import { isSameFile } from "./look.ts";

/**
 * Whether an open file lies at a real path, even if another process exchanges a folder on the way for a link and back. The
 * file at the path has to be the opened one, and the path has to be real, both at the same time. False as well if the file
 * was replaced or removed after it was opened. Takes 0.15 ms. Throws the other errors of the system.
 *
 * @param opened the `stat` of the open file
 * @param isReal checks whether the path is a real path
 */
export function isTrulyAt(
  path: string,
  opened: Pick<Deno.FileInfo, "dev" | "ino">,
  isReal: () => boolean,
): boolean {
  try {
    return holdAtOnce(isReal, () => isSameFile(Deno.lstatSync(path), opened));
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
