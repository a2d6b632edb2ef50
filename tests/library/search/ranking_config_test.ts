import { deepEqual, equal, ok } from "node:assert/strict";
import type { ConfigOverrides } from "#foundation/configuration/mod.ts";
import { serverModels } from "#models/embedding/mod.ts";
import { type Explanation, openLibrary, type SearchRequest } from "#library/search/mod.ts";
import { config, Place, TABLE } from "../ingest/_place.ts";
import { numbered, RemotePlace } from "../ingest/_remote_place.ts";
import { KEY } from "../../engine/index/_blob_forge.ts";

type Search = NonNullable<ConfigOverrides["search"]>;

const TEXTS = {
  "bridge.md": "The old bridge across the river was closed after the flood.",
  "doctor.md": "The physician examined the patient and prescribed some medicine.",
  "loan.md": "The bank lends money to people who want to buy a house.",
  "桥梁.md": "长江上的这座桥梁在洪水之后关闭了三个月。",
  "weather.md": "Tomorrow will be sunny in the north, with some rain in the south.",
};

/** Texts that all contain one word, with different frequencies. */
const NEEDLES = Object.fromEntries(
  Array.from({ length: 30 }, (_, i) => [`${i}.txt`, `needle ${"hay ".repeat(i % 7)}${i}`]),
);

/** Searches a folder with some keys of `search` changed. Returns the hits with the explanation. */
async function ask(place: Place | RemotePlace, request: SearchRequest, search: Search = {}) {
  const config = await configOf(place, search);
  const models = serverModels(config.embedding);
  const library = openLibrary([place.root], config, { key: KEY, models, table: TABLE });
  try {
    const { hits, explanation } = await library.search({ ...request, explain: true });
    const nameOf = (path: string) => path.slice(place.root.length + 1);
    return { names: hits.map(({ filePath }) => nameOf(filePath)), ...explanation! };
  } finally {
    library.close();
  }
}

const configOf = (place: Place | RemotePlace, search: Search) =>
  place instanceof RemotePlace ? place.config({ search }) : config({ search });

async function indexed(files: Readonly<Record<string, string>>): Promise<Place> {
  const place = new Place();
  place.write(files);
  await place.ingest();
  return place;
}

/** Returns the number of considered chunks that are in the list of a leg. */
const listed = ({ chunks }: Pick<Explanation, "chunks">, leg: "keyword" | "vector") =>
  chunks.filter(({ legs }) => legs[leg]?.rank !== undefined).length;

Deno.test("search.legs: a ranking uses only these legs and the keywords", async () => {
  using place = await indexed(TEXTS);
  const query = "bridge flood";
  const all = await ask(place, { query });
  deepEqual([...all.names].sort(), ["bridge.md", "桥梁.md"]);
  const few = await ask(place, { query }, { legs: ["maxsim", "sentence"] });
  deepEqual([few.names, Object.keys(few.weights).sort()], [["bridge.md"], ["keyword", "maxsim", "sentence"]]);
  const none = await ask(place, { query: "river surgeon" }, { legs: [] });
  deepEqual([none.names, none.weights], [["bridge.md"], { keyword: 1 }]);
  ok((await ask(place, { query: "river surgeon" })).names.includes("doctor.md"));
});

Deno.test("search.legs: a semantic search uses vectors with any setting", async () => {
  using place = await indexed(TEXTS);
  const request = { query: "sunny rain in the north of the bank", mode: "semantic" } as const;
  const all = await ask(place, request);
  equal(all.names[0], "weather.md");
  ok(all.names.length > 1);
  for (const search of [{ legs: [] }, { legs: ["maxsim"] }, { rerank: false }] as const satisfies Search[]) {
    const { names, weights } = await ask(place, request, search);
    deepEqual([names, weights], [all.names, { vector: 1 }]);
  }
});

Deno.test("search.rerank: without it, only keywords and translation count", async () => {
  using place = await indexed(TEXTS);
  const { names, weights, chunks } = await ask(place, { query: "bridge flood" }, { rerank: false });
  deepEqual([...names].sort(), ["bridge.md", "桥梁.md"]);
  deepEqual(Object.keys(weights).sort(), ["keyword", "translation"]);
  deepEqual(Object.keys(chunks[0]!.legs).sort(), ["keyword", "translation", "vector"]);
});

Deno.test("search.fts_topn and search.vec_topn set the number of candidates by keywords and by vectors", async () => {
  using place = await indexed(NEEDLES);
  const counts = async (search: Search) => {
    const answer = await ask(place, { query: "needle", topK: 2 }, search);
    return [listed(answer, "keyword"), listed(answer, "vector")];
  };
  // An answer with 2 hits considers at most 20 chunks or fts_topn.
  deepEqual(await counts({ "fts_topn": 7, "vec_topn": 5 }), [7, 5]);
  deepEqual(await counts({ "fts_topn": 12, "vec_topn": 3 }), [12, 3]);
  // At least as many chunks as the answer needs are considered.
  deepEqual(await counts({ "fts_topn": 1, "vec_topn": 1 }), [4, 2]);
});

Deno.test("search.fusion: rrf adds up shares of ranks, and alpha is the share of the vectors", async () => {
  using place = await indexed(TEXTS);
  for (const alpha of [0.25, 0.6]) {
    const { fusion, weights, chunks } = await ask(
      place,
      { query: "bridge river bank" },
      { fusion: "rrf", alpha },
    );
    deepEqual([fusion, weights], ["rrf", { keyword: 1 - alpha, vector: alpha }]);
    ok(chunks.length > 1);
    for (const { score, legs } of chunks) {
      const worth = (weight: number, rank: number | undefined) =>
        rank === undefined ? 0 : weight / (60 + rank);
      const wanted = worth(1 - alpha, legs.keyword?.rank) + worth(alpha, legs.vector?.rank);
      ok(Math.abs(score - wanted) < 1e-12);
    }
  }
});

Deno.test("search.fusion: auto is weighted, with the built-in table and with a model on a server", async () => {
  using place = await indexed(TEXTS);
  await using remote = await RemotePlace.open(numbered(12));
  await remote.ingest();
  const fusions = async (search: Search) => [
    (await ask(place, { query: "bridge" }, search)).fusion,
    (await ask(remote, { query: "text 7" }, search)).fusion,
  ];
  deepEqual(await fusions({}), ["weighted", "weighted"]);
  deepEqual(await fusions({ fusion: "rrf" }), ["rrf", "rrf"]);
});

Deno.test("search.alpha: 0 leaves the order to words and the built-in table, 1 to the vectors of the server", async () => {
  await using place = await RemotePlace.open(numbered(12));
  await place.ingest();
  const words = await ask(place, { query: "7" }, { alpha: 0 });
  equal(words.names[0], "7.txt");
  equal(words.weights.neural, undefined);
  const nearest = await ask(place, { query: "7", mode: "semantic" });
  const { names, weights, chunks } = await ask(place, { query: "7" }, { alpha: 1 });
  // A passage with the rare word of the question stays in front.
  const rest = (names: readonly string[]) => names.filter((name) => name !== "7.txt").slice(0, 3);
  deepEqual([names[0], rest(names), weights.neural], ["7.txt", rest(nearest.names), 1]);
  ok(chunks.every(({ legs }) => (legs.keyword?.share ?? 0) === 0));
});
