import { deepEqual } from "node:assert/strict";
import { askedScope, servedCollections, type ServedLocations } from "#library/search/served_collections.ts";
import { ServedFolder } from "#library/search/served_folders.ts";
import { assertUserError, TempDir } from "../../foundation/boundary/helpers.ts";
import { storeAt, WALK } from "../ingest/_place.ts";

/** Three served folders; the configuration calls the first two `Tea` and `论文`. */
function playground(): { temp: TempDir; roots: string[]; places: ServedLocations } {
  const temp = new TempDir();
  for (const path of ["a/deep/1.md", "b/deep/2.md", "b/Tea/3.md", "c/x/4.md"]) temp.write(path);
  const roots = ["a", "b", "c"].map((name) => temp.at(name));
  const ofFolder = { chunking: {}, files: {}, llm: {}, store: {} };
  const collections = servedCollections(roots, {
    collections: {
      Tea: { path: roots[0]!, description: "About tea", ...ofFolder },
      论文: { path: roots[1]!, ...ofFolder },
    },
  });
  const folders = roots.map((root) => new ServedFolder(storeAt(root), WALK));
  return { temp, roots, places: { folders, below: new Map(), collections } };
}

Deno.test("a folder has the name of its collection, or else as much of its path as no other folder has", () => {
  const ofFolder = { chunking: {}, files: {}, llm: {}, store: {} };
  const roots = ["/x/notes", "/y/notes", "/z/work", "/z/work/tea", "/", "/p/q/r/same", "/o/q/r/same"];
  deepEqual(servedCollections(roots, { collections: { tea: { path: "/z/work", ...ofFolder } } }), [
    { root: "/x/notes", name: "x/notes" },
    { root: "/y/notes", name: "y/notes" },
    { root: "/z/work", name: "tea" },
    { root: "/z/work/tea", name: "work/tea" },
    { root: "/", name: "/" },
    { root: "/p/q/r/same", name: "/p/q/r/same" },
    { root: "/o/q/r/same", name: "/o/q/r/same" },
  ]);
});

Deno.test("a request names one collection, several, all, or folders in them", async () => {
  const { temp, roots: [a, b, c], places } = playground();
  using _ = temp;
  const cases: [collections: string | undefined, roots: unknown[], below?: unknown[]][] = [
    ["Tea", [a]],
    ["tea", [a]],
    [" 论文 ", [b]],
    ["c", [c]],
    ["Tea,论文", [a, b]],
    ["c、Tea", [a, c]],
    ["c\nTea", [a, c]],
    ["all", [a, b, c]],
    ["Tea, *", [a, b, c]],
    ["", [a, b, c]],
    [undefined, [a, b, c]],
    [b, [b]],
    [temp.at("a/deep"), [a], [[a, ["deep"]]]],
    [`${temp.at("a/deep")}, 论文`, [a, b], [[a, ["deep"]]]],
    [`${temp.at("b/deep")}\n${temp.at("b/Tea")}`, [b], [[b, ["deep", "Tea"]]]],
    [`${temp.at("a/deep")}, Tea`, [a]],
    ["x", [c], [[c, ["x"]]]],
  ];
  for (const [collections, roots, below = []] of cases) {
    const scope = await askedScope({ collections }, places);
    deepEqual([scope.folders.map(({ root }) => root), [...scope.below]], [roots, below], collections);
  }
});

Deno.test("dir_path is a folder first, and the name of a collection where there is no such folder", async () => {
  const { temp, roots: [, b], places } = playground();
  using _ = temp;
  const scope = async (dirPath: string) => {
    const { folders, below } = await askedScope({ dirPath }, places);
    return [folders.map(({ root }) => root), [...below]];
  };
  deepEqual(await scope("Tea"), [[b], [[b, ["Tea"]]]]);
  deepEqual(await scope("论文"), [[b], []]);
  await assertUserError(() => scope("nothing"), "directory_not_found");
});

Deno.test("an unknown collection is an error that names the known ones", async () => {
  const { temp, places } = playground();
  using _ = temp;
  for (const name of ["coffee", "Tea, coffee", "..", "."]) {
    const { params } = await assertUserError(
      () => askedScope({ collections: name }, places),
      "collection_unknown",
    );
    deepEqual(params, { name: name.split(", ").at(-1), known: "Tea, 论文, c" });
  }
  await assertUserError(() => askedScope({ collections: temp.at("d") }, places), "dir_not_served");
});

Deno.test("a folder below a collection may be named by the collection's name and the path in it", async () => {
  const { temp, roots: [a], places } = playground();
  using _ = temp;
  for (
    const place of [{ dirPath: "Tea/deep" }, { collections: "tea/deep" }, { dirPath: "muxue://Tea/deep" }]
  ) {
    const { folders, below } = await askedScope(place, places);
    deepEqual([folders.map(({ root }) => root), [...below]], [[a], [[a, ["deep"]]]]);
  }
  await assertUserError(() => askedScope({ dirPath: "Tea/../c" }, places), "dir_not_served");
});
