import { deepEqual, equal, rejects } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { databaseOf } from "#library/store/postgres/database.ts";
import { done } from "../../../../scripts/chroot.ts";
import { freePort } from "../../../../scripts/postgres/server.ts";
import { postgresServer, usingPostgres } from "../../../_postgres.ts";

/** pgbouncer in transaction mode with two connections to the server, in front of the database `muxue_rag`. */
async function pooler(more: readonly string[] = []) {
  const { root, url, password } = postgresServer();
  const folder = join(root, "srv", `pool-${crypto.randomUUID()}`);
  const inRoot = folder.slice(root.length);
  const port = freePort();
  await Deno.mkdir(folder);
  const settings = [
    "[databases]",
    `muxue_rag = host=127.0.0.1 port=${new URL(url).port} user=postgres password=${password}`,
    "[pgbouncer]",
    `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =`,
    `auth_type = scram-sha-256\nauth_file = ${inRoot}/users`,
    "pool_mode = transaction\ndefault_pool_size = 2\nmax_client_conn = 100",
    `logfile = ${inRoot}/log`,
    ...more,
  ];
  await Deno.writeTextFile(join(folder, "ini"), `${settings.join("\n")}\n`);
  await Deno.writeTextFile(join(folder, "users"), `"postgres" "${password}"\n`);
  await done("chroot", [root, "chown", "-R", "postgres:postgres", inRoot]);
  const process = new Deno.Command("chroot", {
    args: ["--userspec=postgres:postgres", root, "/usr/sbin/pgbouncer", "--quiet", `${inRoot}/ini`],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  for (let tries = 0; tries < 100; tries++) {
    const isReady = await Deno.connect({ hostname: "127.0.0.1", port }).then(
      (c) => (c.close(), true),
      () => false,
    );
    if (isReady) break;
    await new Promise((done) => setTimeout(done, 50));
  }
  return {
    url: `postgres://postgres@127.0.0.1:${port}/muxue_rag`,
    async [Symbol.asyncDispose]() {
      process.kill("SIGINT");
      await process.status;
      await Deno.remove(folder, { recursive: true });
    },
  };
}

Deno.test("statements, batches and transactions work through pgbouncer in transaction mode", () =>
  usingPostgres(async (_url, direct) => {
    await using through = await pooler();
    const { schema } = direct;
    const database = databaseOf({ ...direct, url: through.url, pool: 8 });
    await database.query(`create schema ${schema}`);
    await database.query(`create table ${schema}.t (n int, b bytea)`);
    const add = (n: number) =>
      database.transaction(async (tx) => {
        await tx.query(`insert into ${schema}.t values ($1, $2)`, [n, new Uint8Array([n, 255])]);
        return await tx.batch([
          { text: `select count(*) as n from ${schema}.t where n = $1`, values: [n] },
          { text: `select b from ${schema}.t where n = $1`, values: [n] },
        ]);
      });
    const numbers = Array.from({ length: 40 }, (_, n) => n);
    for (const [n, [count, bytes]] of (await Promise.all(numbers.map(add))).entries()) {
      deepEqual([count, bytes], [[{ n: 1 }], [{ b: Buffer.from([n, 255]) }]]);
    }
    const statements = numbers.map((n) => ({
      text: `select $1::int + n as n from ${schema}.t where n = $1`,
      values: [n],
    }));
    deepEqual((await database.batch(statements)).flat(), numbers.map((n) => ({ n: 2 * n })));
    await rejects(database.query("select 1 / 0"), { code: "22012" });
    const ended = database.transaction((tx) => tx.query(`insert into ${schema}.t values (99, 'no'::int)`));
    await rejects(ended, { code: "22P02" });
    const [row] = await database.query<{ n: number }>(`select count(*) as n from ${schema}.t`);
    equal(row!.n, 40);
    await database.close();
  }));

Deno.test("a signal ends a statement through pgbouncer, and its connections stay usable", () =>
  usingPostgres(async (_url, direct) => {
    await using through = await pooler();
    const database = databaseOf({ ...direct, url: through.url, pool: 4 });
    const asked = Array.from({ length: 2 }, () => {
      return database.query("select pg_sleep(60)", [], { signal: AbortSignal.timeout(300) });
    });
    for (const one of asked) await rejects(one, { name: "TimeoutError" });
    const answers = Array.from({ length: 8 }, (_, n) => database.query("select $1::int as n", [n]));
    deepEqual((await Promise.all(answers)).flat(), Array.from({ length: 8 }, (_, n) => ({ n })));
    await database.close();
  }));

Deno.test("a wrong password at pgbouncer, and a database that it does not know, are named", () =>
  usingPostgres(async (_url, direct) => {
    await using through = await pooler();
    for (
      const [settings, key] of [
        [{ ...direct, url: through.url, password: "wrong" }, "store_password_wrong"],
        [{ ...direct, url: through.url.replace("/muxue_rag", "/other") }, "store_database_missing"],
      ] as const
    ) {
      const database = databaseOf(settings);
      await rejects(database.query("select 1"), { key });
      await database.close();
    }
  }));
