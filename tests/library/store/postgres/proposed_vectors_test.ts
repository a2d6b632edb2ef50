import { deepEqual, equal } from "node:assert/strict";
import { databaseOf } from "#library/store/postgres/database.ts";
import { PostgresProposer } from "#library/store/postgres/proposed_vectors.ts";
import { Tables } from "#library/store/postgres/tables.ts";
import { usingPglite } from "../../../_pglite.ts";
import { checkProposer, someRows } from "../vectors/_proposer_contract.ts";

const MODEL = { id: "it's a model", dimensions: 24 };

/** Does something with an empty collection. */
async function usingCollection(work: (tables: Tables, collection: string) => Promise<void>): Promise<void> {
  await usingPglite(async (_, settings) => {
    const tables = new Tables(databaseOf(settings), settings.schema);
    const [row] = await tables.write<{ id: string }>(
      "insert into {collection} (name, key) values ('notes', '') returning id::text",
      [],
    );
    await work(tables, row!.id);
  });
}

Deno.test("pgvector proposes vectors as every place does, with an index and without", async () => {
  await usingCollection(async (tables, collection) => {
    const proposer = (await PostgresProposer.open(tables, collection, MODEL, { exactUpTo: 100 }))!;
    await checkProposer(proposer);
    await proposer.finish();
    const { vectors: [query] } = someRows(300, MODEL.dimensions);
    equal((await proposer.nearest(query!, { limit: 40 })).hashes.length, 40);
    const [index] = await tables.read<{ definition: string }>(
      "select indexdef as definition from pg_indexes where schemaname = $1 and indexdef like '%hnsw%'",
      [tables.schema],
    );
    equal(
      /USING hnsw .* WITH \(m='16', ef_construction='64'\) WHERE/.test(index!.definition),
      true,
      index!.definition,
    );
  });
});

Deno.test("vectors of other models and of other collections are not mixed in, and go with their collection", async () => {
  await usingCollection(async (tables, collection) => {
    const open = (id: string) => PostgresProposer.open(tables, collection, { id, dimensions: 24 });
    const [one, other] = [(await open("one"))!, (await open("other"))!];
    const rows = someRows(20, 24);
    await one.add(rows);
    await other.add({ ...rows, hashes: rows.hashes.slice(0, 5), scales: rows.scales.subarray(0, 5) });
    equal((await other.nearest(rows.vectors[0]!, { limit: 50 })).hashes.length, 5);
    deepEqual(await other.has(rows.hashes.slice(4, 6)), [true, false]);
    await other.keepOnly(() => false);
    equal((await one.nearest(rows.vectors[0]!, { limit: 50 })).hashes.length, 20);
    await tables.write("delete from {collection}", []);
    deepEqual(await tables.read("select from {vector}", []), []);
  });
});

Deno.test("vectors of more than 4,000 dimensions, which pgvector cannot index, are left to the exact scan", async () => {
  await usingCollection(async (tables, collection) => {
    equal(await PostgresProposer.open(tables, collection, { id: "large", dimensions: 4001 }), undefined);
  });
});
