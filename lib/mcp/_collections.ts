import { rootNamed, type ServedCollection } from "../search/types.ts";

/**
 * The served folder of this name or path. Some clients write the host of a URI in lower case, so case is ignored where only
 * one name fits.
 */
export function folderNamed(
  name: string,
  folders: readonly ServedCollection[],
): ServedCollection | undefined {
  const root = rootNamed(name, folders) ?? name;
  return folders.find((folder) => folder.root === root);
}
