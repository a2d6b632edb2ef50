import { deepEqual, equal, match, ok } from "node:assert/strict";
import { newToken, tokenHash } from "#library/people/mod.ts";
import { TokenTable } from "#library/people/token_table.ts";
import { databaseOf } from "#library/store/postgres/database.ts";
import { PostgresStore } from "#library/store/postgres/postgres_store.ts";
import { isAtLeast } from "#library/store/postgres/proposed_vectors.ts";
import { usingPglite } from "../../../_pglite.ts";
import { KEY } from "../../../engine/index/_blob_forge.ts";
import { TempDir } from "../../../foundation/boundary/helpers.ts";
import { write } from "../_contract.ts";
import { makeRoles } from "./_roles.ts";

Deno.test("a store reports the versions of its server, and the bytes of its index and of replaced parts", async () => {
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

Deno.test("where people have tokens, a store names the missing roles that separate their collections", async () => {
  await usingPglite(async (_, settings) => {
    const { schema } = settings;
    const database = databaseOf(settings);
    const place = { database, schema, name: "a", address: "pglite", cacheBytes: 1e7 };
    const store = new PostgresStore("/docs/a", place, KEY);
    const missing = async () => (await store.facts()).missingRoles;
    (await write(store, { "a.md": ["the river"] })).close();
    equal(await missing(), undefined);
    const grants = [{ collection: "a", right: "read" }] as const;
    await new TokenTable(settings).add({
      name: "ann",
      grants,
      made: new Date(),
      hash: tokenHash(newToken()),
    });
    deepEqual(await missing(), [`${schema}_reader`, `${schema}_writer`]);
    await using _roles = await makeRoles(database, schema, "current_user");
    equal(await missing(), undefined);
  });
});
