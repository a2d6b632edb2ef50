import type { IndexKey } from "../index/mod.ts";
import { BlobStore } from "./blob/blob_store.ts";
import type { IndexStore } from "./index_store.ts";

/** Returns the store of the folder `root`, a real path. This function alone chooses the implementation. */
export function folderStore(root: string, key: IndexKey): IndexStore {
  return new BlobStore(root, key);
}
