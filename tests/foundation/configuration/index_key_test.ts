import { deepEqual, equal, notDeepEqual } from "node:assert/strict";
import { indexKeyIn } from "#foundation/configuration/mod.ts";
import { assertUserError, IS_ROOT, ON_WINDOWS, TempDir } from "../boundary/helpers.ts";

Deno.test("indexKeyIn() creates the key once, and concurrent runs get the same key", async () => {
  using temp = new TempDir();
  const state = temp.at("state");
  notDeepEqual(await indexKeyIn(state, { create: false }), await indexKeyIn(state, { create: false }));
  const keys = await Promise.all(Array.from({ length: 5 }, () => indexKeyIn(state, { create: true })));
  for (const key of keys) deepEqual(key, keys[0]);
  deepEqual(await indexKeyIn(state, { create: false }), keys[0]);
});

Deno.test("indexKeyIn() reports a damaged key and does not replace it", async () => {
  using temp = new TempDir();
  const path = temp.write("index.key", "too short");
  if (!ON_WINDOWS) await Deno.chmod(path, 0o600);
  for (const create of [false, true]) {
    const error = await assertUserError(() => indexKeyIn(temp.path, { create }), "index_key_damaged");
    deepEqual(error.params, { path, size: 9, expected: 32 });
  }
  equal(await Deno.readTextFile(path), "too short");
});

Deno.test("indexKeyIn() reports a key that cannot be created", async () => {
  using temp = new TempDir();
  temp.write("file", "");
  // A folder cannot be created below a file.
  await assertUserError(() => indexKeyIn(temp.at("file/state"), { create: true }), "index_key_unwritable");
});

Deno.test("indexKeyIn() reports a key that its owner cannot read", {
  ignore: ON_WINDOWS || IS_ROOT,
}, async () => {
  using temp = new TempDir();
  await Deno.chmod(temp.write("index.key", "k".repeat(32)), 0o000);
  await assertUserError(() => indexKeyIn(temp.path, { create: true }), "index_key_unreadable");
});
