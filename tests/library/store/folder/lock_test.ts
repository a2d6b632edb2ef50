import { deepEqual, equal, rejects } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { FolderStore } from "#library/store/folder/folder_store.ts";
import { folderStatus } from "#library/ingest/mod.ts";
import { assertUserError, ON_WINDOWS } from "../../../foundation/boundary/helpers.ts";
import { config, Place } from "../../ingest/_place.ts";
import { KEY } from "../../../engine/index/_blob_forge.ts";

/** A process that takes the writer lock of `root` and holds it until it is killed. */
async function holder(place: Place): Promise<Deno.ChildProcess> {
  const script = place.beside("hold.ts");
  const module = new URL("../../../../lib/library/store/folder/folder_store.ts", import.meta.url).href;
  const project = fileURLToPath(new URL("../../../../deno.json", import.meta.url));
  Deno.writeTextFileSync(
    script,
    `import { FolderStore } from ${JSON.stringify(module)};
     const lock = await new FolderStore(${JSON.stringify(place.root)}, new Uint8Array(32)).lock();
     console.log("held");
     setTimeout(() => lock[Symbol.asyncDispose](), 60_000);`,
  );
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-check", "--no-prompt", "--config", project, "-A", script],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  for await (const _ of child.stdout) break;
  return child;
}

Deno.test("lock() throws index_busy with the writer's process number, and kill -9 of the writer frees the lock", async () => {
  using place = await Place.indexed({ "a.txt": "alpha" });
  const before = place.indexBytes();
  place.write({ "b.txt": "beta" });
  const child = await holder(place);
  try {
    const error = await assertUserError(() => place.ingest(), "index_busy");
    const pid = Deno.build.os === "windows" ? "?" : String(child.pid);
    deepEqual(error.params, { pid, path: place.root });
    deepEqual(place.indexBytes(), before);
    equal((await folderStatus(place.root, await config(), { indexKey: KEY })).busy, true);
  } finally {
    child.kill("SIGKILL");
    await child.status;
  }
  equal((await folderStatus(place.root, await config(), { indexKey: KEY })).busy, false);
  equal((await place.ingest()).new, 1);
});

Deno.test("the lock is held until it is released, within one process too", async () => {
  using place = new Place();
  await place.ingest();
  equal(await place.store.isLocked(), false);
  {
    await using _lock = await place.store.lock();
    equal(await place.store.isLocked(), true);
    const error = await assertUserError(() => place.store.lock(), "index_busy");
    equal(error.params["path"], place.root);
    await assertUserError(() => place.ingest(), "index_busy");
  }
  equal(await place.store.isLocked(), false);
  await (await place.store.lock())[Symbol.asyncDispose]();
});

Deno.test("isLocked() is false for a folder without an index", async () => {
  using place = new Place();
  equal(await place.store.isLocked(), false);
});

Deno.test("isLocked() does not keep a writer from starting", async () => {
  using place = new Place();
  await place.ingest();
  const looks = Array.from({ length: 50 }, () => place.store.isLocked());
  let taken = 0;
  for (; taken < 20; taken++) await (await place.store.lock())[Symbol.asyncDispose]();
  await Promise.all(looks);
  deepEqual([taken, await place.store.isLocked()], [20, false]);
});

Deno.test("a lock file with a second name is replaced before the writer's number is written into it", {
  ignore: ON_WINDOWS,
}, async () => {
  using place = new Place();
  await place.ingest();
  Deno.writeTextFileSync(place.beside("precious"), "precious");
  Deno.removeSync(place.at(".muxue_rag/lock"));
  Deno.linkSync(place.beside("precious"), place.at(".muxue_rag/lock"));
  await using lock = await place.store.lock();
  deepEqual(lock.takenAway, [{ path: place.at(".muxue_rag/lock") }]);
  equal(Deno.readTextFileSync(place.at(".muxue_rag/lock")), `${Deno.pid}\n`);
  equal(Deno.readTextFileSync(place.beside("precious")), "precious");
});

Deno.test("lock() releases the lock when the leftovers of killed processes cannot be listed", async () => {
  using place = new Place();
  const store = new FolderStore(place.root, KEY);
  const { readDirSync } = Deno;
  Deno.readDirSync = () => {
    throw new Deno.errors.PermissionDenied("no access");
  };
  try {
    await rejects(store.lock(), Deno.errors.PermissionDenied);
  } finally {
    Deno.readDirSync = readDirSync;
  }
  await using _lock = await store.lock();
  equal(await store.isLocked(), true);
});
