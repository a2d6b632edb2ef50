import { deepEqual, equal, rejects } from "node:assert/strict";
import { lockModels } from "#models/install/model_location.ts";
import { OwnFolder } from "#foundation/boundary/mod.ts";
import { TempDir } from "../../foundation/boundary/helpers.ts";

Deno.test("lockModels() waits until the lock is released, and says once that it waits", async () => {
  using dir = new TempDir();
  const folder = new OwnFolder(dir.path);
  const { signal } = new AbortController();
  const events: string[] = [];
  const first = await lockModels(folder, signal, () => events.push("first waits"));
  const second = lockModels(folder, signal, () => {
    events.push("second waits");
    setTimeout(() => {
      events.push("released");
      first[Symbol.dispose]();
    }, 250);
  });
  (await second)[Symbol.dispose]();
  deepEqual(events, ["second waits", "released"]);
});

Deno.test("lockModels() ends with the reason of an abort while it waits", async () => {
  using dir = new TempDir();
  const folder = new OwnFolder(dir.path);
  using _first = await lockModels(folder, new AbortController().signal, () => {});
  const stop = new AbortController();
  const waiting = lockModels(folder, stop.signal, () => stop.abort(new Error("stopped by the user")));
  await rejects(waiting, /stopped by the user/);
  equal(Deno.readTextFileSync(dir.at("lock")), `${Deno.pid}\n`);
});
