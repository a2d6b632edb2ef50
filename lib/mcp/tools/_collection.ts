import { basename } from "node:path";
import { UserError } from "../../errors.ts";
import * as z from "zod";

/**
 * The argument `collection`: names or folders in one text, separated by commas. A list of texts is accepted as well. The
 * library reads them.
 */
export function collectionArgument() {
  return z.preprocess(
    (value) =>
      Array.isArray(value) && value.every((one) => typeof one === "string") ? value.join("\n") : value,
    z.string(),
  );
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

function collectionFolder(collection: string | undefined, roots: readonly string[]): string | undefined {
  const name = collection?.trim() ?? "";
  if (name === "") return undefined;
  const named = roots.filter((root) => basename(root) === name);
  return named.length === 1 ? named[0] : name;
}
