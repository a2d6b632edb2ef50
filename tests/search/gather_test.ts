import { deepEqual } from "node:assert/strict";
import { openLibrary } from "../../lib/search/mod.ts";
import { config, Place } from "../ingest/_place.ts";

Deno.test("one long file that takes every place does not keep the others out", async () => {
  using place = new Place();
  place.write({
    "long.txt": "needle needle\n\n".repeat(20_000),
    "a.txt": "a needle among very many other words that make it a worse hit",
    "b.txt": "another needle among very many other words that make it a worse hit",
  });
  await place.ingest();
  const library = openLibrary([place.root], await config());
  try {
    const { hits } = await library.search({ query: "needle" });
    const names = hits.map(({ filePath }) => filePath.slice(place.root.length + 1)).sort();
    deepEqual(names, ["a.txt", "b.txt", "long.txt"], "the chunks of the long file touch");
  } finally {
    library.close();
  }
});
