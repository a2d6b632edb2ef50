/** Which indexes are trusted: see `lib/engine/index/blob/format.ts`. */
import { deepEqual, equal, match } from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { IndexReader } from "#engine/index/mod.ts";
import {
  backupIndex,
  type FolderStatus,
  folderStatus,
  ingest,
  makeNeuralVectors,
  restoreIndex,
} from "#library/ingest/mod.ts";
import { serverModels } from "#models/embedding/mod.ts";
import { shellWord } from "#foundation/messages/mod.ts";
import { openLibrary } from "#library/search/mod.ts";
import { changedJson, KEY, withSections } from "../../engine/index/_blob_forge.ts";
import { assertUserError } from "../../foundation/boundary/helpers.ts";
import { config, indexPath, Place, setTime, storeAt } from "./_place.ts";
import { numbered, RemotePlace } from "./_remote_place.ts";

const OTHER_KEY = new Uint8Array(32).fill(9);

/** Returns the first line of each passage that a search finds, or the key of its error. */
async function found(root: string, query: string): Promise<string[] | string> {
  const library = openLibrary([root], await config(), { key: KEY });
  try {
    return (await library.search({ query, mode: "keyword" })).hits.map(({ content }) =>
      content.split("\n")[0]!
    );
  } catch (error) {
    return (error as { key: string }).key;
  } finally {
    library.close();
  }
}

async function stateOf(root: string): Promise<FolderStatus["state"]> {
  return (await folderStatus(root, await config(), { indexKey: KEY })).state;
}

/** Returns an index of `texts` with the sizes, times and hashes of the files in `honest`, sealed with `key`. */
async function forgedFor(honest: Place, texts: Record<string, string>, key: Uint8Array): Promise<Uint8Array> {
  using liar = new Place("liar");
  liar.write(texts);
  await ingest(liar.root, await config(), liar.context);
  const blob = liar.indexBytes();
  const truth = (path: string) => {
    const { size, mtime } = Deno.statSync(honest.at(path));
    const sha256 = createHash("sha256").update(Deno.readFileSync(honest.at(path))).digest("hex");
    return { size, mtimeMs: mtime!.getTime(), sha256 };
  };
  return withSections(blob, {
    ...changedJson(
      blob,
      "files",
      (files) => files.map((file: { path: string }) => ({ ...file, ...truth(file.path) })),
    ),
    ...changedJson(blob, "meta", (meta) => ({ ...meta, root: honest.root })),
  }, key);
}

Deno.test("an index that came with the folder is not searched, and is rebuilt by the first run", async () => {
  using place = new Place();
  place.write({ "pay.txt": "pay to account 111" });
  const forged = await forgedFor(place, { "pay.txt": "pay to account 666" }, OTHER_KEY);
  place.write({ ".muxue_rag/index.bin": forged });
  equal(await stateOf(place.root), "foreign");
  equal(await found(place.root, "account"), "index_not_ready");
  const { full, rebuildReason, new: added } = await place.ingest();
  deepEqual([full, added], [true, 1]);
  match(rebuildReason!, /not made by this installation .* index\.key/);
  deepEqual(await found(place.root, "account"), ["pay to account 111"]);
  equal(await stateOf(place.root), "ready");
});

Deno.test("a folder without a trusted index is named, and the other folders answer", async () => {
  using place = new Place();
  for (const name of ["ours", "moved", "theirs"]) {
    place.write({ [`${name}/a.txt`]: `an apple of ${name}` });
    const indexKey = name === "theirs" ? OTHER_KEY : KEY;
    await ingest(place.at(name), await config(), { ...place.context, indexKey });
  }
  Deno.renameSync(place.at("moved"), place.at("new name"));
  const roots = ["ours", "new name", "theirs"].map((name) => place.at(name));
  const library = openLibrary(roots, await config(), { key: KEY });
  const { hits, notices } = await library.search({ query: "apple" });
  library.close();
  deepEqual(hits.map(({ content }) => content), ["an apple of ours"]);
  const notice = (root: string) =>
    `The index of ${root} was made elsewhere or for another folder. It is not trusted, so the folder was not ` +
    `searched. Run: muxue_rag --dir ${shellWord(root)}`;
  deepEqual(notices, roots.slice(1).map(notice));
});

Deno.test("a moved folder keeps the text of files with the same content, whatever their sizes and times", async () => {
  using place = new Place("before");
  place.write({ "a.txt": "alpha one", "b.txt": "beta one", "gone.txt": "gone" });
  for (const name of ["a.txt", "b.txt", "gone.txt"]) setTime(place.at(name), 0);
  await place.ingest();
  const moved = place.beside("after");
  Deno.renameSync(place.root, moved);
  Deno.removeSync(join(moved, "gone.txt"));
  Deno.writeTextFileSync(join(moved, "b.txt"), "beta two");
  setTime(join(moved, "b.txt"), 0);
  equal(await stateOf(moved), "moved");
  equal(await found(moved, "beta"), "index_not_ready");
  const summary = await ingest(moved, await config(), place.context);
  deepEqual(
    [summary.full, summary.unchanged, summary.changed, summary.removed, summary.written],
    [false, 1, 1, 1, true],
  );
  match(summary.warnings!.join(), /made for another folder \(made for .*before\)/);
  deepEqual(await found(moved, "beta"), ["beta two"]);
  deepEqual(await found(moved, "gone"), []);
  equal(await stateOf(moved), "ready");
  equal((await ingest(moved, await config(), place.context)).written, false);
});

Deno.test("an empty folder that was moved is ready after the next run", async () => {
  using place = new Place("before");
  await place.ingest();
  const moved = place.beside("after");
  Deno.renameSync(place.root, moved);
  equal((await ingest(moved, await config(), place.context)).written, true);
  equal(await stateOf(moved), "ready");
});

Deno.test("an index of another folder is not searched", async () => {
  using honest = new Place("honest");
  using other = new Place("other");
  honest.write({ "a.txt": "pay to account 111" });
  other.write({ "a.txt": "pay to account 666" });
  for (const place of [honest, other]) setTime(place.at("a.txt"), 0);
  await honest.ingest();
  await other.ingest();
  Deno.copyFileSync(indexPath(other.root), indexPath(honest.root));
  equal(await found(honest.root, "account"), "index_not_ready");
  equal((await honest.ingest()).changed, 1);
  deepEqual(await found(honest.root, "account"), ["pay to account 111"]);
});

Deno.test("a moved folder requests no vectors, a folder of another installation requests all", async () => {
  await using remote = await RemotePlace.open(numbered(6));
  await remote.ingest();
  remote.sent();
  const moved = remote.place.beside("moved");
  Deno.renameSync(remote.root, moved);
  const { unchanged, rebuildReason } = await ingest(moved, await remote.config(), remote.place.context);
  const models = serverModels((await remote.config()).embedding)!;
  const embed = (key: Uint8Array<ArrayBuffer>) => makeNeuralVectors(storeAt(moved, key), models);
  await embed(KEY);
  deepEqual([unchanged, rebuildReason, remote.sent()], [6, undefined, []]);
  // vectors of another installation are not kept
  const foreign = { ...remote.place.context, indexKey: OTHER_KEY };
  equal((await ingest(moved, await remote.config(), foreign)).full, true);
  await embed(OTHER_KEY);
  equal(remote.sent().length, 6);
});

Deno.test("an index with paths that lead out of the folder counts as damaged, even with a valid seal", async () => {
  using place = await Place.indexed({ "a.txt": "alpha" });
  const good = place.indexBytes();
  for (const path of ["../../etc/passwd", "/etc/passwd", "a/../../b", "./a.txt", "a//b", "", "..", "a\0b"]) {
    const files = changedJson(good, "files", ([file]) => [{ ...file, path }]);
    Deno.writeFileSync(indexPath(place.root), withSections(good, files));
    equal(await stateOf(place.root), "damaged", path);
    equal(await found(place.root, "alpha"), "index_not_ready", path);
    match((await place.ingest()).rebuildReason!, /path of file 0/);
    deepEqual(await found(place.root, "alpha"), ["alpha"]);
  }
});

Deno.test("an index without the vectors of its settings is rebuilt by the next run that changes it", async () => {
  using place = await Place.indexed({ "a.txt": "an apple" });
  const path = indexPath(place.root);
  Deno.writeFileSync(path, withSections(place.indexBytes(), { "vector.meta": undefined }));
  place.write({ "b.txt": "a pear" });
  const { full, rebuildReason, files } = await place.ingest();
  deepEqual({ full, rebuildReason, files }, {
    full: true,
    rebuildReason: "The index is damaged (vectors are missing) and must be rebuilt",
    files: 2,
  });
  using reader = IndexReader.open(Deno.openSync(path), { key: KEY });
  equal(reader.vectors === undefined, false);
});

Deno.test("a backup of another installation is refused with the path of the key", async () => {
  using place = await Place.indexed({ "a.txt": "alpha" });
  const path = place.beside("backup");
  await backupIndex(place.store, { path, temporary: `${path}.tmp` }, place.context);
  const before = place.indexBytes();
  const here = { ...place.context, indexKey: OTHER_KEY };
  const { params } = await assertUserError(
    () => restoreIndex(storeAt(place.root, OTHER_KEY), path, here),
    "backup_foreign",
  );
  deepEqual(params, { path, key: join(here.stateDir, "index.key") });
  deepEqual(place.indexBytes(), before);
});

Deno.test("a restored backup of another folder is compared with the files before it is searched", async () => {
  using place = new Place("one");
  using other = new Place("two");
  place.write({ "a.txt": "alpha one" });
  other.write({ "a.txt": "alpha two" });
  for (const each of [place, other]) setTime(each.at("a.txt"), 0);
  await place.ingest();
  const path = place.beside("backup");
  await backupIndex(place.store, { path, temporary: `${path}.tmp` }, place.context);
  equal((await restoreIndex(other.store, path, other.context))!.madeFor, place.root);
  equal(await found(other.root, "alpha"), "index_not_ready");
  await other.ingest();
  deepEqual(await found(other.root, "alpha"), ["alpha two"]);
});
