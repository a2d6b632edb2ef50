import type { IndexKey } from "../index/mod.ts";
import { BlobStore } from "./blob/blob_store.ts";
import type { IndexStore } from "./index_store.ts";

/** The store of the folder `root`, a real path. The choice of the implementation is made here and nowhere else. */
export function folderStore(root: string, key: IndexKey): IndexStore {
  return new BlobStore(root, key);
}
