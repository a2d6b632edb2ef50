import { deepEqual, ok } from "node:assert/strict";
import { MemoryFile } from "#engine/index/mod.ts";
import { databaseOf } from "#library/store/postgres/database.ts";
import { PostgresStore } from "#library/store/postgres/postgres_store.ts";
import type { SearchAnswer, SearchRequest } from "#library/search/mod.ts";
import { farServer } from "../../../_far_server.ts";
import { usingPostgres } from "../../../_postgres.ts";
import { documents } from "../../../engine/index/_fixture.ts";
import { KEY } from "../../../engine/index/_blob_forge.ts";
import { config, Place, storeAt } from "../../ingest/_place.ts";
import { ready } from "../_contract.ts";

const REQUESTS: readonly SearchRequest[] = [
  { query: "backup of the network server" },
  { query: "backup of the network server", mode: "keyword" },
  { query: "数据库的备份和恢复" },
  { query: '"index file" server -disk' },
  { query: "confguration of the netwrk", mode: "keyword" },
  { query: "index AND (server OR disk*)", explain: true },
];

/** The files of a test: a part of a document each. */
function files(): Record<string, string> {
  return Object.fromEntries(documents().map((text, i) => [`docs/page${i}.md`, `# Page ${i}\n\n${text}\n`]));
}

/** Copies the index of a folder into a database. */
async function copyIndex(root: string, store: PostgresStore): Promise<void> {
  const folder = storeAt(root), bytes = new MemoryFile();
  using index = await ready(folder.open());
  await folder.backUp(index, bytes);
  await using _lock = await store.lock();
  using backup = await store.openBackup(bytes);
  await store.restore(backup);
}

const timeless = (answer: SearchAnswer) => ({ ...answer, seconds: 0, freshness: 0 });

Deno.test("a search waits for few round trips to a database, and answers as from the folder", async () => {
  await usingPostgres(async (address, settings) => {
    await using far = await farServer(address);
    using place = await Place.indexed(files());
    const near = await place.library();
    const { schema } = settings;
    for (const [i, request] of REQUESTS.entries()) {
      const database = databaseOf({ ...settings, url: far.url });
      // Each question finds a cache of its own.
      const at = { database, schema, name: "docs", address: "far", cacheBytes: (1 << 24) + i };
      const store = new PostgresStore(place.root, at, KEY);
      if (i === 0) await copyIndex(place.root, store);
      const library = await place.library({ config: await config(), storeOf: () => store });
      const expected = timeless(await near.search(request));
      const tripsOf = async () => {
        far.trips = 0;
        deepEqual(timeless(await library.search(request)), expected);
        return far.trips;
      };
      const [opening, again] = [await tripsOf(), await tripsOf()];
      ok(opening <= 20, `${JSON.stringify(request)}: ${opening} round trips`);
      ok(again <= 2, `${JSON.stringify(request)}: ${again} round trips when the pages are at hand`);
      library.close();
      await database.close();
    }
  });
});
