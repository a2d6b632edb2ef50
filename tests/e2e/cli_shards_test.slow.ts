/** A folder that is kept in two databases, each on a server of its own, by the program as a user runs it. */
import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { shardOf } from "#library/store/sharded/shard.ts";
import { startPglite, usingPglite } from "../_pglite.ts";
import { Way } from "../_way.ts";
import { makeSandbox } from "./_program.ts";

const FILES = Object.fromEntries(
  ["a.md", "b.md", "c.md", "d.md"].map((path) => [path, `Lanterns are lit at dusk in ${path}.\n`]),
);
const OF_FIRST = Object.keys(FILES).filter((path) => shardOf(path, 2) === 0);

Deno.test("a folder in two databases is searched as one, and a missing database is named", async () => {
  await usingPglite(async (first, { schema }) => {
    await using server = await startPglite();
    await using way = new Way(Number(new URL(server.url).port));
    const second = `postgres://postgres@127.0.0.1:${way.port}/postgres`;
    await using sandbox = await makeSandbox(FILES);
    const path = join(sandbox.cwd, "config.yaml");
    await Deno.writeTextFile(
      path,
      `language: en\nstore: {provider: postgres, urls: ["${first}", "${second}"], schema: ${schema}}\n` +
        `collections: {notes: {path: "${sandbox.folder}"}}\n`,
    );
    const config = ["--config", path];
    const found = async () => {
      const { code, stdout, stderr } = await sandbox.run`search ${"lanterns at dusk"} ${config} --json`;
      equal(code, 0, stderr);
      const { data } = JSON.parse(stdout);
      return { names: data.file_info.map((file: { file_name: string }) => file.file_name).sort(), stdout };
    };

    const indexed = await sandbox.run`index ${config}`;
    equal(indexed.code, 0, indexed.stderr);
    deepEqual((await found()).names, Object.keys(FILES));
    const whole = await sandbox.run`status ${config} --json`;
    equal(JSON.parse(whole.stdout).data.folders[0].chunks, 4, whole.stderr);

    way.cut();
    const { names, stdout } = await found();
    deepEqual(names, OF_FIRST);
    match(stdout, new RegExp(`A part of this collection was not searched.*127\\.0\\.0\\.1:${way.port}`));
    const status = await sandbox.run`status ${config}`;
    match(status.stdout, /A part of this collection was not searched/);
    match((await sandbox.run`doctor ${config}`).stdout, /only a part of it can be searched/);
    const refused = await sandbox.run`index ${config}`;
    equal(refused.code, 1, refused.stdout);
    match(refused.stderr, /cannot be reached/);

    way.open();
    await Deno.writeTextFile(join(sandbox.folder, "e.md"), "Lanterns go out at dawn.\n");
    equal((await sandbox.run`index ${config}`).code, 0);
    deepEqual((await found()).names, [...Object.keys(FILES), "e.md"]);
  });
});
