import { basename } from "node:path";
import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { phraseText } from "#foundation/messages/mod.ts";
import { folderStatus } from "#library/ingest/mod.ts";
import { openLibrary } from "#library/search/mod.ts";
import type { LoadedIndex, OpenIndex, Store } from "#library/store/mod.ts";
import { shardOf } from "#library/store/sharded/shard.ts";
import { ShardedStore } from "#library/store/sharded/sharded_store.ts";
import { META } from "../../engine/index/_build.ts";
import { KEY } from "../../engine/index/_blob_forge.ts";
import { assertUserError, TempDir } from "../../foundation/boundary/helpers.ts";
import { config } from "../ingest/_place.ts";
import { addFile, entries, type Files, hashOf, ready, write } from "./_contract.ts";
import { shardsOf } from "./_stores.ts";

/** Two files of each of three stores, by their paths. */
const FILES: Files = Object.fromEntries(
  [0, 1, 2].flatMap((shard) =>
    Array.from({ length: 99 }, (_, i) => `${String(i).padStart(2, "0")}.md`)
      .filter((path) => shardOf(path, 3) === shard).slice(0, 2).map((path) =>
        [path, [`river ${path}`]] as const
      )
  ).sort(([a], [b]) => a < b ? -1 : 1),
);
const PATHS = Object.keys(FILES);

/** A folder in three stores. */
class Place extends TempDir {
  readonly stores = shardsOf(this.path);

  /** The store as another process opens it. */
  get store(): ShardedStore {
    return new ShardedStore(this.path, this.stores, KEY);
  }

  /** The data folder of a store. */
  folder(shard: number): string {
    return this.stores[shard]!.location;
  }

  /** Makes a store unusable while `work` is done. */
  async without<T>(shard: number, work: () => Promise<T>): Promise<T> {
    const folder = this.folder(shard);
    Deno.renameSync(folder, `${folder}.away`);
    Deno.symlinkSync(this.path, folder);
    try {
      return await work();
    } finally {
      Deno.removeSync(folder);
      Deno.renameSync(`${folder}.away`, folder);
    }
  }
}

/** Writes an index with the time of a run. Files of `previous` are kept, but for one that has `changed`. */
async function run(
  store: Store,
  files: Files,
  day: number,
  previous?: OpenIndex,
  changed?: string,
): Promise<void> {
  await using _lock = await store.lock();
  await store.replace({ previous }, async (writer) => {
    for (const [path, chunks] of Object.entries(files)) {
      const known = path === changed ? -1 : previous?.files.findIndex((file) => file.path === path) ?? -1;
      if (known < 0) await addFile(writer, path, chunks);
      else await writer.keep(undefined, known);
    }
    const meta = { ...META, root: store.root, settings: "{}", indexedAt: `2026-01-0${day}T00:00:00.000Z` };
    await writer.finish(meta, () => Promise.resolve());
  });
}

async function pathsIn(store: Store): Promise<string[]> {
  using index = await ready(store.open());
  return index.files.map(({ path }) => path);
}

function lackingOf(loaded: LoadedIndex): string[] {
  return loaded.state === "ready" ? (loaded.lacking ?? []).map((phrase) => phraseText("en", phrase)) : [];
}

Deno.test("each file is in the store of its path, and the files are numbered as in one index", async () => {
  using place = new Place();
  using index = await write(place.store, FILES);
  deepEqual(index.files.map(({ path }) => path), PATHS);
  for (const [shard, store] of place.stores.entries()) {
    deepEqual(await pathsIn(store), PATHS.filter((path) => shardOf(path, 3) === shard));
  }
  deepEqual(await index.texts(Int32Array.from(PATHS.keys()), 100), PATHS.map((path) => `river ${path}`));
});

Deno.test("the place of a file depends on its path alone", () => {
  const places = ["a.md", "docs/b.md", "中文.txt"].map((path) => [shardOf(path, 2), shardOf(path, 3)]);
  deepEqual(places, [[1, 0], [1, 1], [1, 2]]);
});

Deno.test("a store that does not answer is named, and the others answer without its files", async () => {
  using place = new Place();
  (await write(place.store, FILES)).close();
  const store = place.store;
  const all = await store.version();
  await place.without(1, async () => {
    const other = await new ShardedStore(place.path, place.stores, KEY).open();
    ok(other.state === "ready");
    using index = other.index;
    deepEqual(index.files.map(({ path }) => path), PATHS.filter((path) => shardOf(path, 3) !== 1));
    equal(index.statistics.chunks, 4);
    deepEqual(Array.from(await index.documentFrequencies(["river"])), [4]);
    const [notice] = lackingOf(other);
    ok(notice?.includes(place.folder(1)) && notice.includes("not searched"), notice);
  });
  equal(await store.version(), all);
  deepEqual(lackingOf(await place.store.open()), []);
  deepEqual(await pathsIn(place.store), PATHS);
});

Deno.test("nothing is written or removed while a store does not answer", async () => {
  using place = new Place();
  (await write(place.store, FILES)).close();
  await place.without(2, async () => {
    await assertUserError(() => place.store.lock(), "data_folder_unsafe");
    await assertUserError(() => place.store.open({ forUpdate: true }), "data_folder_unsafe");
    await assertUserError(() => place.store.remove(), "data_folder_unsafe");
  });
  equal(await place.store.isLocked(), false);
  deepEqual(await pathsIn(place.store), PATHS);
});

Deno.test("a run that fails in one store changes none of them", async () => {
  using place = new Place();
  const { store } = place;
  (await write(store, FILES)).close();
  await using _lock = await store.lock();
  const failed = store.replace({}, async (writer) => {
    await addFile(writer, "new.md", ["new"]);
    throw new Error("interrupted");
  });
  await rejects(failed, { message: "interrupted" });
  deepEqual(await pathsIn(store), PATHS);
});

Deno.test("a store that was left behind by a run is named, and the next run brings it up to date", async () => {
  using place = new Place();
  const { store } = place;
  await run(store, FILES, 1);
  // as if the machine had failed before the last store published
  await run(place.stores[0]!, { [PATHS.find((path) => shardOf(path, 3) === 0)!]: ["newer"] }, 2);
  const loaded = await store.open();
  ok(loaded.state === "ready");
  deepEqual(loaded.index.files.length, 5);
  equal(loaded.index.meta.indexedAt, "2026-01-02T00:00:00.000Z");
  equal(lackingOf(loaded).filter((notice) => notice.includes("earlier update")).length, 2);
  loaded.index.close();
  using previous = await ready(store.open({ forUpdate: true }));
  await run(store, FILES, 3, previous);
  deepEqual(lackingOf(await store.open()), []);
  deepEqual(await pathsIn(store), PATHS);
});

Deno.test("files stay where they are when a store is added, and changed ones move to the store of their path", async () => {
  using place = new Place();
  const one = new ShardedStore(place.path, place.stores.slice(0, 1), KEY);
  (await write(one, FILES)).close();
  const { store } = place;
  const loaded = await store.open();
  equal(lackingOf(loaded).filter((notice) => notice.includes("there is no index")).length, 2);
  using previous = await ready(store.open({ forUpdate: true }));
  const changed = PATHS.find((path) => shardOf(path, 3) === 2)!;
  await run(store, { ...FILES, [changed]: ["changed"] }, 1, previous, changed);
  deepEqual(await pathsIn(store), PATHS);
  deepEqual(await Promise.all(place.stores.map(pathsIn)), [PATHS.filter((path) => path !== changed), [], [
    changed,
  ]]);
  deepEqual(lackingOf(await store.open()), []);
});

Deno.test("vectors and the list of files taken out are read while a store does not answer", async () => {
  using place = new Place();
  const { store } = place;
  (await write(store, FILES)).close();
  const model = { id: "local:en:test", dimensions: 4 };
  {
    await using _lock = await store.lock("vectors");
    await using writer = await store.vectors.write(model);
    await writer.append(entries(0, 30));
    equal(await store.removed.add(new Set(["a.md"])), 1);
  }
  await place.without(0, async () => {
    const { store } = place;
    using vectors = store.vectors.read(model);
    equal(await vectors.refresh(), true);
    const rows = await vectors.rowsOf(Array.from({ length: 30 }, (_, i) => hashOf(i)));
    deepEqual([...rows.filter((row) => row >= 0)].sort((a, b) => a - b), [...Array(20).keys()]);
    equal((await vectors.cosines(Float32Array.of(1, 0, 0, 0))).length, 20);
    deepEqual(await store.removed.paths(), new Set(["a.md"]));
    equal(await store.recognised.get("a".repeat(64)), undefined);
  });
});

Deno.test("an open index of several stores says at the next question that one of them is gone", async () => {
  using place = new Place();
  (await write(place.store, FILES)).close();
  const { store } = place;
  const before = await store.version();
  await place.without(1, async () => {
    const during = await store.version();
    ok(during !== before);
    equal(await store.version(), during);
  });
});

Deno.test("a search says which part of a collection was not searched, and so does `status`", async () => {
  using place = new Place();
  await run(place.store, FILES, 1);
  const store = place.store;
  const library = openLibrary([place.path], await config(), { key: KEY, storeOf: () => store });
  const found = async () => {
    const { hits, notices } = await library.search({ query: "river", mode: "keyword", topK: 9 });
    return { paths: hits.map(({ filePath }) => basename(filePath)).sort(), notices };
  };
  const all = await found();
  deepEqual(all.paths, PATHS);
  await place.without(1, async () => {
    const { paths, notices } = await found();
    deepEqual(paths, PATHS.filter((path) => shardOf(path, 3) !== 1));
    equal(notices.filter((notice) => notice.includes(place.folder(1))).length, 1, notices.join("\n"));
    const context = { indexKey: KEY, storeOf: () => place.store };
    const { state, lacking = [], files } = await folderStatus(place.path, await config(), context);
    deepEqual([state, files, lacking.length], ["ready", 4, 1]);
  });
  library.close();
});
