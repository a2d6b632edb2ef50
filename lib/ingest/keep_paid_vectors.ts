import { DamagedIndexError, type IndexKey } from "../index/mod.ts";
import { type IndexStore, VectorCache } from "../store/mod.ts";

/** Vectors written at a time. */
const BATCH = 256;

/**
 * Puts the vectors of a model elsewhere, which the index of `root` has and the next one will not have, into that model's
 * cache: a run under another configuration, by mistake perhaps, must not cost them. `model`: that of the next index. Throws
 * `disk_full`, `data_folder_unwritable` or `data_folder_unsafe`.
 */
export function keepPaidVectors(store: IndexStore, key: IndexKey, model: string | undefined): void {
  using stored = store.paidVectors({ notModel: model });
  if (stored === undefined) return;
  using cache = VectorCache.open(store.root, stored.meta.model, key);
  if (cache.dimensions !== undefined && cache.dimensions !== stored.meta.dimensions) return;
  let entries: { hash: Uint8Array; vector: Float32Array }[] = [];
  for (const hash of stored.hashes()) {
    if (cache.has(hash)) continue;
    const vector = sound(() => stored.get(hash));
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

/** The result of `read`; nothing where the old index has been damaged since it was opened: the run does not depend on it. */
function sound<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DamagedIndexError)) throw error;
    return undefined;
  }
}
