/** Opens the store of a folder. This file alone chooses the implementation. */
import { type Config, folderConfig, storedName, storeUrls } from "#foundation/configuration/mod.ts";
import { UserError } from "#foundation/errors.ts";
import type { IndexKey, OpenIndex } from "#engine/index/mod.ts";
import { FolderStore } from "./folder/folder_store.ts";
import { lateStore } from "./late_store.ts";
import type { Store } from "./store.ts";
import { lookAtSync } from "#foundation/boundary/mod.ts";
import { withVectors } from "./vectors/with_vectors.ts";

/** Data folders that are not `DIR/.muxue_rag`, by the real path of `DIR`: full paths, those of their parents real. */
export type IndexDirs = Readonly<Record<string, string>>;

/** The key and the places by which a process opens stores. */
export interface StoreAccess {
  /** The key that everything which is kept is sealed and checked with. */
  readonly indexKey: IndexKey;
  readonly indexDirs?: IndexDirs | undefined;
  /** Whether the client may know of some collections only. A database then shows no other collection than this one, and is not changed. */
  readonly isLimited?: boolean | undefined;
  /** Opens the store of a folder, a real path. Default: as the configuration says. */
  readonly storeOf?: ((root: string) => Store) | undefined;
}

/**
 * Returns the store of the folder `root`, a real path, as the configuration chooses it. Nothing is opened before a method of the store is
 * called.
 */
export function openStore(config: Config, root: string, access: StoreAccess): Store {
  const { indexKey, indexDirs, storeOf, isLimited } = access;
  if (storeOf !== undefined) return storeOf(root);
  const { store: settings } = folderConfig(config, root);
  const urls = storeUrls(config, root);
  if (urls.length > 0) {
    const name = storedName(config, root);
    const location = `${urls.join(", ")} (${name ?? "?"})`;
    const isPlain = config.vectors.provider === "store";
    const store = lateStore({ root, location, isShared: true }, async () => {
      if (name === undefined) throw new UserError("store_name_missing", { path: root });
      const { openPostgres } = await import("./postgres/open_postgres.ts");
      const options = { pgvector: isPlain, isLimited };
      return await openPostgres(root, { ...settings, urls }, name, indexKey, options);
    });
    return onServer(store, config, indexKey);
  }
  return onServer(new FolderStore(root, indexKey, indexDirs?.[root]), config, indexKey);
}

/** Returns a store with the vector server of the configuration; the store itself if there is none. */
function onServer(store: Store, { vectors }: Config, key: IndexKey): Store {
  if (vectors.provider === "store") return store;
  return withVectors(store, async (model) => {
    const { openVectors } = await import("./vectors/open_vectors.ts");
    return openVectors(store, vectors, model, key);
  }, async () => {
    const { serverPlace } = await import("./vectors/open_vectors.ts");
    return await serverPlace(store, vectors, key);
  });
}

/** Whether the files of a store are on this machine, as far as they exist. Those of a store that machines share may be on another one. */
export function hasFilesHere({ root, isShared }: Pick<Store, "root" | "isShared">): boolean {
  return isShared !== true || lookAtSync(root)?.isDirectory === true;
}

/** Opens the index of a store for reading. Throws `UserError` `index_not_ready` where it cannot be searched. */
export async function openReady(store: Store): Promise<OpenIndex> {
  const loaded = await store.open();
  if (loaded.state === "ready") return loaded.index;
  const problem = loaded.state === "missing" ? "" : loaded.problem;
  throw new UserError("index_not_ready", { path: store.root, problem });
}
