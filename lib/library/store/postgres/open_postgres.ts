/** Opens the store of a collection in a database, or in several ones. */
import type { Config } from "#foundation/configuration/mod.ts";
import type { IndexKey } from "#engine/index/mod.ts";
import type { Store } from "../store.ts";
import { databaseOf } from "./database.ts";
import { PostgresStore } from "./postgres_store.ts";
import { scopedDatabase } from "./scoped_database.ts";
import { withVectors } from "../vectors/with_vectors.ts";

/** Settings of a store, and the addresses of its databases. */
type PostgresSettings = Omit<Config["store"], "urls"> & { readonly urls: readonly string[] };

/**
 * `name`: that of the collection, the same on every machine. `key` seals backups. `pgvector`: whether it finds the nearest vectors, where it
 * is installed. `isLimited`: whether nothing else of the databases may be seen.
 */
export async function openPostgres(
  root: string,
  { urls, readers, cache_mb: megabytes, ...settings }: PostgresSettings,
  name: string,
  key: IndexKey,
  { pgvector, isLimited = false }: { readonly pgvector: boolean; readonly isLimited?: boolean | undefined },
): Promise<Store> {
  const stores = urls.map((url) => {
    const { schema } = settings;
    const databaseAt = (url: string) => {
      const whole = databaseOf({ ...settings, url });
      return isLimited ? scopedDatabase(whole, schema, { readable: [name], writable: [] }) : whole;
    };
    const [database, replicas] = [databaseAt(url), readers.map(databaseAt)];
    const store = new PostgresStore(
      root,
      { database, schema, name, address: url, cacheBytes: megabytes * 2 ** 20, replicas },
      key,
    );
    return pgvector ? withVectors(store, (model, chunks) => store.proposer(model, chunks)) : store;
  });
  if (stores.length === 1) return stores[0]!;
  const { ShardedStore } = await import("../sharded/sharded_store.ts");
  return new ShardedStore(root, stores, key);
}
