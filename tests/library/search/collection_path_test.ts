import { deepEqual, equal } from "node:assert/strict";
import { openLibrary } from "#library/search/mod.ts";
import { KEY } from "../../engine/index/_blob_forge.ts";
import { config } from "../ingest/_place.ts";
import { assertUserError, TempDir } from "../../foundation/boundary/helpers.ts";

/** A served folder `notes`, a collection `论文` in the folder `papers`, and the folder `secret`, which is not served. */
async function playground() {
  const temp = new TempDir();
  temp.write("notes/green tea.md", "one\ntwo\nthree\n");
  temp.write("notes/sub/notes/inner.md", "inner\n");
  temp.write("papers/a.md", "paper\n");
  temp.write("papers/deep/b.md", "deep\n");
  temp.write("secret/key.txt", "secret\n");
  const settings = await config();
  const ofFolder = { chunking: {}, files: {}, llm: {}, store: {} };
  const library = openLibrary([temp.at("notes"), temp.at("papers")], {
    ...settings,
    collections: { 论文: { path: temp.at("papers"), ...ofFolder } },
  }, { key: KEY });
  return { temp, library, [Symbol.dispose]: () => (library.close(), temp[Symbol.dispose]()) };
}

Deno.test("the path of a file may begin with the name of its folder or collection, also as an address", async () => {
  using place = await playground();
  const { temp, library } = place;
  for (
    const [path, expected] of [
      ["notes/green tea.md", "notes/green tea.md"],
      ["Notes/green tea.md", "notes/green tea.md"],
      ["muxue://notes/green%20tea.md", "notes/green tea.md"],
      ["notes/sub/notes/inner.md", "notes/sub/notes/inner.md"],
      ["论文/deep/b.md", "papers/deep/b.md"],
      ["muxue://%E8%AE%BA%E6%96%87/a.md", "papers/a.md"],
    ] as const
  ) {
    equal((await library.readDocument(path)).path, temp.at(expected), path);
  }
  for (const path of ["notes/green tea.md:2-3", "muxue://notes/green%20tea.md?lines=2-3"]) {
    const { startLine, endLine } = (await library.readDocument(path)).cited!;
    deepEqual([startLine, endLine], [2, 3], path);
    equal((await library.readRawFile(path)).text, "two\nthree\n", path);
  }
});

Deno.test("an entry of that path inside a folder comes first", async () => {
  using place = await playground();
  place.temp.write("notes/papers/a.md", "mine\n");
  place.temp.write("notes/notes/green tea.md", "mine too\n");
  const read = async (path: string) => (await place.library.readRawFile(path)).text;
  equal(await read("papers/a.md"), "mine\n");
  equal(await read("notes/green tea.md"), "mine too\n");
  equal((await read("muxue://notes/green%20tea.md")).slice(0, 3), "one");
});

Deno.test("a path that begins with a name does not lead out of the folder of that name", async () => {
  using place = await playground();
  place.temp.write("notes/.hidden/c.md", "hidden\n");
  for (
    const path of [
      "论文/../secret/key.txt",
      "论文/../notes/green tea.md",
      "muxue://notes/../secret/key.txt",
      "muxue://notes/%2e%2e/secret/key.txt",
      "muxue://notes/.hidden/c.md",
      "notes/.hidden/c.md",
      "论文/../nothing/here.txt",
    ]
  ) {
    const { params } = await assertUserError(() => place.library.readDocument(path), "no_permission");
    equal(params.path, path);
  }
  const { params } = await assertUserError(
    () => place.library.readDocument("notes/nothing.md"),
    "file_not_found",
  );
  equal(params.path, "notes/nothing.md");
});
