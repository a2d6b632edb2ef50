/** Readers whose index was replaced so long ago that its segments are removed: a machine that slept, or a search that took minutes. */
import { deepEqual, rejects } from "node:assert/strict";
import { DamagedIndexError } from "#engine/index/mod.ts";
import { type Database, databaseOf, quotedName } from "#library/store/postgres/database.ts";
import { type PostgresPlace, PostgresStore } from "#library/store/postgres/postgres_store.ts";
import { usingPglite } from "../../../_pglite.ts";
import { assertUserError } from "../../../foundation/boundary/helpers.ts";
import { KEY } from "../../../engine/index/_blob_forge.ts";
import { config, Place } from "../../ingest/_place.ts";
import { ready, write } from "../_contract.ts";

/** A collection that a writer has indexed, and a reader of another process. */
interface Written {
  readonly folder: Place;
  readonly reader: PostgresPlace;
  /** Writes another index, and removes the segments of the one before, as if minutes had passed. */
  replace(text: string): Promise<void>;
  removePages(): Promise<unknown>;
}

/** Runs a test with a collection in which a file has the text "a river and a bridge". */
function usingWritten(test: (written: Written) => Promise<void>): Promise<void> {
  return usingPglite(async (_, settings) => {
    using folder = new Place();
    const database = databaseOf(settings), schema = quotedName(settings.schema);
    const placeIn = (database: Database): PostgresPlace => {
      return { database, schema: settings.schema, name: "notes", address: "database", cacheBytes: 1 };
    };
    const writer = new PostgresStore(folder.root, placeIn(database), KEY);
    const replace = async (text: string) => {
      (await write(writer, { "a.md": [text] })).close();
      await database.query(`delete from ${schema}.segment where retired is not null`);
    };
    await replace("a river and a bridge");
    const removePages = () => database.query(`delete from ${schema}.page`);
    const other = databaseOf({ ...settings, pool: 2 });
    try {
      await test({ folder, reader: placeIn(other), replace, removePages });
    } finally {
      await other.close();
    }
  });
}

/** A reader whose index is replaced after each time at which it asked whether there is another one. */
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

Deno.test("a search whose index is replaced and removed while it reads it answers from the new one", () =>
  usingWritten(async ({ folder, reader: place, replace }) => {
    const reader = new LateReader(folder.root, place, KEY);
    const library = await folder.library({ config: await config(), storeOf: () => reader });
    const found = async (query: string) =>
      (await library.search({ query })).hits.map(({ content }) => content);
    deepEqual(await found("river"), ["a river and a bridge"]);
    reader.replacing = () => replace("a lamp on a bridge");
    deepEqual(await found("bridge"), ["a lamp on a bridge"]);
  }));

Deno.test("an index that was replaced is told from one whose pages are missing", () =>
  usingWritten(async ({ folder, reader: place, replace, removePages }) => {
    const reader = new PostgresStore(folder.root, place, KEY);
    const read = async (change: () => Promise<unknown>) => {
      using index = await ready(reader.open());
      await change();
      await index.texts(Int32Array.of(0), 100);
    };
    await assertUserError(() => read(() => replace("a lamp")), "store_index_replaced");
    await rejects(read(removePages), DamagedIndexError);
  }));
