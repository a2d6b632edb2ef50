/** The stores in a database, which is PGlite, or the real server in `deno task test:postgres`. */
import { databaseOf, type StoreSettings } from "#library/store/postgres/database.ts";
import { type PostgresPlace, PostgresStore } from "#library/store/postgres/postgres_store.ts";
import type { IndexWriter, Store, WriteOptions } from "#library/store/mod.ts";
import { ShardedStore } from "#library/store/sharded/sharded_store.ts";
import { usingPglite } from "../../_pglite.ts";
import { KEY } from "../../engine/index/_blob_forge.ts";
import { replaceAsUpdate, type TestedStore } from "./_stores.ts";

/** Writes a segment at each update. */
class SegmentsStore extends PostgresStore {
  constructor(root: string) {
    super(root, placeOf(root), KEY, { smallBytes: 0, tier: 0, largeBytes: Infinity, mostDead: 1 });
  }

  override replace<T>(options: WriteOptions, write: (writer: IndexWriter) => Promise<T>): Promise<T> {
    return replaceAsUpdate(this, (...given) => super.replace(...given), options, write);
  }
}

/** The database that the test which runs has for itself. */
let settings: StoreSettings | undefined;

function placeOf(root: string, given = settings!): PostgresPlace {
  const { schema } = given;
  return {
    database: databaseOf(given),
    schema,
    name: root,
    address: `pglite/${schema}`,
    cacheBytes: 1 << 26,
  };
}

async function inDatabase(test: () => Promise<void>): Promise<void> {
  await usingPglite(async (_, given) => {
    settings = given;
    await test();
  });
}

/** The stores of a collection in two databases: two schemas, since there is one server. */
function databasesOf(root: string): Store[] {
  return [settings!, secondOf(settings!)].map((each) => new PostgresStore(root, placeOf(root, each), KEY));
}

const secondOf = (settings: StoreSettings) => ({ ...settings, schema: `${settings.schema}_two` });

/** Runs a test of {@linkcode databasesOf}. */
async function inTwoDatabases(test: () => Promise<void>): Promise<void> {
  await inDatabase(async () => {
    const { schema } = secondOf(settings!);
    const second = databaseOf(secondOf(settings!));
    try {
      await test();
    } finally {
      await second.query(`drop schema if exists ${schema} cascade`);
      await second.close();
    }
  });
}

/** A collection in a database. */
export const POSTGRES: TestedStore = [
  "postgres",
  (root) => new PostgresStore(root, placeOf(root), KEY),
  inDatabase,
];
/** A collection in a database, with a segment for each update. */
export const SEGMENTS: TestedStore = [
  "postgres in segments",
  (root) => new SegmentsStore(root),
  inDatabase,
];
/** A collection in two databases. */
export const TWO_DATABASES: TestedStore = [
  "two databases",
  (root) => new ShardedStore(root, databasesOf(root), KEY),
  inTwoDatabases,
];
