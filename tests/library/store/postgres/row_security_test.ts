import { deepEqual, equal, rejects } from "node:assert/strict";
import { type Database, databaseOf, quotedName } from "#library/store/postgres/database.ts";
import { migrate } from "#library/store/postgres/migrations.ts";
import { PostgresStore } from "#library/store/postgres/postgres_store.ts";
import { type Scope, scopedDatabase } from "#library/store/postgres/scoped_database.ts";
import { usingPglite } from "../../../_pglite.ts";
import { KEY } from "../../../engine/index/_blob_forge.ts";
import { ready, write } from "../_contract.ts";
import { makeRoles } from "./_roles.ts";

const FILES = { "a.md": ["green tea"] };

/** A database with the collections alpha and beta, and with the roles. */
interface Shared {
  readonly database: Database;
  readonly schema: string;
  /** A database with a scope. */
  as(scope: Partial<Scope>): Database;
  /** The store of a collection, for the owner or with a scope. */
  store(name: string, scope?: Partial<Scope>): PostgresStore;
  /** The numbers of rows that a database sees, by table. */
  rows(database: Database): Promise<Record<string, number>>;
}

async function shared(work: (shared: Shared) => Promise<void>): Promise<void> {
  await usingPglite(async (_, settings) => {
    const database = databaseOf(settings);
    const { schema } = settings;
    await using _roles = await makeRoles(database, schema, "current_user");
    const as = (scope: Partial<Scope>) =>
      scopedDatabase(database, schema, { readable: [], writable: [], ...scope });
    const store = (name: string, scope?: Partial<Scope>) =>
      new PostgresStore(
        `/docs/${name}`,
        {
          database: scope === undefined ? database : as(scope),
          schema,
          name,
          address: "pglite",
          cacheBytes: 1 << 26,
        },
        KEY,
      );
    for (const name of ["alpha", "beta"]) (await write(store(name), FILES)).close();
    const tables = await tablesOf(database, schema);
    const rows = async (asked: Database) => {
      const counts = await asked.batch(tables.map((table) => ({
        text: `select count(*)::int as n from ${quotedName(schema)}.${quotedName(table)}`,
      })));
      return Object.fromEntries(tables.map((table, i) => [table, (counts[i] as { n: number }[])[0]!.n]));
    };
    await work({ database, schema, as, store, rows });
  });
}

async function tablesOf(database: Database, schema: string): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = $1 and tablename <> 'meta' order by 1",
    [schema],
  );
  return rows.map(({ name }) => name);
}

Deno.test("every table of the store is closed to roles that are not its owner, unless a transaction names collections", () =>
  shared(async ({ database, schema, as, rows }) => {
    const open = await database.query(
      "select relname from pg_class where relnamespace = to_regnamespace($1) and relkind = 'r' and not relrowsecurity",
      [quotedName(schema)],
    );
    deepEqual(open, []);
    const none = Object.values(await rows(as({})));
    equal(none.every((count) => count === 0), true);
    // The setting of an earlier transaction does not stay either.
    equal((await rows(as({ readable: ["alpha"] })))["collection"], 1);
    const reader = { text: `set local role ${schema}_reader` };
    const asReader = await database.batch([
      { text: "begin" },
      reader,
      { text: `select name from ${schema}.collection` },
      { text: "commit" },
    ]);
    deepEqual(asReader[2], []);
  }));

Deno.test("a transaction sees exactly the rows of its collections in every table", () =>
  shared(async ({ as, rows, database }) => {
    const [all, alpha, beta, both] = [
      await rows(database),
      await rows(as({ readable: ["alpha"] })),
      await rows(as({ readable: ["beta", "gone"] })),
      await rows(as({ readable: ["alpha", "beta"] })),
    ];
    deepEqual(both, all);
    equal(alpha["page"]! > 0, true);
    for (const [table, count] of Object.entries(all)) equal(alpha[table]! + beta[table]!, count, table);
  }));

Deno.test("a reader searches its collection, changes nothing, and sees no other collection", () =>
  shared(async ({ as, store, schema, rows, database }) => {
    const scope = { readable: ["alpha"] };
    using index = await ready(store("alpha", scope).open());
    deepEqual(index.files.map(({ path }) => path), ["a.md"]);
    equal((await store("beta", scope).open()).state, "missing");
    equal(await store("beta", scope).exists(), false);
    equal(await store("beta", scope).version(), undefined);
    const before = await rows(database);
    for (const name of ["alpha", "beta", "new"]) {
      await rejects(store(name, scope).lock(), { key: "store_permission_denied" });
    }
    const changes = [
      `insert into ${schema}.collection (name, key) values ('x', '')`,
      `update ${schema}.collection set version = 7`,
      `delete from ${schema}.page`,
      `truncate ${schema}.page`,
      `drop table ${schema}.page`,
      `create table ${schema}.mine (n int)`,
      `update ${schema}.meta set version = 0`,
    ];
    for (const text of changes) {
      await rejects(
        as(scope).query(text),
        (error: { key?: string }) => error.key === "store_permission_denied",
        text,
      );
    }
    deepEqual(await rows(database), before);
  }));

Deno.test("a writer writes its collection and can neither see nor change another one", () =>
  shared(async ({ as, store, schema, rows, database }) => {
    const scope = { readable: ["alpha", "new"], writable: ["alpha", "new"] };
    const next = { "b.md": ["black tea"] };
    for (const name of ["alpha", "new"]) {
      using index = await write(store(name, scope), next);
      deepEqual(index.files.map(({ path }) => path), ["b.md"]);
    }
    const before = await rows(as({ readable: ["beta"] }));
    await rejects(store("beta", scope).lock(), { key: "store_permission_denied" });
    const [{ id }] = await database.query<{ id: number }>(
      `select id from ${schema}.collection where name = 'beta'`,
    ) as [{ id: number }];
    const mine = as(scope);
    await mine.query(`delete from ${schema}.page where collection = $1`, [id]);
    await mine.query(`delete from ${schema}.collection where name = 'beta'`);
    await mine.query(`update ${schema}.collection set key = '' where name = 'beta'`);
    const hostile = [
      `insert into ${schema}.removed (collection, path) values (${id}, 'x')`,
      `update ${schema}.segment set collection = ${id}`,
      `update ${schema}.collection set name = 'gamma' where name = 'alpha'`,
      `insert into ${schema}.token (name, hash, grants, made) values ('x', 'x', '[]', now())`,
    ];
    for (const text of hostile) await rejects(mine.query(text), { key: "store_permission_denied" }, text);
    deepEqual(await rows(as({ readable: ["beta"] })), before);
    deepEqual(await database.query(`select version > 0 as v from ${schema}.meta`), [{ v: true }]);
    deepEqual(await mine.query(`update ${schema}.meta set version = 0 returning version`), []);
  }));

Deno.test("the rights of a transaction end with it, also after an error and among many transactions at once", () =>
  shared(async ({ as, database, schema }) => {
    const names = async (asked: Database) =>
      (await asked.query<{ name: string }>(`select name from ${schema}.collection order by 1`))
        .map(({ name }) => name).join();
    const [alpha, beta] = [as({ readable: ["alpha"] }), as({ readable: ["beta"], writable: ["beta"] })];
    await rejects(alpha.query("select nonsense"));
    await rejects(beta.transaction(() => Promise.reject(new Error("no"))), { message: "no" });
    const asked = await Promise.all(
      Array.from({ length: 30 }, (_, i) => names([alpha, beta, database][i % 3]!)),
    );
    deepEqual(asked, Array.from({ length: 30 }, (_, i) => ["alpha", "beta", "alpha,beta"][i % 3]));
    equal(
      await beta.transaction(async (tx) =>
        (await tx.query<{ name: string }>(`select name from ${schema}.collection`)).map(({ name }) => name)
          .join()
      ),
      "beta",
    );
    const [after] = await database.query(
      "select current_user = session_user as own, coalesce(current_setting('muxue_rag.readable', true), '') as names",
    );
    deepEqual(after, { own: true, names: "" });
  }));

Deno.test("names of collections that look like lists or SQL are names", () =>
  shared(async ({ as, schema, database, rows }) => {
    const odd = ['["alpha"]', "alpha\nbeta", "alpha,beta", "'; reset role; --", "%", "{alpha}", ""];
    for (const name of odd) equal((await rows(as({ readable: [name] })))["collection"], 0, name);
    await database.query(`insert into ${schema}.collection (name, key) values ($1, '')`, [odd[1]]);
    equal((await rows(as({ readable: [odd[1]!] })))["collection"], 1);
    equal((await rows(as({ readable: ["alpha"] })))["collection"], 1);
  }));

Deno.test("without the roles the owner still asks with a scope, and migrating twice changes nothing", () =>
  usingPglite(async (_, settings) => {
    const { schema } = settings;
    const database = databaseOf(settings);
    await migrate(database, schema);
    await migrate(database, schema);
    const [{ role, names }] = await scopedDatabase(database, schema, { readable: ["alpha"], writable: [] })
      .query<{ role: string; names: string }>(
        "select current_user as role, current_setting('muxue_rag.readable') as names",
      ) as [{ role: string; names: string }];
    deepEqual([role, names], ["postgres", '["alpha"]']);
  }));
