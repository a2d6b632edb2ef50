import { deepEqual, equal } from "node:assert/strict";
import { register, registeredRoots, unregister } from "../../lib/store/registry.ts";
import { ON_WINDOWS, TempDir } from "../sandbox/helpers.ts";

Deno.test("directories are remembered in order, once each, until they are forgotten", async () => {
  using dir = new TempDir();
  const state = dir.at("new/state");
  deepEqual(await registeredRoots(state), []);
  const roots = ["c", "a", "目录 b"].map((name) => dir.at(name));
  for (const root of roots) Deno.mkdirSync(root);
  await Promise.all([...roots, roots[0]!].map((root) => register(state, root)));
  deepEqual(await registeredRoots(state), [...roots].sort());
  await unregister(state, roots[0]!);
  await unregister(state, roots[0]!);
  deepEqual(await registeredRoots(state), roots.slice(1).sort());
});

Deno.test("directories that are gone, and entries that are damaged, are passed over", async () => {
  using dir = new TempDir();
  const state = dir.at("state");
  Deno.mkdirSync(dir.at("a"));
  Deno.mkdirSync(dir.at("b"));
  await register(state, dir.at("a"));
  await register(state, dir.at("b"));
  Deno.removeSync(dir.at("b"));
  dir.write("state/folders/x.json", "{");
  dir.write("state/folders/y.json", '{"path":7}');
  dir.write("state/folders/z.json.123.tmp", "half");
  deepEqual(await registeredRoots(state), [dir.at("a")]);
});

Deno.test("a directory that has become a link to another is not served", { ignore: ON_WINDOWS }, async () => {
  using dir = new TempDir();
  Deno.mkdirSync(dir.at("a"));
  Deno.mkdirSync(dir.at("secret"));
  await register(dir.at("state"), dir.at("a"));
  Deno.removeSync(dir.at("a"));
  Deno.symlinkSync(dir.at("secret"), dir.at("a"));
  equal((await registeredRoots(dir.at("state"))).length, 0);
});
