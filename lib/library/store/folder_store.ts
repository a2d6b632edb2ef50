import { UserError } from "#foundation/errors.ts";
import type { IndexKey } from "#engine/index/mod.ts";
import type { IndexDirs } from "./data_folder.ts";
import { BlobStore } from "./blob/blob_store.ts";
import type { OpenIndex } from "#engine/open_index.ts";
import type { IndexStore } from "./index_store.ts";

/**
 * Returns the store of the folder `root`, a real path. `dirs`: the data folders that are elsewhere. This function alone
 * chooses the implementation.
 */
export function folderStore(root: string, key: IndexKey, dirs: IndexDirs = {}): IndexStore {
  return new BlobStore(root, key, dirs[root]);
}

/** Opens the index of a store for reading. Throws `UserError` `index_not_ready` where it cannot be searched. */
export async function openReady(store: IndexStore): Promise<OpenIndex> {
  const loaded = await store.open();
  if (loaded.state === "ready") return loaded.index;
  const problem = loaded.state === "missing" ? "" : loaded.problem;
  throw new UserError("index_not_ready", { path: store.root, problem });
}
