import { deepEqual, equal, rejects } from "node:assert/strict";
import {
  type Database,
  databaseOf,
  quotedName,
  type StoreSettings,
} from "#library/store/postgres/database.ts";
import { PostgresStore } from "#library/store/postgres/postgres_store.ts";
import { usingPglite } from "../../../_pglite.ts";
import { KEY } from "../../../engine/index/_blob_forge.ts";
import { META } from "../../../engine/index/_build.ts";
import { TempDir } from "../../../foundation/boundary/helpers.ts";
import { addFile, ready, write } from "../_contract.ts";
import { MemoryStore } from "../memory/memory_store.ts";
import { ASKS } from "../_asks.ts";
import { assertNear } from "../_near.ts";

const LIMITS = { smallBytes: 100, tier: 2, largeBytes: 1e9, mostDead: 1 / 2 };

/** Files of 200 bytes. */
const FILES = Object.fromEntries(
  Array.from({ length: 20 }, (_, i) => [`${10 + i}.md`, [`river ${i} `.padEnd(200, "bridge ")]]),
);

/** Writes an index of `files`; those that the previous one has with the same text are kept. */
async function update(store: PostgresStore | MemoryStore, files: typeof FILES, before: typeof FILES) {
  await using _lock = await store.lock();
  using previous = await ready(store.open({ forUpdate: true }));
  const changed = Object.keys(files).filter((path) => before[path] !== files[path]);
  const bytes = changed.reduce((sum, path) => sum + files[path]!.join("").length, 0);
  await store.replace({ previous, changes: { bytes, chunks: 0 } }, async (writer) => {
    for (const [path, chunks] of Object.entries(files).sort()) {
      if (changed.includes(path)) await addFile(writer, path, chunks);
      else await writer.keep(undefined, previous.files.findIndex((file) => file.path === path));
    }
    await writer.finish({ ...META, root: store.root }, () => Promise.resolve());
  });
}

/** The segments of the index by their ids, with the numbers of their files and of those that are gone, and the retired ones. */
async function segmentsOf(settings: StoreSettings) {
  const db = databaseOf(settings), schema = quotedName(settings.schema);
  const [row] = await db.query<{ manifest: { segments: { id: string; dead: number[] }[] } }>(
    `select manifest from ${schema}.collection`,
  );
  const retired = await db.query<{ id: number }>(
    `select id from ${schema}.segment where retired is not null order by id`,
  );
  return {
    segments: row!.manifest.segments.map(({ id, dead }) => [Number(id), dead.length]),
    retired: retired.map(({ id }) => id),
  };
}

Deno.test("an update writes what has changed, takes up small segments, and drops what is mostly gone", async () => {
  await usingPglite(async (_, settings) => {
    using dir = new TempDir();
    const { schema } = settings;
    const place = { database: databaseOf(settings), schema, name: "notes", address: "", cacheBytes: 1 << 24 };
    const store = new PostgresStore(dir.path, place, KEY, LIMITS), plain = new MemoryStore(dir.path);
    for (const each of [store, plain]) (await write(each, FILES)).close();
    let files = FILES;
    const next = async (changed: typeof FILES) => {
      for (const each of [store, plain]) await update(each, changed, files);
      files = changed;
      using index = await ready(store.open());
      using expected = await ready(plain.open());
      for (const [name, ask] of Object.entries(ASKS)) assertNear(await ask(index), await ask(expected), name);
      return await segmentsOf(settings);
    };
    deepEqual(await segmentsOf(settings), { segments: [[1, 0]], retired: [] });
    deepEqual(await next({ ...files, "15.md": ["river"], "99.md": ["天气"] }), {
      segments: [[1, 1], [2, 0]],
      retired: [],
    });
    deepEqual(await next({ ...files, "16.md": ["lamp"] }), { segments: [[1, 2], [3, 0]], retired: [2] });
    const large = { "40.md": ["lamp ".repeat(60)], "41.md": ["lamp ".repeat(60)] };
    deepEqual(await next({ ...files, ...large }), { segments: [[1, 2], [4, 0]], retired: [2, 3] });
    deepEqual(await next({ ...files, "12.md": ["tea"] }), {
      segments: [[1, 3], [4, 0], [5, 0]],
      retired: [2, 3],
    });
    const rest = Object.fromEntries(Object.entries(files).filter(([path]) => !/^1/.test(path)));
    deepEqual((await next(rest)).segments, [[1, 10], [4, 2], [6, 0]]);
    const few = Object.fromEntries(Object.entries(files).filter(([path]) => !/^2[0-5]/.test(path)));
    deepEqual((await next(few)).segments.map(([, dead]) => dead), [16, 2, 0]);
    const { segments } = await next({ ...few, "98.md": ["lamp"] });
    equal(segments.length, 1);
  });
});

/** A database whose connection may be lost just after the server has carried out a transaction. */
function losing(database: Database, isLost: () => boolean): Database {
  return {
    names: database.names,
    query: (...given) => database.query(...given),
    batch: (...given) => database.batch(...given),
    close: () => database.close(),
    async transaction(...given) {
      const result = await database.transaction(...given);
      if (isLost()) throw new Error("the connection is lost");
      return result;
    },
  };
}

Deno.test("an index that was published as the connection was lost is whole", async () => {
  await usingPglite(async (_, settings) => {
    using dir = new TempDir();
    const { schema } = settings;
    let isLost = false;
    const place = {
      ...{ schema, name: "notes", address: "", cacheBytes: 1 << 24 },
      database: losing(databaseOf(settings), () => isLost),
    };
    const store = new PostgresStore(dir.path, place, KEY, LIMITS);
    {
      await using _lock = await store.lock();
      const replaced = store.replace({}, async (writer) => {
        await addFile(writer, "a.md", ["river"]);
        await writer.finish({ ...META, root: dir.path }, () => Promise.resolve());
        isLost = true;
      });
      await rejects(replaced, /the connection is lost/);
    }
    isLost = false;
    using index = await ready(store.open());
    deepEqual(await index.texts(Int32Array.of(0), 100), ["river"]);
  });
});
