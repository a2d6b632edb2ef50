import { deepEqual, equal, ok } from "node:assert/strict";
import { dirname } from "node:path";
import { register, registered, registeredRoots, unregister } from "#foundation/registry.ts";
import { assertUserError, TempDir } from "./boundary/helpers.ts";
import { posixTest } from "../_posix.ts";

/** Counts the bytes that are read from files, asynchronously. */
class BytesRead implements Disposable {
  count = 0;
  readonly #read = Deno.FsFile.prototype.read;

  constructor() {
    const read = this.#read, add = (bytes: number) => this.count += bytes;
    Deno.FsFile.prototype.read = async function (buffer) {
      const bytes = await read.call(this, buffer);
      add(bytes ?? 0);
      return bytes;
    };
  }

  [Symbol.dispose](): void {
    Deno.FsFile.prototype.read = this.#read;
  }
}

Deno.test("registered folders are listed in order, once each, until they are removed", async () => {
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

Deno.test("registered() separates folders that are gone and damaged entries from the others", async () => {
  using dir = new TempDir();
  const state = dir.at("state");
  for (const name of ["a", "b", "c"]) {
    Deno.mkdirSync(dir.at(name));
    await register(state, dir.at(name));
  }
  const entries = [...Deno.readDirSync(dir.at("state/folders"))].map(({ name }) =>
    dir.at(`state/folders/${name}`)
  );
  const entryOf = (name: string) =>
    entries.find((entry) => JSON.parse(Deno.readTextFileSync(entry)).path === dir.at(name))!;
  const [gone, emptied] = [entryOf("b"), entryOf("c")];
  Deno.removeSync(dir.at("b"));
  Deno.writeTextFileSync(emptied, "");
  dir.write("state/folders/x.json", "{");
  dir.write("state/folders/y.json", '{"path":7}');
  dir.write("state/folders/z.json.123.tmp", "half");
  deepEqual(await registered(state), {
    roots: [dir.at("a")],
    gone: [{ path: dir.at("b"), entry: gone }],
    damaged: [emptied, dir.at("state/folders/x.json"), dir.at("state/folders/y.json")].sort(),
  });
  await register(state, dir.at("c"));
  deepEqual((await registered(state)).roots, [dir.at("a"), dir.at("c")]);
});

Deno.test("an entry of 3 GB is damaged, and not read", async () => {
  using dir = new TempDir();
  const state = dir.at("state");
  Deno.mkdirSync(dir.at("a"));
  await register(state, dir.at("a"));
  const large = dir.write("state/folders/large.json", JSON.stringify({ path: dir.at("a") }));
  Deno.truncateSync(large, 3 * 2 ** 30);
  using bytes = new BytesRead();
  deepEqual(await registered(state), { roots: [dir.at("a")], gone: [], damaged: [large] });
  ok(bytes.count < 200_000, String(bytes.count));
});

posixTest("a folder that was replaced by a link is not listed", async () => {
  using dir = new TempDir();
  Deno.mkdirSync(dir.at("a"));
  Deno.mkdirSync(dir.at("secret"));
  await register(dir.at("state"), dir.at("a"));
  Deno.removeSync(dir.at("a"));
  Deno.symlinkSync(dir.at("secret"), dir.at("a"));
  equal((await registeredRoots(dir.at("state"))).length, 0);
});

posixTest("links in the registry, or in its place, are not followed; its parents may be links", async () => {
  using dir = new TempDir();
  Deno.mkdirSync(dir.at("a"));
  Deno.mkdirSync(dir.at("real"));
  Deno.symlinkSync("real", dir.at("state"));
  const state = dir.at("state");
  await register(state, dir.at("a"));
  const planted = dir.write("planted.json", JSON.stringify({ path: dir.path }));
  Deno.symlinkSync(planted, dir.at("real/folders/planted.json"));
  deepEqual(await registeredRoots(state), [dir.at("a")]);

  Deno.renameSync(dir.at("real/folders"), dir.at("elsewhere"));
  Deno.symlinkSync(dir.at("elsewhere"), dir.at("real/folders"));
  for (
    const action of [
      () => registeredRoots(state),
      () => register(state, dir.path),
      () => unregister(state, dir.at("a")),
    ]
  ) {
    const error = await assertUserError(action, "data_folder_unsafe");
    deepEqual(error.params, { path: dir.at("state/folders") });
  }
  equal([...Deno.readDirSync(dir.at("elsewhere"))].length, 2);
});

posixTest("errors of an unreadable registry contain its path", async () => {
  using dir = new TempDir();
  const state = dir.at("x".repeat(300));
  const path = `${state}/folders`;
  const { params } = await assertUserError(() => registeredRoots(state), "file_unreadable");
  equal(params["path"], path);
  for (
    const action of [() => register(state, dir.path), () => unregister(state, dir.path)]
  ) {
    const { params } = await assertUserError(action, "data_folder_unwritable");
    equal(dirname(String(params["path"])), path);
  }
});
