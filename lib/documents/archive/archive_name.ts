/** Which files are archives by their names. Apart from the readers, which few folders need. */
import { words } from "../types.ts";

const EXTENSIONS = words("zip tar gz tgz bz2 tbz tbz2 xz txz 7z");

/** Whether a file is, by its name, an archive whose files are read. */
export function isArchiveName(path: string): boolean {
  const dot = path.lastIndexOf(".");
  return dot > path.lastIndexOf("/") && EXTENSIONS.has(path.slice(dot + 1).toLowerCase());
}
