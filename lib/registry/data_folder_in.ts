import { createHash } from "node:crypto";
import { basename, join } from "node:path";

/** Characters of a folder's name that its data folder begins with. */
const NAME_CHARS = 40;

/**
 * Path of the data folder of `root` (a real path) in `base`, the folder of `--index-dir`: the name of `root`, for people,
 * and a hash of its path.
 *
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { dataFolderIn } from "./data_folder_in.ts";
 *
 * equal(dataFolderIn("/indexes", "/media/cd/My notes"), "/indexes/My_notes-8381d8b56f72ca9c");
 * ```
 */
export function dataFolderIn(base: string, root: string): string {
  const name = [...basename(root).replaceAll(/[^\p{L}\p{M}\p{N}_-]+/gu, "_")].slice(0, NAME_CHARS).join("");
  const hash = createHash("sha256").update(root).digest("hex").slice(0, 16);
  return join(base, `${name || "folder"}-${hash}`);
}
