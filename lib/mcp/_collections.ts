import { basename } from "node:path";
import type { Library } from "../search/mod.ts";

/** A served folder with the name that clients call it by. */
export interface NamedFolder {
  /** Last part of the path, or the whole path where several served folders have the same last part. */
  readonly name: string;
  /** Real path. */
  readonly root: string;
}

/** The served folders with their names, in the order of the configuration. */
export function namedFolders({ roots }: Pick<Library, "roots">): readonly NamedFolder[] {
  const all = [...new Set(roots)];
  return all.map((root) => {
    const name = basename(root);
    const isUnique = name !== "" && all.filter((other) => basename(other) === name).length === 1;
    return { name: isUnique ? name : root, root };
  });
}

/**
 * The served folder of this name. Some clients write the host of a URI in lower case, so case is ignored where only one name
 * fits.
 */
export function folderNamed(name: string, folders: readonly NamedFolder[]): NamedFolder | undefined {
  const exact = folders.find((folder) => folder.name === name || folder.root === name);
  if (exact !== undefined) return exact;
  const lower = name.toLowerCase();
  const similar = folders.filter((folder) => folder.name.toLowerCase() === lower);
  return similar.length === 1 ? similar[0] : undefined;
}
