import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import type { UserError } from "#foundation/errors.ts";
// The texts of errors are in English then.
import "#foundation/messages/mod.ts";
import { databaseOf, type StoreSettings } from "#library/store/postgres/database.ts";
import { PostgresServer } from "../../../../scripts/postgres/server.ts";
import { postgresServer, usingPostgres } from "../../../_postgres.ts";

/** A server of the test's own. */
async function ownServer(options: Parameters<typeof PostgresServer.start>[1] = {}) {
  const server = await PostgresServer.start(postgresServer().root, options);
  const settings: StoreSettings = {
    url: server.url,
    password: server.password,
    schema: "public",
    pool: 5,
    tls: { ca: null, verify: true },
  };
  return {
    server,
    settings,
    database: databaseOf(settings),
    async [Symbol.asyncDispose]() {
      await databaseOf(settings).close();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Does a statement with these settings, and closes the connection. */
async function once(settings: StoreSettings, text = "select 1 as n"): Promise<readonly unknown[]> {
  const database = databaseOf(settings);
  try {
    return await database.query(text);
  } finally {
    await database.close();
  }
}

Deno.test("statements that read are answered after the server has ended all connections", () =>
  usingPostgres(async (_url, settings) => {
    const database = databaseOf(settings);
    const other = databaseOf({ ...settings, pool: 1 });
    const ended = "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()";
    for (let round = 0; round < 3; round++) {
      const asked = Array.from({ length: 5 }, (_, n) => database.query("select $1::int as n", [n]));
      await Promise.all(asked);
      await other.query(ended);
      const answers = Array.from({ length: 5 }, (_, n) => database.query("select $1::int as n", [n]));
      deepEqual((await Promise.all(answers)).flat(), [0, 1, 2, 3, 4].map((n) => ({ n })));
    }
    await other.close();
  }));

Deno.test("a statement that is under way when the server ends its connection is asked again if it reads", () =>
  usingPostgres(async (_url, settings) => {
    const database = databaseOf(settings);
    const other = databaseOf({ ...settings, pool: 1 });
    const end = async (text: string) => {
      while (!(await other.query("select 1 from pg_stat_activity where query = $1", [text])).length);
      await other.query("select pg_terminate_backend(pid) from pg_stat_activity where query = $1", [text]);
    };
    const reading = "select 7 as n, pg_sleep(.5)";
    const [rows] = await Promise.all([database.query(reading), end(reading)]);
    deepEqual(rows, [{ n: 7, pg_sleep: "" }]);
    const writing = "do $$ begin perform pg_sleep(5); end $$";
    const failing = rejects(database.query(writing), { key: "store_unavailable" });
    await end(writing);
    await failing;
    await other.close();
  }));

Deno.test("while a server is restarted, each answer is right or says that it is not available; then all are right", async () => {
  await using own = await ownServer();
  const { server, database } = own;
  let unavailable = 0;
  const ask = async (n: number) => {
    try {
      deepEqual(await database.query("select $1::int as n, pg_sleep(.02)", [n]), [{ n, pg_sleep: "" }]);
    } catch (error) {
      equal((error as UserError).key, "store_unavailable");
      unavailable++;
    }
  };
  const restart = async () => {
    await new Promise((done) => setTimeout(done, 300));
    await server.stop();
    await server.begin();
  };
  const restarted = restart();
  for (let round = 0; round < 20; round++) {
    await Promise.all([0, 1, 2, 3, 4].map((n) => ask(round * 5 + n)));
    await new Promise((done) => setTimeout(done, 30));
  }
  await restarted;
  ok(unavailable > 0, "the server was not away");
  deepEqual(await database.query("select 1 as n"), [{ n: 1 }]);
});

Deno.test("a wrong password, user or database is named", () =>
  usingPostgres(async (url, settings) => {
    const { host } = new URL(url);
    await rejects(once({ ...settings, password: "wrong" }), {
      key: "store_password_wrong",
      message: `The database ${host}/muxue_rag does not accept the password of the user postgres. ` +
        "Check store.password, and the user in store.url",
    });
    await rejects(once({ ...settings, password: null }), { key: "store_password_wrong" });
    await rejects(once({ ...settings, url: `postgres://nobody@${host}/muxue_rag` }), {
      key: "store_password_wrong",
    });
    await rejects(once({ ...settings, url: `postgres://postgres@${host}/nothing` }), {
      key: "store_database_missing",
      message:
        `There is no database ${host}/nothing on the server. Create it (createdb), or correct store.url`,
    });
  }));

Deno.test("a table that is missing, a right that is missing and a limit of connections are named", () =>
  usingPostgres(async (url, settings) => {
    const database = databaseOf(settings);
    const { schema } = settings;
    await rejects(database.query(`select * from ${schema}.page`), { key: "store_schema_missing" });
    await database.query(`create schema ${schema}`);
    await rejects(database.query(`select * from ${schema}.page`), { key: "store_schema_missing" });
    await database.query(`create table ${schema}.page (n int)`);

    const role = `${schema}_role`;
    await database.query(`create role ${role} login connection limit 1 password 'secret'`);
    const limited = { ...settings, url: url.replace("postgres@", `${role}@`), password: "secret", pool: 2 };
    await rejects(once(limited, `select * from ${schema}.page`), { key: "store_permission_denied" });
    const both = Promise.all([1, 2].map(() => databaseOf(limited).query("select pg_sleep(.2)")));
    await rejects(both, { key: "store_too_many_connections" });
    await databaseOf(limited).close();
    await database.query(`drop role ${role}`);
  }));

Deno.test("a replica, which can only be read, is named when something is written", () =>
  usingPostgres(async (_url, settings) => {
    const database = databaseOf(settings);
    const writing = database.transaction(async (tx) => {
      await tx.query("set transaction read only");
      await tx.query(`create schema ${settings.schema}`);
    });
    await rejects(writing, { key: "store_read_only" });
  }));

Deno.test("a full disk is named, and the rows that were there before are unchanged", async () => {
  await using own = await ownServer({ disk: "200m" });
  const { database } = own;
  // Changes of such a table are not logged, so the disk is full of its rows and not of the log.
  await database.query("create unlogged table t (n int, b text)");
  await database.query("alter table t alter b set storage external");
  await database.query("insert into t values (0, 'before')");
  const filling = database.query(
    "insert into t select n, repeat('x', 1000000) from generate_series(1, 400) n",
  );
  await rejects(filling, { key: "store_disk_full" });
  deepEqual(await database.query("select * from t"), [{ n: 0, b: "before" }]);
});

Deno.test("a signal ends a statement in the server as well", () =>
  usingPostgres(async (_url, settings) => {
    const database = databaseOf(settings);
    const other = databaseOf({ ...settings, pool: 1 });
    const running = async () => {
      const [row] = await other.query<{ n: number }>(
        "select count(*) as n from pg_stat_activity where query like '%pg_sleep(61)%' and pid <> pg_backend_pid()",
      );
      return row!.n;
    };
    const stop = new AbortController();
    const asked = database.query("select pg_sleep(61)", [], { signal: stop.signal });
    while (await running() === 0);
    stop.abort(new Error("enough"));
    await rejects(asked, { message: "enough" });
    while (await running() > 0);
    deepEqual(await database.query("select 1 as n"), [{ n: 1 }]);
    await other.close();
  }));
