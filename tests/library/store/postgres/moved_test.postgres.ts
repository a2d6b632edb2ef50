import { databaseOf, type StoreSettings } from "#library/store/postgres/database.ts";
import { PostgresStore } from "#library/store/postgres/postgres_store.ts";
import { FolderStore } from "#library/store/folder/folder_store.ts";
import { ShardedStore } from "#library/store/sharded/sharded_store.ts";
import type { Store } from "#library/store/mod.ts";
import { usingPostgres } from "../../../_postgres.ts";
import { KEY } from "../../../engine/index/_blob_forge.ts";
import { TempDir } from "../../../foundation/boundary/helpers.ts";
import { assertSame, exported, fill, imported } from "../../ingest/_moved.ts";

function storeIn(settings: StoreSettings, root: string, name: string): Store {
  const place = {
    database: databaseOf(settings),
    schema: settings.schema,
    name,
    address: "postgres",
    cacheBytes: 1 << 26,
  };
  return new PostgresStore(root, place, KEY);
}

Deno.test("a collection moves from a folder to a database, to another collection there, to shards and back to a folder", async () => {
  await usingPostgres(async (_, settings) => {
    using dir = new TempDir();
    const place = (name: string) => {
      Deno.mkdirSync(dir.at(name));
      return dir.at(name);
    };
    const first = new FolderStore(place("first"), KEY);
    await fill(first);
    const shards = place("shards");
    const ways: Store[] = [
      storeIn(settings, place("one"), "one"),
      storeIn(settings, place("two"), "two"),
      new ShardedStore(shards, ["a", "b"].map((name) => storeIn(settings, shards, name)), KEY),
      new FolderStore(place("last"), new Uint8Array(32).fill(9)),
    ];
    let from: Store = first;
    for (const to of ways) {
      const key = to === ways.at(-1) ? new Uint8Array(32).fill(9) : KEY;
      await imported(to, await exported(from), { key, stateDir: dir.path });
      await assertSame(to, first);
      from = to;
    }
  });
});
