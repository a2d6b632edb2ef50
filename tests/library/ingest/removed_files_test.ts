import { deepEqual, equal } from "node:assert/strict";
import { folderFiles, folderStatus } from "#library/ingest/mod.ts";
import { assertUserError } from "../../foundation/boundary/helpers.ts";
import { config, Place } from "./_place.ts";

const FILES = { "a.md": "Tea.", "notes/b.md": "Tea and milk.", "c.md": "Coffee." };

async function states(place: Place): Promise<string[]> {
  const { files } = await folderFiles(place.root, await config(), place.context);
  return files.map(({ path, state, detail = "" }) => `${path} ${state} ${detail}`.trim());
}

Deno.test("a file that was taken out stays out of every run, and stays in its folder", async () => {
  using place = await Place.indexed(FILES);
  await place.store.removed.add(new Set(["notes/b.md"]));
  equal((await folderStatus(place.root, await config(), place.context)).stale?.removed, 1);
  const { removed, files, skipped } = await place.ingest();
  deepEqual([removed, files, skipped], [1, 2, { removed: 1 }]);
  equal((await place.ingest({}, { full: true })).files, 2);
  deepEqual(await states(place), [
    "a.md indexed",
    "c.md indexed",
    "notes/b.md skipped taken out of the index by you",
  ]);
  equal(Deno.readTextFileSync(place.at("notes/b.md")), "Tea and milk.");
});

Deno.test("a file that was taken out is neither found nor read, also before the next run", async () => {
  using place = await Place.indexed(FILES);
  const library = await place.library();
  equal((await library.search({ query: "milk", mode: "keyword" })).hits.length, 1);
  await place.store.removed.add(new Set(["notes/b.md"]));
  deepEqual((await library.search({ query: "milk", mode: "keyword" })).hits, []);
  await assertUserError(() => library.readRawFile("notes/b.md"), "no_permission");
});

Deno.test("a file that is given back is indexed by the next run", async () => {
  using place = await Place.indexed(FILES);
  await place.store.removed.add(new Set(["notes/b.md"]));
  await place.ingest();
  await place.store.removed.delete(new Set(["notes/b.md"]));
  equal((await place.ingest()).new, 1);
  equal(place.dataFolder().includes("removed.json"), false);
});

Deno.test("a list that cannot be read stops a run and a search with what to do", async () => {
  using place = await Place.indexed(FILES);
  for (const text of ["{", '{"a.md": 1}', '["../a.md"]', "[1]"]) {
    Deno.writeTextFileSync(place.at(".muxue_rag/removed.json"), text);
    await assertUserError(() => place.ingest(), "removed_list_unusable");
  }
  const library = await place.library();
  await assertUserError(() => library.search({ query: "milk", mode: "keyword" }), "removed_list_unusable");
});
