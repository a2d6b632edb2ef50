import { relative } from "node:path";
import { UserError } from "../errors.ts";
import type { Filter } from "../index/mod.ts";
import { isInside, toPortable } from "../sandbox/mod.ts";
import type { ServedFolder } from "./served_folder.ts";

/** Where a search looks. */
export interface Scope {
  readonly folders: readonly ServedFolder[];
  /** If given, only files below this path of the one folder, `/` between its parts. */
  readonly below?: string;
}

/**
 * The scope that `dirPath` names: a folder served, or one below. Throws `UserError` `dir_not_served`,
 * `directory_not_found`, `not_a_directory`.
 */
export async function scopeOf(dirPath: string | undefined, folders: readonly ServedFolder[]): Promise<Scope> {
  if (dirPath === undefined || dirPath.trim() === "") return { folders };
  const real = await realFolder(dirPath, folders);
  // of two served folders one inside the other the inner one is meant
  const folder =
    folders.filter(({ root }) => isInside(real, root)).sort((a, b) => b.root.length - a.root.length)[0];
  if (folder === undefined) throw notServed(dirPath, folders);
  const below = toPortable(relative(folder.root, real));
  return below === "" ? { folders: [folder] } : { folders: [folder], below };
}

/** The real path of a folder; nothing is told of what lies outside of the served folders, not even whether it exists. */
async function realFolder(dirPath: string, folders: readonly ServedFolder[]): Promise<string> {
  try {
    const real = await Deno.realPath(dirPath);
    if (!folders.some(({ root }) => isInside(real, root))) throw notServed(dirPath, folders);
    if (!(await Deno.stat(real)).isDirectory) throw new UserError("not_a_directory", { path: dirPath });
    return real;
  } catch (error) {
    if (error instanceof UserError) throw error;
    const inside = folders.some(({ root }) => isInside(dirPath, root));
    throw inside ? new UserError("directory_not_found", { path: dirPath }) : notServed(dirPath, folders);
  }
}

function notServed(dirPath: string, folders: readonly ServedFolder[]): UserError {
  return new UserError("dir_not_served", {
    path: dirPath,
    served: folders.map(({ root }) => root).join(", "),
  });
}

/** Lets only chunks of files below `below` be found. */
export function filterBelow(below: string): Filter {
  const prefix = `${below}/`;
  return (reader) => {
    const wanted = reader.files.map(({ path }) => path.startsWith(prefix) ? 1 : 0);
    return Uint8Array.from(reader.chunks.files, (file) => wanted[file]!);
  };
}
