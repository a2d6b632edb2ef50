import { deepEqual } from "node:assert/strict";
import { openLibrary } from "#library/search/mod.ts";
import { Ranking } from "#engine/rank/mod.ts";
import { Place } from "../ingest/_place.ts";
import { RemotePlace } from "../ingest/_remote_place.ts";
import { KEY } from "../../engine/index/_blob_forge.ts";

Deno.test("a long file that fills the list does not hide other files", async () => {
  using place = await Place.indexed({
    "long.txt": "needle needle\n\n".repeat(20_000),
    "a.txt": "a needle among very many other words that make it a worse hit",
    "b.txt": "another needle among very many other words that make it a worse hit",
  });
  const library = await place.library();
  const { hits } = await library.search({ query: "needle" });
  const names = hits.map(({ filePath }) => filePath.slice(place.root.length + 1)).sort();
  deepEqual(names, ["a.txt", "b.txt", "long.txt"], "the chunks of the long file touch");
});

Deno.test("the ranking is asked once, however many neighbours are joined", async () => {
  using place = new Place();
  const words = (first: number) => Array.from({ length: 150 }, (_, i) => `w${first + i}`).join(" ");
  place.write(Object.fromEntries(
    Array.from(
      { length: 12 },
      (_, i) => [
        `${i}.txt`,
        [0, 1, 2].map((k) => `needle ${words(1000 * i + 200 * k)}`)
          .join("\n\n"),
      ],
    ),
  ));
  await place.ingest();
  const library = await place.library();
  const { best } = Ranking.prototype;
  let asked = 0;
  Ranking.prototype.best = function (wanted) {
    asked++;
    return best.call(this, wanted);
  };
  try {
    const { hits } = await library.search({ query: "needle", topK: 5, mode: "keyword", explain: true });
    deepEqual([hits.length < 10, hits.some(({ content }) => content.split("needle").length > 2)], [
      true,
      true,
    ]);
    deepEqual(asked, 1);
  } finally {
    Ranking.prototype.best = best;
  }
});

Deno.test("rrf: chunks of a second pass rank after those of the first", async () => {
  await using place = await RemotePlace.open({
    // It fills all 50 ranks of both lists.
    "long.txt": Array.from({ length: 400 }, (_, i) => `needle needle ${"hay ".repeat(200)}${i}`).join("\n\n"),
    ...Object.fromEntries(
      Array.from({ length: 5 }, (_, i) => [`${i}.txt`, `needle ${"straw ".repeat(150)}${i}`]),
    ),
  });
  await place.ingest();
  const library = openLibrary(
    [place.root],
    await place.config({ search: { fusion: "rrf", "fts_topn": 5, "vec_topn": 5 } }),
    { key: KEY },
  );
  const { explanation } = await library.search({ query: "needle", topK: 5, explain: true });
  const chunks = explanation!.chunks;
  for (const leg of ["keyword", "vector"] as const) {
    const ranks = chunks.flatMap(({ legs }) => legs[leg]?.rank ?? []);
    deepEqual(ranks.length, new Set(ranks).size, `each place in the list of ${leg} is one chunk's`);
  }
  deepEqual(explanation!.fusion, "rrf");
  deepEqual(new Set(chunks.map(({ filePath }) => filePath)).size > 1, true);
});
