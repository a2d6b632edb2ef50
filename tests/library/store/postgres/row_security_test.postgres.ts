import { deepEqual, equal, rejects } from "node:assert/strict";
import { type Database, databaseOf, quotedName } from "#library/store/postgres/database.ts";
import { PostgresStore } from "#library/store/postgres/postgres_store.ts";
import { scopedDatabase } from "#library/store/postgres/scoped_database.ts";
import { usingPostgres } from "../../../_postgres.ts";
import { KEY } from "../../../engine/index/_blob_forge.ts";
import { ready, write } from "../_contract.ts";
import { makeRoles } from "./_roles.ts";

const PASSWORD = "people-0123456789";

Deno.test("with three roles and no superuser, the owner migrates, a reader reads its collections and a writer writes its collections", () =>
  usingPostgres(async (url, settings) => {
    const admin = databaseOf(settings);
    const { schema } = settings;
    await using stack = new AsyncDisposableStack();
    const own = quotedName(`${schema}_owner`);
    await admin.query(`create role ${own} login password '${PASSWORD}'`);
    stack.defer(async () => {
      await admin.query(`drop owned by ${own} cascade`);
      await admin.query(`drop role ${own}`);
    });
    stack.use(await makeRoles(admin, schema, own));
    // Logins of machines that only search, or that index one collection, have their collections from the administrator.
    const logins = { reading: ["reader", "readable"], writing: ["writer", "readable", "writable"] } as const;
    for (const [login, [role, ...lists]] of Object.entries(logins)) {
      const name = quotedName(`${schema}_${login}`);
      await admin.query(
        `create role ${name} login password '${PASSWORD}' in role ${quotedName(`${schema}_${role}`)}`,
      );
      stack.defer(async () => void await admin.query(`drop role ${name}`));
      for (const list of lists) await admin.query(`alter role ${name} set muxue_rag.${list} = '["alpha"]'`);
    }
    const as = (user: string): Database => {
      const address = new URL(url);
      address.username = `${schema}_${user}`;
      const database = databaseOf({ ...settings, url: address.href, password: PASSWORD });
      stack.defer(() => database.close());
      return database;
    };
    const store = (database: Database, name: string) =>
      new PostgresStore(`/docs/${name}`, { database, schema, name, address: url, cacheBytes: 1 << 26 }, KEY);
    const [owner, reading, writing] = [as("owner"), as("reading"), as("writing")];
    const [{ superusers }] = await admin.query(
      "select count(*)::int as superusers from pg_roles where rolname like $1 and (rolsuper or rolbypassrls or rolcreaterole)",
      [`${schema}\\_%`],
    ) as [{ superusers: number }];
    equal(superusers, 0);

    for (const name of ["alpha", "beta"]) {
      (await write(store(owner, name), { "a.md": ["green tea"] })).close();
    }
    using read = await ready(store(reading, "alpha").open());
    deepEqual(read.files.map(({ path }) => path), ["a.md"]);
    equal(await store(reading, "beta").exists(), false);
    await rejects(store(reading, "alpha").lock(), { key: "store_permission_denied" });

    using written = await write(store(writing, "alpha"), { "b.md": ["black tea"] });
    deepEqual(written.files.map(({ path }) => path), ["b.md"]);
    await rejects(store(writing, "beta").lock(), { key: "store_permission_denied" });
    for (const login of [reading, writing]) {
      await rejects(login.query(`drop table ${quotedName(schema)}.page`), { key: "store_permission_denied" });
      await rejects(login.query(`set role ${quotedName(`${schema}_owner`)}`), {
        key: "store_permission_denied",
      });
      deepEqual(await login.query(`select hash from ${quotedName(schema)}.token`), []);
    }

    // The owner takes a role on for a transaction, on connections that it shares with its own work.
    const scoped = scopedDatabase(owner, schema, { readable: ["beta"], writable: [] });
    const seen = async (database: Database) =>
      (await database.query<{ name: string; role: string }>(
        `select string_agg(name, ',' order by name) as name, current_user as role from ${
          quotedName(schema)
        }.collection`,
      ))[0];
    const asked = await Promise.all(Array.from({ length: 40 }, (_, i) => seen(i % 2 === 0 ? scoped : owner)));
    deepEqual(asked.slice(0, 2), [
      { name: "beta", role: `${schema}_reader` },
      { name: "alpha,beta", role: `${schema}_owner` },
    ]);
    equal(asked.every((one, i) => one!.name === asked[i % 2]!.name), true);
    await rejects(store(scoped, "beta").lock(), { key: "store_permission_denied" });
  }));
