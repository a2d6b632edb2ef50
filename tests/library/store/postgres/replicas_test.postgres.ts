/** Pages of an index that are read from replicas: other ways to the same server, which the tests watch and cut. */
import { deepEqual, ok } from "node:assert/strict";
import { databaseOf, type StoreSettings } from "#library/store/postgres/database.ts";
import { PostgresStore } from "#library/store/postgres/postgres_store.ts";
import { usingPostgres } from "../../../_postgres.ts";
import { Way } from "../../../_way.ts";
import { TempDir } from "../../../foundation/boundary/helpers.ts";
import { KEY } from "../../../engine/index/_blob_forge.ts";
import { ready, write } from "../_contract.ts";

const TEXTS = Array.from({ length: 300 }, (_, i) => `river ${i} ${"bridge hill ".repeat(i % 40)}`);

/** Does something with a store that has written an index, and what opens it as another process with a replica. */
async function usingReplica(
  work: (place: { way: Way; read: () => PostgresStore }) => Promise<void>,
): Promise<void> {
  await usingPostgres(async (url, settings) => {
    using dir = new TempDir();
    await using way = new Way(Number(new URL(url).port));
    const replica: StoreSettings = { ...settings, url: url.replace(/:\d+\//, `:${way.port}/`) };
    const place = { schema: settings.schema, name: "notes", address: "database", cacheBytes: 1 };
    const writer = new PostgresStore(dir.path, { ...place, database: databaseOf(settings) }, KEY);
    (await write(writer, { "a.md": TEXTS })).close();
    // a pool of its own, and so none of the segments that the writer has open
    const reader = { ...settings, pool: 2 };
    const read = () =>
      new PostgresStore(dir.path, {
        ...place,
        database: databaseOf(reader),
        replicas: [databaseOf(replica)],
      }, KEY);
    try {
      await work({ way, read });
    } finally {
      await databaseOf(replica).close();
      await databaseOf(reader).close();
    }
  });
}

const ALL = Int32Array.from(TEXTS.keys());

Deno.test("pages are read from a replica, and from the database when it is gone", async () => {
  await usingReplica(async ({ way, read }) => {
    using index = await ready(read().open());
    deepEqual(await index.texts(ALL, Infinity), TEXTS);
    const before = way.connections;
    ok(before > 0, `${before} connections to the replica`);
    way.cut();
    deepEqual(await index.texts(ALL, Infinity), TEXTS);
    deepEqual(Array.from(await index.documentFrequencies(["river"])), [300]);
    way.open();
  });
});
