/** Several programs that index one collection at once, into a real server. */
import { deepEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { databaseOf, quotedName, type StoreSettings } from "#library/store/postgres/database.ts";
import { PostgresStore } from "#library/store/postgres/postgres_store.ts";
import { KEY } from "../../../engine/index/_blob_forge.ts";
import { usingPostgres } from "../../../_postgres.ts";
import { makeSandbox, type Sandbox, spawnIn } from "../../../e2e/_program.ts";

const FILES = 2000;

const NOTES = Object.fromEntries(
  Array.from({ length: FILES }, (_, i) => [
    `part ${i % 7}/note ${String(i).padStart(4, "0")}.md`,
    `# Note ${i}\n\nLantern ${i}, lit by keeper ${i % 13}.\n`,
  ]),
);

/** Writes a configuration that keeps the folder in the database, as the collection `notes`. */
async function configure(sandbox: Sandbox, { url, password, schema }: StoreSettings): Promise<string[]> {
  const path = join(sandbox.cwd, "config.yaml");
  sandbox.env.TEST_PASSWORD = password!;
  await Deno.writeTextFile(
    path,
    `language: en\nstore: {provider: postgres, url: "${url}", password: "env:TEST_PASSWORD", schema: ${schema}}\n` +
      `collections: {notes: {path: "${sandbox.folder}"}}\n`,
  );
  return ["--config", path];
}

function storeOf(settings: StoreSettings, root: string) {
  const database = databaseOf({ ...settings, pool: 11 });
  const place = { database, schema: settings.schema, name: "notes", address: "", cacheBytes: 1 << 24 };
  return { database, store: new PostgresStore(root, place, KEY) };
}

/** Returns the hits of questions with many ties. */
async function answers(sandbox: Sandbox, config: readonly string[]): Promise<unknown[]> {
  const found = [];
  for (const question of ["lantern 1234", "keeper 7", "lit lanterns"]) {
    const { code, stdout, stderr } = await sandbox.run`search ${question} ${config} --json`;
    equal(code, 0, stderr);
    const { configuration: _, stats: __, ...answer } = JSON.parse(stdout).data;
    found.push(answer);
  }
  return found;
}

for (const victim of ["a helper", "the one that divided the run"]) {
  Deno.test(`four programs index 2,000 files together, and nothing is lost or twice when ${victim} is killed`, async () => {
    await usingPostgres(async (_, settings) => {
      await using sandbox = await makeSandbox(NOTES);
      const config = await configure(sandbox, settings);
      const { database, store } = storeOf(settings, sandbox.folder);
      const schema = quotedName(settings.schema);
      const start = () => spawnIn(sandbox, sandbox.start(["index", ...config]), "null");
      const jobs = async () => {
        try {
          const [row] = await database.query<{ open: number; held: number }>(
            `select count(*)::integer as open, count(owner)::integer as held from ${schema}.job`,
          );
          return row!;
        } catch {
          return { open: 0, held: 0 };
        }
      };
      const until = async (is: () => Promise<boolean>) => {
        while (!await is()) await new Promise((resolve) => setTimeout(resolve, 10));
      };

      const seen = new Set<number>(), ending = new AbortController();
      const polling = (async () => {
        while (!ending.signal.aborted) {
          const loaded = await store.open();
          if (loaded.state !== "missing") {
            ok(loaded.state === "ready", loaded.state);
            using index = loaded.index;
            const { 0: found } = await index.documentFrequencies(["lantern"]);
            equal(found, index.files.length);
            equal(new Set(index.files.map(({ path }) => path)).size, index.files.length);
            seen.add(index.files.length);
          }
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      })();

      const first = start();
      await until(async () => (await jobs()).open > 0);
      const others = [start(), start(), start()];
      await until(async () => (await jobs()).held > 2);
      const killed = victim === "a helper" ? others[0]! : first;
      killed.kill("SIGKILL");
      const ended = await Promise.all([first, ...others].map(async (child) => {
        const { code, stderr } = await child.output();
        return child === killed ? undefined : { code, stderr: new TextDecoder().decode(stderr) };
      }));
      for (const one of ended) if (one !== undefined) equal(one.code, 0, one.stderr);
      ok(ended.some((one) => one?.stderr.includes("takes a share of the new files")));
      ending.abort();
      await polling;
      ok(seen.has(FILES));

      deepEqual(await jobs(), { open: 0, held: 0 });
      const loaded = await store.open();
      ok(loaded.state === "ready");
      using index = loaded.index;
      deepEqual(index.files.map(({ path }) => path), Object.keys(NOTES).sort());
      match(
        (await sandbox.run`index ${config}`).stdout,
        /2,?000/,
      );

      const alone = ["--config", join(sandbox.cwd, "alone.yaml")];
      await Deno.writeTextFile(
        alone[1]!,
        `language: en\ncollections: {alone: {path: "${sandbox.folder}"}}\n`,
      );
      equal((await sandbox.run`index ${alone}`).code, 0);
      deepEqual(await answers(sandbox, config), await answers(sandbox, alone));
      await database.close();
    });
  });
}
