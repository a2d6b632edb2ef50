import { deepEqual } from "node:assert/strict";
import { Place } from "../ingest/_place.ts";

/** Indexes notes, and returns the names of the files that a query finds. */
async function finder(place: Place): Promise<(query: string) => Promise<string[]>> {
  const library = await place.library();
  return async (query) => {
    const { hits } = await library.search({ query });
    return [...new Set(hits.map(({ filePath }) => filePath.slice(place.root.length + 1)))].sort();
  };
}

Deno.test("a phrase, NEAR and a boolean query find a note by its other titles, as words do", async () => {
  using place = await Place.indexed({
    "a.md": "---\naliases: [Emerald Dragon, 绿宝石巨龙]\n---\n\nIt guards the treasure.\n",
    "b.md": "Emerald rings and a dragon.\n绿宝石，巨龙。\n",
  });
  const found = await finder(place);
  const queries = [
    '"Emerald Dragon"',
    "Emerald NEAR/0 Dragon",
    '"Emerald Dragon" AND treasure',
    "绿宝石巨龙 AND guards",
  ];
  for (const query of queries) deepEqual(await found(query), ["a.md"], query);
});
