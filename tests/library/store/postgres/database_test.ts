import { deepEqual, equal, rejects } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { usingPglite } from "../../../_pglite.ts";
import { databaseOf } from "#library/store/postgres/database.ts";

Deno.test("bytes, large numbers, arrays and JSON come back as they were given", () =>
  usingPglite(async (_url, settings) => {
    const bytes = new Uint8Array([0, 1, 92, 255]);
    const [row] = await databaseOf(settings).query<{ b: Uint8Array }>(
      "select $1::bytea as b, $2::bytea[] as bs, $3::bigint as n, $4::bigint[] as ns, $5::jsonb as j, $6::text as t",
      [bytes, [bytes, bytes], 2 ** 40, [1, 2 ** 40], { 键: [1, null] }, null],
    );
    deepEqual({ ...row, b: [...row!.b] }, {
      b: [0, 1, 92, 255],
      bs: [Buffer.from(bytes), Buffer.from(bytes)],
      n: 2 ** 40,
      ns: [1, 2 ** 40],
      j: { 键: [1, null] },
      t: null,
    });
  }));

Deno.test("statements of a batch are answered one by one; one that fails does not stop the others", () =>
  usingPglite(async (_url, { schema, ...settings }) => {
    const database = databaseOf({ ...settings, schema });
    deepEqual(
      await database.batch([{ text: "select 1 as a" }, { text: "select $1::int as b", values: [2] }]),
      [
        [{ a: 1 }],
        [{ b: 2 }],
      ],
    );
    await database.query(`create schema ${schema}`);
    await database.query(`create table ${schema}.t (n int)`);
    const statements = [1, "x", 3].map((n) => ({ text: `insert into ${schema}.t values ($1)`, values: [n] }));
    await rejects(database.batch(statements), { code: "22P02" });
    deepEqual(await database.query(`select n from ${schema}.t order by n`), [{ n: 1 }, { n: 3 }]);
  }));

Deno.test("a transaction is kept, or taken back with the error of its work", () =>
  usingPglite(async (_url, settings) => {
    const database = databaseOf(settings);
    const table = `${settings.schema}.t`;
    await database.query(`create schema ${settings.schema}`);
    await database.query(`create table ${table} (n int)`);
    equal(
      await database.transaction(async (tx) => {
        await tx.query(`insert into ${table} values (1)`);
        return "done";
      }),
      "done",
    );
    const failing = database.transaction(async (tx) => {
      await tx.query(`insert into ${table} values (2)`);
      throw new Error("no");
    });
    await rejects(failing, { message: "no" });
    const wrong = database.transaction((tx) => tx.query("select nonsense"));
    await rejects(wrong, { key: "store_schema_missing" });
    deepEqual(await database.query(`select n from ${table}`), [{ n: 1 }]);
  }));

Deno.test("a signal ends a statement that waits, and the next one is answered", () =>
  usingPglite(async (_url, settings) => {
    const database = databaseOf(settings);
    const reason = new Error("enough");
    await rejects(database.query("select 1", [], { signal: AbortSignal.abort(reason) }), reason);
    deepEqual(await database.query("select 1 as a"), [{ a: 1 }]);
  }));

Deno.test("all stores with the same settings share the connections", () =>
  usingPglite(async (_url, settings) => {
    equal(databaseOf(settings), databaseOf(structuredClone(settings)));
    await databaseOf(settings).query("select 1");
  }));

Deno.test("a server that does not answer is named with its address", async () => {
  const settings = {
    url: "postgres://nobody@127.0.0.1:1/none",
    password: null,
    schema: "s",
    pool: 1,
    tls: { ca: null, verify: true },
  };
  await rejects(databaseOf(settings).query("select 1"), {
    key: "store_unavailable",
    params: {
      address: "127.0.0.1:1/none",
      user: "nobody",
      schema: "s",
      reason: "connect ECONNREFUSED 127.0.0.1:1",
    },
  });
  await databaseOf(settings).close();
});
