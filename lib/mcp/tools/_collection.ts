import { basename } from "node:path";
import { UserError } from "../../errors.ts";

/**
 * The folder that the argument `collection` names: a served folder by its name, if only one has it, or a path. Absent or
 * blank: all served folders.
 */
export function collectionFolder(
  collection: string | undefined,
  roots: readonly string[],
): string | undefined {
  const name = collection?.trim() ?? "";
  if (name === "") return undefined;
  const named = roots.filter((root) => basename(root) === name);
  return named.length === 1 ? named[0] : name;
}

/**
 * The served folders that the argument `collection` means. Throws `UserError` `dir_not_served` for a name that no folder or
 * several folders have, and for a path of none.
 */
export function collectionRoots(collection: string | undefined, roots: readonly string[]): readonly string[] {
  const folder = collectionFolder(collection, roots);
  if (folder === undefined) return roots;
  const root = roots.find((each) => each === folder || each === folder.replace(/[\\/]+$/, ""));
  if (root === undefined) throw new UserError("dir_not_served", { path: folder, served: roots.join(", ") });
  return [root];
}
