import { deepEqual, equal, rejects } from "node:assert/strict";
import { ingest } from "#library/ingest/mod.ts";
import { config, Place } from "../ingest/_place.ts";
import { MemoryStore } from "../store/memory/memory_store.ts";
import { assertUserError } from "../../foundation/boundary/helpers.ts";

/** A store in memory that machines share. */
class SharedStore extends MemoryStore {
  readonly isShared = true;
}

const TEA =
  "---\ntitle: Tea\n---\n# Green tea\n\nSteep it for two minutes.\n\n\n## Water\n\nUse water of 80 °C.\n";

/** A folder that was indexed into a shared store, and then taken away. */
async function elsewhere(files: Readonly<Record<string, string>>) {
  const place = new Place("docs");
  place.write(files);
  const stores = new Map<string, SharedStore>();
  const storeOf = (root: string) => stores.getOrInsertComputed(root, (root) => new SharedStore(root));
  await ingest(place.root, await config(), { ...place.context, storeOf });
  Deno.removeSync(place.root, { recursive: true });
  return { place, storeOf, library: await place.library({ storeOf }) };
}

Deno.test("documents of a folder on another machine are found, and are neither gone nor changed", async () => {
  const { place, library } = await elsewhere({ "tea.md": TEA, "sub/coffee.txt": "Grind the beans." });
  using _place = place;
  const { hits, notices, freshness } = await library.search({
    query: "how long to steep green tea path:tea",
  });
  deepEqual(hits.map(({ filePath, outdated }) => [filePath, outdated]), [[place.at("tea.md"), undefined]]);
  deepEqual([notices, freshness?.state], [[], "unknown"]);
});

Deno.test("a document on another machine is read from its stored text, at the lines that it has in the file", async () => {
  const { place, library } = await elsewhere({ "tea.md": TEA, "sub/coffee.txt": "Grind the beans." });
  using _place = place;
  const raw = await library.readRawFile("tea.md", { startLine: 9 });
  deepEqual([raw.text, raw.startLine, raw.path, raw.isStored], [
    "## Water\n\nUse water of 80 °C.",
    9,
    place.at("tea.md"),
    true,
  ]);
  equal((await library.readRawFile("tea.md:6")).text.trim(), "Steep it for two minutes.");
  for (
    const path of [
      "sub/coffee.txt",
      place.at("sub/coffee.txt"),
      "docs/sub/coffee.txt",
      "muxue://docs/sub/coffee.txt",
    ]
  ) {
    equal((await library.readRawFile(path)).text, "Grind the beans.", path);
  }
  const { document } = await library.readDocument("tea.md");
  deepEqual([document.title, document.sections.map(({ path }) => path)], [
    "Tea",
    [["Green tea"]],
  ]);
});

Deno.test("nothing but indexed files is read of a folder on another machine", async () => {
  const { place, library } = await elsewhere({ "tea.md": TEA });
  using _place = place;
  for (const path of ["coffee.md", "../tea.md", "sub/../../tea.md", "", place.at("../docs2/tea.md")]) {
    await rejects(library.readRawFile(path), path);
  }
  await assertUserError(() => library.readOriginal("tea.md", 1000), "file_on_other_machine");
  await assertUserError(
    () => library.readPictures("tea.md", { want: "pictures" } as never),
    "file_on_other_machine",
  );
});

Deno.test("an update where the folder is missing fails, and the shared index stays", async () => {
  const { place, storeOf, library } = await elsewhere({ "tea.md": TEA });
  using _place = place;
  await rejects(ingest(place.root, await config(), { ...place.context, storeOf }));
  equal((await library.search({ query: "steep tea" })).hits.length, 1);
});

Deno.test("a copy of the files with other times is not outdated, and one with another content is", async () => {
  const place = new Place("docs");
  using _place = place;
  place.write({ "tea.md": TEA });
  const store = new SharedStore(place.root);
  await ingest(place.root, await config(), { ...place.context, storeOf: () => store });
  const library = await place.library({ storeOf: () => store, isKept: () => false });
  const outdated = async () => (await library.search({ query: "steep tea" })).hits.map((hit) => hit.outdated);
  place.write({ "tea.md": TEA });
  Deno.utimeSync(place.at("tea.md"), 1, 1);
  deepEqual(await outdated(), [undefined]);
  place.write({ "tea.md": TEA.replace("two", "six") });
  deepEqual(await outdated(), [true]);
});
