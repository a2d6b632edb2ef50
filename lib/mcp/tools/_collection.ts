import * as z from "zod";
import { resolveFolderInside } from "../../sandbox/mod.ts";
import { askedCollections, rootNamed, type ServedCollection, unknownCollection } from "../../search/types.ts";

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
 * The served folders that the argument `collection` means: all, or those of the names and paths in it. A path is read as in a
 * search; one below a served folder means that folder. Throws `UserError` `collection_unknown`.
 */
export async function collectionRoots(
  collection: string | undefined,
  known: readonly ServedCollection[],
): Promise<readonly string[]> {
  const asked = askedCollections(collection, known);
  if (asked === "all") return known.map(({ root }) => root);
  const wanted = await Promise.all(
    asked.map(async (name) => rootNamed(name, known) ?? await rootAround(name, known)),
  );
  return [...new Set(wanted)];
}

async function rootAround(path: string, known: readonly ServedCollection[]): Promise<string> {
  const roots = known.map(({ root }) => root);
  // A served folder may be gone.
  const itself = path.replace(/[\\/]+$/, "");
  if (roots.includes(itself)) return itself;
  try {
    return (await resolveFolderInside(path, roots)).root;
  } catch (error) {
    throw unknownCollection(path, known, error);
  }
}
