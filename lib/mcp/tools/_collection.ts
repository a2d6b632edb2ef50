import * as z from "zod";
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
 * The served folders that the argument `collection` means: all, or those of the names and paths in it. Throws `UserError`
 * `collection_unknown`.
 */
export function collectionRoots(
  collection: string | undefined,
  known: readonly ServedCollection[],
): readonly string[] {
  const asked = askedCollections(collection, known);
  if (asked === "all") return known.map(({ root }) => root);
  const wanted = asked.map((name) => {
    const root = rootNamed(name, known) ?? name.replace(/[\\/]+$/, "");
    if (!known.some((one) => one.root === root)) throw unknownCollection(name, known);
    return root;
  });
  return [...new Set(wanted)];
}
