import { deepEqual, equal, ok } from "node:assert/strict";
import { databaseOf } from "#library/store/postgres/database.ts";
import { PostgresProposer, vectorExtension } from "#library/store/postgres/proposed_vectors.ts";
import { Tables } from "#library/store/postgres/tables.ts";
import { usingPostgres } from "../../../_postgres.ts";
import { checkProposer, someRows } from "../vectors/_proposer_contract.ts";

const MODEL = { id: "test", dimensions: 24 };

Deno.test("pgvector on a server proposes vectors as every place does, and searches in its index", async () => {
  await usingPostgres(async (_, settings) => {
    const tables = new Tables(databaseOf(settings), settings.schema);
    const [row] = await tables.write<{ id: string }>(
      "insert into {collection} (name, key) values ('notes', '') returning id::text",
      [],
    );
    equal((await vectorExtension(tables.db))!.version.startsWith("0."), true);
    const proposer = (await PostgresProposer.open(tables, row!.id, MODEL, { exactUpTo: 100 }))!;
    await checkProposer(proposer);
    const rows = someRows(3000, 24, 7);
    await proposer.add(rows);
    await proposer.finish();
    await tables.db.query(`analyze "${tables.schema}".vector`);
    const scans = async () => {
      await tables.db.query("select pg_stat_force_next_flush()");
      const [stat] = await tables.db.query<{ scans: number }>(
        "select idx_scan as scans from pg_stat_user_indexes where schemaname = $1 and indexrelname = $2",
        [tables.schema, await proposer.indexName()],
      );
      return stat!.scans;
    };
    const before = await scans();
    let near = 0;
    for (let i = 0; i < 20; i++) {
      const query = rows.vectors[i * 100]!;
      const exact = rows.vectors.map((vector, at) => ({
        at,
        cosine: vector.reduce((sum, value, k) => sum + value * query[k]!, 0),
      })).sort((a, b) => b.cosine - a.cosine).slice(0, 20);
      const { hashes } = await proposer.nearest(query, { limit: 60 });
      const found = new Set(hashes.map((hash) => hash.toHex()));
      near += exact.filter(({ at }) => found.has(rows.hashes[at]!.toHex())).length;
    }
    ok(near >= 400 * 0.98, `${near} of 400 of the nearest are proposed`);
    ok(await scans() >= before + 20, "every search used the index");
    deepEqual((await proposer.has(rows.hashes)).includes(false), false);
  });
});
