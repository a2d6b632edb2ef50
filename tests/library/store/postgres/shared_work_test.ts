import { deepEqual, equal, rejects } from "node:assert/strict";
import { databaseOf, quotedName } from "#library/store/postgres/database.ts";
import { PostgresStore } from "#library/store/postgres/postgres_store.ts";
import type { SharedBatch, SharedFile, StoreLock } from "#library/store/mod.ts";
import { usingPglite } from "../../../_pglite.ts";
import { KEY } from "../../../engine/index/_blob_forge.ts";
import { META } from "../../../engine/index/_build.ts";
import { TempDir } from "../../../foundation/boundary/helpers.ts";
import { addFile, described, ready, write } from "../_contract.ts";

const fileOf = (path: string): SharedFile => ({ path, size: 1, mtimeMs: 1 });

/** Publishes a batch; a file with the name `lost` cannot be read. */
function publish(store: PostgresStore, batch: SharedBatch): Promise<boolean> {
  return batch.publish(undefined, async (writer) => {
    for (const { path } of batch.files) {
      if (path.includes("lost")) await writer.addEmpty({ ...described(path), status: "failed" });
      else await addFile(writer, path, [`lantern ${path}`]);
    }
    await writer.finish({ ...META, root: store.root }, () => Promise.resolve());
  });
}

async function pathsOf(store: PostgresStore): Promise<string[]> {
  using index = await ready(store.open());
  return index.files.map(({ path }) => path);
}

/** A collection with the files `b` and `e`, and a run with two batches. `expire`: nobody holds them any more. `lock`: that of the run, and
 * `loseLock` lets others take it. */
async function usingRun(
  test: (
    store: PostgresStore,
    other: PostgresStore,
    more: {
      readonly expire: () => Promise<unknown>;
      readonly loseLock: () => Promise<unknown>;
      readonly lock: StoreLock;
    },
  ) => Promise<void>,
): Promise<void> {
  await usingPglite(async (_, settings) => {
    using dir = new TempDir();
    const { schema } = settings, database = databaseOf(settings);
    const place = { database, schema, name: "notes", address: "", cacheBytes: 1 << 24 };
    const store = new PostgresStore(dir.path, place, KEY), other = new PostgresStore(dir.path, place, KEY);
    (await write(store, { "b.md": ["lantern b"], "e.md": ["lantern e"] })).close();
    await using lock = await store.lock();
    const work = await store.sharedWork();
    await work.begin("S");
    await work.divide([["a.md", "d.md"], ["c.md", "f lost.md"]].map((paths) => paths.map(fileOf)));
    const endOf = (table: string) =>
      database.query(`update ${quotedName(schema)}.${table} set until = now() - interval '1 s'`);
    await test(store, other, { expire: () => endOf("job"), loseLock: () => endOf("lease"), lock });
  });
}

Deno.test("writers with the settings of a run claim its batches, which are in the index at their places or not at all", async () => {
  await usingRun(async (store, other) => {
    const [own, others] = [await store.sharedWork(), await other.sharedWork()];
    equal(await others.settings(), "S");
    equal(await others.claim("other settings"), undefined);
    await using first = (await own.claim("S"))!;
    await using second = (await others.claim("S"))!;
    deepEqual([first, second].map(({ files }) => files.map(({ path }) => path)), [["a.md", "d.md"], [
      "c.md",
      "f lost.md",
    ]]);
    equal(await own.claim("S"), undefined);
    deepEqual(await Promise.all([publish(store, first), publish(other, second)]), [true, true]);
    deepEqual(await pathsOf(store), ["a.md", "b.md", "c.md", "d.md", "e.md"]);
    equal(await own.isUnfinished(), false);
    equal(await publish(store, first), false);
    equal((await pathsOf(store)).length, 5);
  });
});

Deno.test("a batch of a writer that has gone is claimed by another one, and is in the index once, whichever of the two publishes first", async () => {
  await usingRun(async (store, other, { expire }) => {
    const [own, others] = [await store.sharedWork(), await other.sharedWork()];
    await using slow = (await own.claim("S"))!;
    await expire();
    await using again = (await others.claim("S"))!;
    deepEqual(again.files, slow.files);
    equal(await publish(other, again), true);
    equal(await publish(store, slow), false);
    deepEqual(await pathsOf(store), ["a.md", "b.md", "d.md", "e.md"]);
  });
});

Deno.test("a batch that a writer gives up is claimed again, three times in all", async () => {
  await usingRun(async (store) => {
    const work = await store.sharedWork();
    const claimed = [];
    while (true) {
      await using batch = await work.claim("S");
      if (batch === undefined) break;
      claimed.push(batch.files[0]!.path);
    }
    deepEqual(claimed, ["a.md", "a.md", "a.md", "c.md", "c.md", "c.md"]);
    equal(await work.isUnfinished(), false);
  });
});

Deno.test("taking the lock ends the run, and its batches are not published any more", async () => {
  await usingRun(async (store, other, { lock }) => {
    const work = await store.sharedWork();
    await using batch = (await work.claim("S"))!;
    await lock[Symbol.asyncDispose]();
    equal(await work.settings(), "S");
    await using _next = await other.lock();
    equal(await work.settings(), undefined);
    equal(await publish(store, batch), false);
    deepEqual(await pathsOf(store), ["b.md", "e.md"]);
  });
});

Deno.test("a writer that has lost the lock begins, divides and ends no run", async () => {
  await usingRun(async (store, other, { loseLock }) => {
    const [late, work] = [await store.sharedWork(), await other.sharedWork()];
    await loseLock();
    await using _lock = await other.lock();
    await rejects(late.begin("S"), { key: "store_lock_lost" });
    await work.begin("S");
    await work.divide([[fileOf("a.md")]]);
    await rejects(late.divide([[fileOf("c.md")]]), { key: "store_lock_lost" });
    await late.end();
    await using batch = (await work.claim("S"))!;
    deepEqual(batch.files, [fileOf("a.md")]);
  });
});
