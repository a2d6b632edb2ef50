/** Readers whose index was replaced so long ago that its segments are removed: a machine that slept, or a search that took minutes. */
import { deepEqual, rejects } from "node:assert/strict";
import { DamagedIndexError } from "#engine/index/mod.ts";
import { databaseOf, quotedName, type StoreSettings } from "#library/store/postgres/database.ts";
import { PostgresStore } from "#library/store/postgres/postgres_store.ts";
import { usingPglite } from "../../../_pglite.ts";
import { assertUserError } from "../../../foundation/boundary/helpers.ts";
import { KEY } from "../../../engine/index/_blob_forge.ts";
import { config, Place } from "../../ingest/_place.ts";
import { ready, write } from "../_contract.ts";

const place = ({ schema }: StoreSettings) => ({ schema, name: "notes", address: "database", cacheBytes: 1 });

/** Writes an index, and removes the segments of the one before, as if minutes had passed. */
async function replace(store: PostgresStore, settings: StoreSettings, text: string): Promise<void> {
  (await write(store, { "a.md": [text] })).close();
  const schema = quotedName(settings.schema);
  await databaseOf(settings).query(`delete from ${schema}.segment where retired is not null`);
}

/** A reader of another process. Its index is replaced after each time at which it asked whether there is another one. */
class LateReader extends PostgresStore {
  replacing: (() => Promise<void>) | undefined;

  override async version(): Promise<string | undefined> {
    const version = await super.version();
    const { replacing } = this;
    this.replacing = undefined;
    await replacing?.();
    return version;
  }
}

Deno.test("a search whose index is replaced and removed while it reads it answers from the new one", async () => {
  await usingPglite(async (_, settings) => {
    using folder = new Place();
    const writer = new PostgresStore(
      folder.root,
      { ...place(settings), database: databaseOf(settings) },
      KEY,
    );
    await replace(writer, settings, "a river and a bridge");
    await using database = closing({ ...settings, pool: 2 });
    const reader = new LateReader(folder.root, { ...place(settings), database: database.database }, KEY);
    const library = await folder.library({ config: await config(), storeOf: () => reader });
    const found = async (query: string) =>
      (await library.search({ query })).hits.map(({ content }) => content);
    deepEqual(await found("river"), ["a river and a bridge"]);
    reader.replacing = () => replace(writer, settings, "a lamp on a bridge");
    deepEqual(await found("bridge"), ["a lamp on a bridge"]);
  });
});

Deno.test("an index that was replaced is told from one whose pages are missing", async () => {
  await usingPglite(async (_, settings) => {
    using folder = new Place();
    const writer = new PostgresStore(
      folder.root,
      { ...place(settings), database: databaseOf(settings) },
      KEY,
    );
    await replace(writer, settings, "a river and a bridge");
    await using database = closing({ ...settings, pool: 2 });
    const reader = new PostgresStore(folder.root, { ...place(settings), database: database.database }, KEY);
    const read = async (change: () => Promise<unknown>) => {
      using index = await ready(reader.open());
      await change();
      await index.texts(Int32Array.of(0), 100);
    };
    await assertUserError(() => read(() => replace(writer, settings, "a lamp")), "store_index_replaced");
    const schema = quotedName(settings.schema);
    const missing = read(() => databaseOf(settings).query(`delete from ${schema}.page`));
    await rejects(missing, DamagedIndexError);
  });
});

/** A database that is closed with the test. */
function closing(settings: StoreSettings) {
  const database = databaseOf(settings);
  return { database, [Symbol.asyncDispose]: () => database.close() };
}
