/** Runs that index one folder into one database at once. */
import { deepEqual, equal } from "node:assert/strict";
import { NO_LOG } from "#foundation/log.ts";
import { databaseOf } from "#library/store/postgres/database.ts";
import { PostgresStore } from "#library/store/postgres/postgres_store.ts";
import { ingest } from "#library/ingest/mod.ts";
import type { IngestOptions } from "#library/ingest/types.ts";
import { loadConfig } from "#foundation/configuration/mod.ts";
import { usingPglite } from "../../_pglite.ts";
import { KEY } from "../../engine/index/_blob_forge.ts";
import { assertUserError, TempDir } from "../../foundation/boundary/helpers.ts";
import { ready } from "../store/_contract.ts";

/** Makes a folder with so many files, and gives what a process does to index it into a database. */
async function usingFolder(
  files: number,
  test: (run: (options?: IngestOptions) => ReturnType<typeof ingest>, store: PostgresStore) => Promise<void>,
): Promise<void> {
  await usingPglite(async (_, settings) => {
    using dir = new TempDir();
    using state = new TempDir();
    const root = await Deno.realPath(dir.path);
    for (let i = 0; i < files; i++) await Deno.writeTextFile(`${root}/${1000 + i}.md`, `Lantern ${i}.\n`);
    const { config } = await loadConfig({ cwd: root, env: {} });
    const storeOf = () => {
      // PGlite has one session for all connections.
      const { schema } = settings, database = databaseOf({ ...settings, pool: 1 });
      return new PostgresStore(
        root,
        { database, schema, name: "notes", address: "", cacheBytes: 1 << 24 },
        KEY,
      );
    };
    const context = { stateDir: state.path, log: NO_LOG, version: "1.0.0", indexKey: KEY, storeOf };
    await test((options) => ingest(root, config, context, options), storeOf());
  });
}

Deno.test("a run with many new files is shared by all processes that index the collection, and its index has each file once", async () => {
  await usingFolder(600, async (run, store) => {
    let joined = 0;
    const all = await Promise.all([1, 2, 3].map(() => run({ onJoined: () => joined++ })));
    equal(joined, 2);
    deepEqual(
      all.map(({ new: added, unchanged, written }) => ({ added, unchanged, written }))
        .sort((a, b) => a.added - b.added),
      [
        { added: 0, unchanged: 600, written: false },
        { added: 0, unchanged: 600, written: false },
        { added: 600, unchanged: 0, written: true },
      ],
    );
    const loaded = await store.open();
    if (loaded.state !== "ready") throw new Error(loaded.state);
    using index = loaded.index;
    deepEqual(index.files.map(({ path }) => path), Array.from({ length: 600 }, (_, i) => `${1000 + i}.md`));
    equal((await index.documentFrequencies(["lantern"]))[0], 600);
  });
});

Deno.test("a run that another process does alone is busy", async () => {
  await usingFolder(3, async (run, store) => {
    await using _lock = await store.lock();
    await assertUserError(() => run({ onJoined: () => {} }), "index_busy");
  });
});

Deno.test("a run that helps nobody publishes many new files in batches, too, and few at once", async () => {
  for (const { files, most } of [{ files: 200, most: 1 }, { files: 600, most: Infinity }]) {
    await usingFolder(files, async (run, store) => {
      const seen = new Set<number>();
      let isOver = false;
      const running = run().finally(() => isOver = true);
      while (!isOver) {
        const loaded = await store.open();
        if (loaded.state === "ready") {
          using index = loaded.index;
          seen.add(index.files.length);
        }
      }
      equal((await running).new, files);
      using index = await ready(store.open());
      equal(index.files.length, files);
      seen.delete(files);
      equal(seen.size < most && (files < 512 || seen.size > 0), true, `${files} files: ${[...seen]}`);
    });
  }
});
