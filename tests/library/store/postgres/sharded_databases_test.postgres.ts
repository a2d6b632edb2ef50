/** A collection in two databases, of which one is reached over a connection that the tests cut. */
import { deepEqual, equal } from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { databaseOf, type StoreSettings } from "#library/store/postgres/database.ts";
import { PostgresStore } from "#library/store/postgres/postgres_store.ts";
import { shardOf } from "#library/store/sharded/shard.ts";
import { ShardedStore } from "#library/store/sharded/sharded_store.ts";
import { openLibrary } from "#library/search/mod.ts";
import { usingPostgres } from "../../../_postgres.ts";
import { Way } from "../../../_way.ts";
import { assertUserError, TempDir } from "../../../foundation/boundary/helpers.ts";
import { KEY } from "../../../engine/index/_blob_forge.ts";
import { config } from "../../ingest/_place.ts";
import { type Files, ready, write } from "../_contract.ts";

const FILES: Files = Object.fromEntries(
  ["a.md", "b.md", "c.md", "d.md", "e.md", "f.md"].map((path) => [path, [`river ${path}`]]),
);
const OF_FIRST = Object.keys(FILES).filter((path) => shardOf(path, 2) === 0);

/** Does something with a folder in two databases. `store` returns its store as another process opens it. */
async function usingDatabases(
  work: (place: { root: string; way: Way; store: () => ShardedStore }) => Promise<void>,
): Promise<void> {
  await usingPostgres(async (url, settings) => {
    using dir = new TempDir();
    await using way = new Way(Number(new URL(url).port));
    const second: StoreSettings = {
      ...settings,
      url: url.replace(/:\d+\//, `:${way.port}/`),
      schema: `${settings.schema}_two`,
    };
    const store = () =>
      new ShardedStore(
        dir.path,
        [settings, second].map((each, i) =>
          new PostgresStore(dir.path, {
            database: databaseOf(each),
            schema: each.schema,
            name: "notes",
            address: `database ${i + 1}`,
            cacheBytes: 1 << 26,
          }, KEY)
        ),
        KEY,
      );
    try {
      await work({ root: dir.path, way, store });
    } finally {
      await databaseOf(settings).query(`drop schema if exists ${second.schema} cascade`);
      await databaseOf(second).close();
    }
  });
}

Deno.test("a search answers from one database while the other is gone, says so, and nothing is written", async () => {
  await usingDatabases(async ({ root, way, store }) => {
    (await write(store(), FILES)).close();
    const one = store();
    const library = openLibrary([root], await config(), { key: KEY, storeOf: () => one });
    const found = async () => {
      const { hits, notices } = await library.search({ query: "river", mode: "keyword", topK: 9 });
      return { paths: hits.map(({ filePath }) => filePath.slice(root.length + 1)).sort(), notices };
    };
    deepEqual((await found()).paths, Object.keys(FILES));
    way.cut();
    // Pages in memory are answered until the state of the database is asked for again.
    let answer = await found();
    const saysSo = () => answer.notices.some((notice) => notice.includes("database 2"));
    for (let attempt = 0; attempt < 50 && !saysSo(); attempt++) {
      deepEqual(answer.paths, Object.keys(FILES));
      await delay(100);
      answer = await found();
    }
    const { paths, notices } = answer;
    deepEqual(paths, OF_FIRST);
    equal(notices.filter((notice) => notice.includes("database 2 (notes)")).length, 1, notices.join("\n"));
    await assertUserError(() => store().lock(), "store_unavailable");
    await assertUserError(() => store().open({ forUpdate: true }), "store_unavailable");
    await assertUserError(() => store().remove(), "store_unavailable");
    way.open();
    using index = await ready(store().open());
    deepEqual(index.files.map(({ path }) => path), Object.keys(FILES));
    equal(await store().isLocked(), false);
    library.close();
  });
});
