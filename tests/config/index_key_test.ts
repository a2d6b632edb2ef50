import { deepEqual, equal, notDeepEqual } from "node:assert/strict";
import { indexKeyIn } from "../../lib/config/mod.ts";
import { assertUserError, IS_ROOT, ON_WINDOWS, TempDir } from "../sandbox/helpers.ts";

Deno.test("the key of the indexes is made once, by the first run that writes one", async () => {
  using temp = new TempDir();
  const state = temp.at("state");
  notDeepEqual(await indexKeyIn(state, { create: false }), await indexKeyIn(state, { create: false }));
  const keys = await Promise.all(Array.from({ length: 5 }, () => indexKeyIn(state, { create: true })));
  for (const key of keys) deepEqual(key, keys[0]);
  deepEqual(await indexKeyIn(state, { create: false }), keys[0]);
});

Deno.test("a damaged key of the indexes is told with what becomes of them, and stays as it is", async () => {
  using temp = new TempDir();
  const path = temp.write("index.key", "too short");
  if (!ON_WINDOWS) await Deno.chmod(path, 0o600);
  for (const create of [false, true]) {
    const error = await assertUserError(() => indexKeyIn(temp.path, { create }), "index_key_damaged");
    deepEqual(error.params, { path, size: 9, expected: 32 });
  }
  equal(await Deno.readTextFile(path), "too short");
});

Deno.test("a key of the indexes that cannot be made is told with the state folder", async () => {
  using temp = new TempDir();
  temp.write("file", "");
  // a folder cannot be made below a file
  await assertUserError(() => indexKeyIn(temp.at("file/state"), { create: true }), "index_key_unwritable");
});

Deno.test("a key of the indexes that its owner cannot read is told as such", {
  ignore: ON_WINDOWS || IS_ROOT,
}, async () => {
  using temp = new TempDir();
  await Deno.chmod(temp.write("index.key", "k".repeat(32)), 0o000);
  await assertUserError(() => indexKeyIn(temp.path, { create: true }), "index_key_unreadable");
});
