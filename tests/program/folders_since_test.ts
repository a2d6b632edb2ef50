import { deepEqual } from "node:assert/strict";
import { foldersSince } from "#program/commands/serve/serve.ts";
import { NO_LOG } from "#foundation/log.ts";
import { register } from "#foundation/registry.ts";
import { ON_WINDOWS, TempDir } from "../foundation/boundary/helpers.ts";

Deno.test("foldersSince() returns only the folders that were indexed after the start", async () => {
  using dir = new TempDir();
  await register(dir.path, dir.at("before"));
  const added = foldersSince({ stateDir: dir.path, log: NO_LOG });
  deepEqual(await added(), []);
  await register(dir.path, dir.at("after"));
  deepEqual(await added(), [dir.at("after")]);
});

Deno.test(
  "an unreadable list of folders is only logged, and is read again later",
  {
    ignore: ON_WINDOWS,
  },
  async () => {
    using dir = new TempDir();
    await register(dir.at("state"), dir.at("before"));
    const events: string[] = [];
    const log = { ...NO_LOG, warning: (event: string) => void events.push(event) };
    const added = foldersSince({ stateDir: dir.at("state"), log });
    deepEqual(await added(), []);
    await register(dir.at("state"), dir.at("after"));
    Deno.renameSync(dir.at("state/folders"), dir.at("elsewhere"));
    Deno.symlinkSync(dir.at("elsewhere"), dir.at("state/folders"));
    deepEqual(await added(), []);
    Deno.removeSync(dir.at("state/folders"));
    Deno.renameSync(dir.at("elsewhere"), dir.at("state/folders"));
    deepEqual([await added(), events], [[dir.at("after")], ["serve.registry_unreadable"]]);
  },
);
