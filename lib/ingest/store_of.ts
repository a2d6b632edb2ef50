import { folderStore, type IndexStore } from "../store/mod.ts";
import type { IngestContext } from "./types.ts";

/** Returns the store of the folder `root`, a real path. */
export function storeOf(
  root: string,
  { storeOf, indexKey, indexDirs }: Pick<IngestContext, "storeOf" | "indexKey" | "indexDirs">,
): IndexStore {
  return storeOf?.(root) ?? folderStore(root, indexKey, indexDirs);
}
