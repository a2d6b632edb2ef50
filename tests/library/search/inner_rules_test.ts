import { deepEqual } from "node:assert/strict";
import { ingest } from "#library/ingest/mod.ts";
import { config, Place } from "../ingest/_place.ts";
import { assertUserError } from "../../foundation/boundary/helpers.ts";
import { slashed } from "../../_posix.ts";

Deno.test("a file that an inner collection excludes is not found, listed, counted or read through the outer one", async () => {
  using place = new Place();
  place.write({
    "walnut.md": "Walnut trees.",
    "inner/public.md": "Walnut oil.",
    "inner/private.md": "The secret of the walnut.",
    "inner/deep/walnut.md": "Walnut wood.",
  });
  const [outer, inner] = [place.root, place.at("inner")];
  const settings = await config({
    collections: {
      outer: { path: outer },
      inner: { path: inner, files: { exclude: ["private.md", "deep/"] } },
    },
  });
  for (const root of [outer, inner]) await ingest(root, settings, place.context);
  for (const roots of [[outer, inner], [outer]]) {
    const library = await place.library({ roots, config: settings });
    const names = (paths: Iterable<string>) =>
      [...new Set([...paths].map((path) => slashed(path.slice(outer.length + 1))))].sort();
    const expected = roots.length === 1
      ? ["inner/deep/walnut.md", "inner/private.md", "inner/public.md", "walnut.md"]
      : ["inner/public.md", "walnut.md"];
    for (const dirPath of [undefined, outer]) {
      const { hits } = await library.search({
        query: "walnut",
        mode: "keyword",
        ...(dirPath && { dirPath }),
      });
      deepEqual(names(hits.map(({ filePath }) => filePath)), expected);
    }
    const catalog = await library.catalog();
    deepEqual(names((await catalog.documents({}, 0, 10)).documents.map(({ path }) => path)), expected);
    const folders = await catalog.folders();
    const listed = folders.flatMap(({ root, files }) => files.map(({ path }) => `${root}/${path}`));
    deepEqual(names(listed), expected);
    const counts = (await catalog.collections()).map(({ documents, chunks }) => [documents, chunks]);
    deepEqual(counts, roots.length === 1 ? [[4, 4]] : [[2, 2], [1, 1]]);
    if (roots.length === 1) continue;
    await assertUserError(() => library.readDocument(place.at("inner/private.md")), "no_permission");
  }
});
