import { basename } from "node:path";

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
