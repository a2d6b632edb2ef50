/** Archives by their names. This stands apart from the readers, which few folders need. */
import { words } from "../types.ts";

/** The extensions of archives whose files are read. */
export const ARCHIVE_EXTENSIONS = "zip tar gz tgz bz2 tbz tbz2 xz txz 7z";
const EXTENSIONS = words(ARCHIVE_EXTENSIONS);

/** Whether a file is, by its name, an archive whose files are read. */
export function isArchiveName(path: string): boolean {
  const dot = path.lastIndexOf(".");
  return dot > path.lastIndexOf("/") && EXTENSIONS.has(path.slice(dot + 1).toLowerCase());
}
