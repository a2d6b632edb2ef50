import { deepEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { databaseOf, quotedName, type StoreSettings } from "#library/store/postgres/database.ts";
import { migrate, schemaVersion } from "#library/store/postgres/migrations.ts";
import { TABLES } from "#library/store/postgres/definitions.ts";
import { PostgresStore } from "#library/store/postgres/postgres_store.ts";
import { usingPostgres } from "../../../_postgres.ts";
import { makeSandbox, type Sandbox, spawnIn, writeFiles } from "../../../e2e/_program.ts";
import { KEY } from "../../../engine/index/_blob_forge.ts";
import { assertUserError } from "../../../foundation/boundary/helpers.ts";

/** Writes a configuration that keeps the folder as a collection in the schema. */
async function configure(
  { cwd, folder, env }: Sandbox,
  { url, password, schema }: StoreSettings,
  name: string,
) {
  const path = join(cwd, "config.yaml");
  env.TEST_PASSWORD = password!;
  await Deno.writeTextFile(
    path,
    `store: {provider: postgres, url: "${url}", password: "env:TEST_PASSWORD", schema: ${schema}}\n` +
      `collections: {${name}: {path: "${folder}"}}\n`,
  );
  return ["index", "--config", path];
}

function notes(from: number, to: number): Record<string, string> {
  const numbers = Array.from({ length: to - from }, (_, i) => from + i);
  return Object.fromEntries(
    numbers.map((i) => [`note ${String(i).padStart(4, "0")}.md`, `# Note ${i}\n\nLantern ${i}.\n`]),
  );
}

/** Connections of their own, as other processes have them. */
const ofProcess = (settings: StoreSettings, number: number) => databaseOf({ ...settings, pool: 10 + number });

Deno.test("four processes that start at once on no tables, or on those of an older program, all find the present ones", async () => {
  await usingPostgres(async (_, settings) => {
    const { schema } = settings, databases = [0, 1, 2, 3].map((number) => ofProcess(settings, number));
    const all = () => Promise.all(databases.map((db) => migrate(db, schema)));
    await all();
    const version = await schemaVersion(databases[0]!, schema);
    await databases[0]!.query(`drop schema ${quotedName(schema)} cascade`);
    await migrate(databases[0]!, schema, [TABLES]);
    equal(await schemaVersion(databases[0]!, schema), 1);
    await all();
    equal(await schemaVersion(databases[0]!, schema), version);
    await databases[0]!.query(`update ${quotedName(schema)}.meta set version = 1000`);
    await assertUserError(() => migrate(databases[1]!, schema), "store_newer");
    for (const db of databases) await db.close();
  });
});

Deno.test("four programs that index their folders into an empty database at once all succeed", async () => {
  await usingPostgres(async (_, settings) => {
    await using stack = new AsyncDisposableStack();
    const ended = await Promise.all(["a", "b", "c", "d"].map(async (name) => {
      const sandbox = stack.use(await makeSandbox(notes(0, 20)));
      return await sandbox.run(...await configure(sandbox, settings, name));
    }));
    deepEqual(ended.map(({ code, stderr }) => code === 0 ? "" : stderr), ["", "", "", ""]);
    const [row] = await databaseOf(settings).query<{ count: number }>(
      `select count(*)::integer as count from ${
        quotedName(settings.schema)
      }.collection where manifest is not null`,
    );
    equal(row!.count, 4);
  });
});

Deno.test("a writer that is killed leaves the index as it was, and the next one takes over; readers see published states only", async () => {
  await usingPostgres(async (_, settings) => {
    await using sandbox = await makeSandbox(notes(0, 50));
    const command = await configure(sandbox, settings, "notes");
    equal((await sandbox.run(...command)).code, 0);

    const db = ofProcess(settings, 0), seen = new Map<string, number>();
    const place = { database: db, schema: settings.schema, name: "notes", address: "", cacheBytes: 1 << 24 };
    const reader = new PostgresStore(sandbox.folder, place, KEY);
    const ending = new AbortController();
    const polling = (async () => {
      while (!ending.signal.aborted) {
        const loaded = await reader.open();
        ok(loaded.state === "ready", loaded.state);
        using index = loaded.index;
        const found = await index.documentFrequencies(["lantern"]);
        const state = `${index.files.length} files, ${found[0]} with the word`;
        seen.set(state, (seen.get(state) ?? 0) + 1);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    })();

    await writeFiles(sandbox.folder, notes(50, 450));
    const killed = spawnIn(sandbox, sandbox.start(command), "null");
    const schema = quotedName(settings.schema);
    while (true) {
      const held = await db.query(`select 1 from ${schema}.lease where work = 'index'`);
      if (held.length > 0) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    killed.kill("SIGKILL");
    await Promise.all([killed.stdout.cancel(), killed.stderr.cancel(), killed.status]);
    const began = performance.now();
    let next = await sandbox.run(...command);
    match(next.stderr, /另一个进程/);
    while (next.code !== 0 && performance.now() - began < 60_000) {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      next = await sandbox.run(...command);
    }
    equal(next.code, 0, next.stderr);
    await new Promise((resolve) => setTimeout(resolve, 300));
    ending.abort();
    await polling;
    deepEqual([...seen.keys()], ["50 files, 50 with the word", "450 files, 450 with the word"]);
    await db.close();
  });
});
