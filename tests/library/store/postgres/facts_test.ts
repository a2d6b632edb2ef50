import { equal, match, ok } from "node:assert/strict";
import { databaseOf } from "#library/store/postgres/database.ts";
import { PostgresStore } from "#library/store/postgres/postgres_store.ts";
import { isAtLeast } from "#library/store/postgres/proposed_vectors.ts";
import { usingPglite } from "../../../_pglite.ts";
import { KEY } from "../../../engine/index/_blob_forge.ts";
import { TempDir } from "../../../foundation/boundary/helpers.ts";
import { write } from "../_contract.ts";

Deno.test("a store says of its server which versions it has, and how much of it is dead", async () => {
  await usingPglite(async (_, settings) => {
    using dir = new TempDir();
    const place = {
      database: databaseOf(settings),
      schema: settings.schema,
      name: "a",
      address: "pglite",
      cacheBytes: 1e7,
    };
    const store = new PostgresStore(dir.path, place, KEY);
    const before = await store.facts();
    match(before.server, /^\d+\.\d+/);
    equal(before.bytes + before.retired, 0);
    (await write(store, { "a.md": ["the river"] })).close();
    (await write(store, { "b.md": ["the bridge"] })).close();
    const { bytes, retired, tables, pgvector, soundFrom, isReplica } = await store.facts();
    ok(bytes > 0 && retired > 0 && tables! > 0);
    equal(isReplica, false);
    equal(soundFrom === undefined, pgvector === undefined || isAtLeast(pgvector, "0.8.4"));
  });
});
