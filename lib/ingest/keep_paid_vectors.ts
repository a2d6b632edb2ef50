import { DamagedIndexError, type IndexKey } from "../index/mod.ts";
import { type IndexStore, VectorCache } from "../store/mod.ts";

/** Vectors written at once. */
const BATCH = 256;

/**
 * Copies vectors of an embedding server from the index into the cache of their model, if the next index has another model:
 * a run with a wrong configuration must not lose vectors that were paid for. `model`: model of the next index. Throws
 * `disk_full`, `data_folder_unwritable` or `data_folder_unsafe`.
 */
export async function keepPaidVectors(
  store: IndexStore,
  key: IndexKey,
  model: string | undefined,
): Promise<void> {
  using stored = await store.paidVectors({ notModel: model });
  if (stored === undefined) return;
  using cache = VectorCache.open(store.root, stored.meta.model, key, store.elsewhere);
  if (cache.dimensions !== undefined && cache.dimensions !== stored.meta.dimensions) return;
  let entries: { hash: Uint8Array; vector: Float32Array }[] = [];
  for (const hash of stored.hashes()) {
    if (cache.has(hash)) continue;
    const vector = unlessDamaged(() => stored.get(hash));
    if (vector === undefined) continue;
    entries.push({ hash, vector });
    if (entries.length === BATCH) {
      cache.append(entries);
      entries = [];
    }
  }
  cache.append(entries);
  cache.flush();
}

/** Returns the result of `read`, or nothing if the old index is damaged there: the run does not depend on it. */
function unlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DamagedIndexError)) throw error;
    return undefined;
  }
}
