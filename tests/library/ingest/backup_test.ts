import { deepEqual, equal, match, ok } from "node:assert/strict";
import { dirname } from "node:path";
import { type BackupFile, backupIndex, cleanIndex, folderStatus, restoreIndex } from "#library/ingest/mod.ts";
import { registeredRoots } from "#foundation/registry.ts";
import { assertUserError } from "../../foundation/boundary/helpers.ts";
import { config, indexPath, Place } from "./_place.ts";
import { KEY, ofFormat } from "../../engine/index/_blob_forge.ts";

const failed = { path: "bad.txt", content: Uint8Array.fromHex("fffe0000610000006200000063000000") };

/** A place with an index of two files, and a third that failed. */
async function indexed(): Promise<Place> {
  const place = new Place();
  place.write({ "a.txt": "alpha", "b.txt": "beta", [failed.path]: failed.content });
  await place.ingest();
  return place;
}

/** The file that a backup becomes at a path beside the folder. */
function fileAt(place: Place, name: string): BackupFile {
  const path = place.beside(name);
  return { path, temporary: `${path}.tmp` };
}

Deno.test("a backup is a copy of the index at the given path, whose folder is created", async () => {
  using place = await indexed();
  const file = fileAt(place, "new folder/my backup");
  const folder = dirname(file.path);
  const bytes = place.indexBytes();
  deepEqual(await backupIndex(place.store, { ...file, folder }, place.context), {
    path: file.path,
    bytes: bytes.length,
  });
  deepEqual(Deno.readFileSync(file.path), bytes);
  deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name), ["my backup"]);
});

Deno.test("a backup overwrites no file and needs an undamaged index", async () => {
  using place = await indexed();
  const taken = fileAt(place, "taken");
  Deno.writeTextFileSync(taken.path, "precious");
  const error = await assertUserError(() => backupIndex(place.store, taken, place.context), "backup_exists");
  deepEqual(error.params, { path: taken.path });
  equal(Deno.readTextFileSync(taken.path), "precious");

  const inFile = fileAt(place, "taken/x");
  for (const file of [inFile, { ...inFile, folder: taken.path }]) {
    const error = await assertUserError(() => backupIndex(place.store, file, place.context), "backup_failed");
    equal(error.params["path"], inFile.path);
  }

  const fresh = fileAt(place, "new");
  const bytes = place.indexBytes();
  bytes[4096]! ^= 1;
  Deno.writeFileSync(indexPath(place.root), bytes);
  await assertUserError(() => backupIndex(place.store, fresh, place.context), "index_not_ready");
  Deno.removeSync(indexPath(place.root));
  await assertUserError(() => backupIndex(place.store, fresh, place.context), "index_not_ready");
  deepEqual([...Deno.readDirSync(dirname(place.root))].some(({ name }) => name.startsWith("new")), false);
});

Deno.test("a restored index equals the one that was backed up, and the next run updates it", async () => {
  using place = await indexed();
  const backup = place.beside("backup");
  await backupIndex(place.store, fileAt(place, "backup"), place.context);
  await cleanIndex(place.store, place.context);
  deepEqual(await restoreIndex(place.store, backup, place.context), { files: 2, chunks: 2, present: 2 });
  deepEqual(place.indexBytes(), Deno.readFileSync(backup));
  deepEqual(place.dataFolder(), [".gitignore", "index.bin", "lock"]);
  deepEqual(await registeredRoots(place.context.stateDir), [place.root]);
  equal((await place.ingest()).unchanged, 2);
});

Deno.test("a damaged backup or another file is refused, and the index stays as it is", async () => {
  using place = await indexed();
  const backup = place.beside("backup");
  await backupIndex(place.store, fileAt(place, "backup"), place.context);
  const good = Deno.readFileSync(backup);
  const before = place.indexBytes();
  for (
    const [bytes, problem] of [
      [good.map((byte, at) => at === 4096 ? byte ^ 1 : byte), /checksum of bytes 4096/],
      [good.map((byte, at) => at === good.length - 1 ? byte ^ 1 : byte), /checksum of the block table/],
      [good.subarray(0, good.length - 64), /length of the file/],
      [new TextEncoder().encode("hello"), /too few/],
    ] as const
  ) {
    Deno.writeFileSync(backup, bytes);
    const error = await assertUserError(
      () => restoreIndex(place.store, backup, place.context),
      "backup_unreadable",
    );
    match(String(error.params["error"]), problem);
    deepEqual(place.indexBytes(), before);
    deepEqual(place.dataFolder(), [".gitignore", "index.bin", "lock"]);
  }
  await assertUserError(
    () => restoreIndex(place.store, place.beside("none"), place.context),
    "backup_unreadable",
  );
});

Deno.test("restore and clean fail while an indexing run holds the lock", async () => {
  using place = await indexed();
  const backup = place.beside("backup");
  await backupIndex(place.store, fileAt(place, "backup"), place.context);
  await using _lock = await place.store.lock();
  await assertUserError(() => restoreIndex(place.store, backup, place.context), "index_busy");
  await assertUserError(() => cleanIndex(place.store, place.context), "index_busy");
  equal(await place.store.exists(), true);
  deepEqual(await registeredRoots(place.context.stateDir), [place.root]);
});

Deno.test("clean removes only the data folder, and the folder from the registry", async () => {
  using place = await indexed();
  equal(await place.store.exists(), true);
  equal(await cleanIndex(place.store, place.context), true);
  deepEqual([...Deno.readDirSync(place.root)].map(({ name }) => name).sort(), ["a.txt", "b.txt", "bad.txt"]);
  deepEqual(await registeredRoots(place.context.stateDir), []);
  equal(await place.store.exists(), false);
  equal(await cleanIndex(place.store, place.context), false);
});

Deno.test("status reports what is indexed, what failed and what is stale", async () => {
  const before = Date.now();
  using place = await indexed();
  const after = Date.now();
  const { indexedAt, terms, textBytes, indexBytes, ...rest } = await folderStatus(
    place.root,
    await config(),
    { indexKey: KEY },
  );
  deepEqual(rest, {
    root: place.root,
    state: "ready",
    files: 2,
    chunks: 2,
    model: "builtin/1",
    dimensions: 96,
    failed: [{ path: "bad.txt", reason: "Unsupported file encoding" }],
    unread: [{ reason: "unsupported_encoding", count: 1, paths: ["bad.txt"] }],
    skipped: {},
    stale: { new: 0, changed: 0, removed: 0 },
    busy: false,
  });
  ok(indexedAt!.getTime() >= before && indexedAt!.getTime() <= after, indexedAt!.toISOString());
  // alpha, beta, and the words of the files' names
  deepEqual([terms, textBytes, indexBytes], [4, 9, place.indexBytes().length]);

  place.write({ "c.txt": "new", "d.txt": "", "b.txt": "beta, changed" });
  Deno.removeSync(place.at("a.txt"));
  Deno.removeSync(place.at("bad.txt"));
  const { stale, skipped } = await folderStatus(place.root, await config(), { indexKey: KEY });
  deepEqual({ stale, skipped }, { stale: { new: 1, changed: 1, removed: 1 }, skipped: { empty: 1 } });
  const other = await folderStatus(place.root, await config({ chunking: { chunks_per_file: 2 } }), {
    indexKey: KEY,
  });
  equal(
    other.detail,
    "The index was made with another value of chunking.chunks_per_file, so it must be rebuilt",
  );
});

Deno.test("status reports a missing and a damaged index, and writes nothing", async () => {
  using place = new Place();
  deepEqual(await folderStatus(place.root, await config(), { indexKey: KEY }), {
    root: place.root,
    state: "missing",
    busy: false,
  });
  deepEqual([...Deno.readDirSync(place.root)], []);
  await place.ingest();
  Deno.writeTextFileSync(indexPath(place.root), "no index");
  deepEqual(await folderStatus(place.root, await config(), { indexKey: KEY }), {
    root: place.root,
    state: "damaged",
    detail: "The index is damaged (8 bytes are too few for a header) and must be rebuilt",
    busy: false,
  });
  equal(Deno.readTextFileSync(indexPath(place.root)), "no index");
});

Deno.test("an index of another version is reported, not searched, backed up or restored, and rebuilt by the next run", async () => {
  using place = await indexed();
  const backup = place.beside("backup");
  Deno.writeFileSync(indexPath(place.root), ofFormat(99, place.indexBytes()));
  Deno.copyFileSync(indexPath(place.root), backup);
  const detail = "The index was made by another version (format 99, wanted 2) and must be rebuilt";
  deepEqual(await folderStatus(place.root, await config(), { indexKey: KEY }), {
    root: place.root,
    state: "outdated",
    detail,
    busy: false,
  });
  await assertUserError(
    () => backupIndex(place.store, fileAt(place, "new"), place.context),
    "index_not_ready",
  );
  const refused = await assertUserError(
    () => restoreIndex(place.store, backup, place.context),
    "backup_unreadable",
  );
  equal(refused.params["error"], "format 99, wanted 2");
  const library = await place.library();
  await assertUserError(() => library.search({ query: "alpha" }), "index_not_ready");
  const { full, rebuildReason, new: added } = await place.ingest();
  deepEqual({ full, rebuildReason, added }, { full: true, rebuildReason: detail, added: 2 });
  equal((await library.search({ query: "alpha", mode: "keyword" })).hits.length, 1);
});

Deno.test("restore counts the files of a backup that are in the folder", async () => {
  using place = new Place();
  using other = new Place();
  place.write({ "a.txt": "alpha", "b.txt": "beta" });
  other.write({ "b.txt": "something else" });
  await place.ingest();
  const { path } = await backupIndex(place.store, fileAt(place, "backup"), place.context);
  deepEqual(await restoreIndex(other.store, path, other.context), {
    files: 2,
    chunks: 2,
    present: 1,
    madeFor: place.root,
  });
});

Deno.test("status finds damage that only a check of every byte can find", async () => {
  using place = await Place.indexed({ "a.txt": "alpha" });
  const bytes = place.indexBytes();
  bytes[4096]! ^= 1;
  Deno.writeFileSync(indexPath(place.root), bytes);
  equal((await folderStatus(place.root, await config(), { indexKey: KEY })).state, "damaged");
});
