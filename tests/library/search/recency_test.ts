import { deepEqual, equal } from "node:assert/strict";
import { Place } from "../ingest/_place.ts";

const TEXT =
  "To descale the coffee machine, fill the tank with citric acid and water, and let it run twice until the light goes out.";

/** A document of a date. */
function dated(date: string, text: string): string {
  return `---\nmodified: ${date}\n---\n# Coffee machine\n\n${text}\n`;
}

const FILES = {
  "old.md": dated("2001-02-03", `${TEXT} Then descale the coffee machine again.`),
  "new.md": dated(
    "2099-01-01",
    "The coffee machine: descale it with vinegar once a year, says the cook of the canteen on the ground floor.",
  ),
};

const RECENT = { search: { recency: { field: "modified", "half_life_days": 30, weight: 0.9 } } } as const;

/** The names of the files of the hits, best first, and those named under each. */
async function found(place: Place, settings: object): Promise<[string, string[]][]> {
  const { hits } = await (await place.library({ settings })).search({ query: "descale coffee machine" });
  const name = (path: string) => path.slice(place.root.length + 1);
  return hits.map(({ filePath, also = [] }) => [name(filePath), also.map((one) => name(one.filePath))]);
}

Deno.test("newer documents come first as far as search.recency says; without a weight the ranking is the same", async () => {
  using place = await Place.indexed(FILES);
  const plain = await found(place, {});
  deepEqual(plain, [["old.md", []], ["new.md", []]]);
  deepEqual(
    await found(place, { search: { recency: { field: "created", "half_life_days": 1, weight: 0 } } }),
    plain,
  );
  deepEqual(await found(place, RECENT), [["new.md", []], ["old.md", []]]);
});

Deno.test("a document without the date counts by the time when its file was changed", async () => {
  using place = await Place.indexed(FILES);
  const time = new Date("2000-01-01");
  Deno.utimeSync(place.at("new.md"), time, time);
  await place.ingest();
  const byFile = { search: { recency: { ...RECENT.search.recency, field: "published" } } };
  deepEqual(await found(place, byFile), [["old.md", []], ["new.md", []]]);
});

Deno.test("an explanation shows the date and the factor", async () => {
  using place = await Place.indexed(FILES);
  const library = await place.library({ settings: RECENT });
  const { explanation } = await library.search({ query: "descale coffee machine", explain: true });
  deepEqual(
    explanation!.chunks.map((
      { recency },
    ) => [new Date(recency!.date).getFullYear(), recency!.factor.toFixed(2)]),
    [
      [2099, "1.00"],
      [2001, "0.10"],
    ],
  );
});

Deno.test("of documents that say the same, the newest stands first and the others are named under it", async () => {
  using place = await Place.indexed({
    "2020.md": dated("2020-01-01", TEXT),
    "2024.md": dated("2024-01-01", TEXT.replace("citric", "Citric")),
    "2022.md": dated("2022-01-01", `${TEXT} Wait.`),
  });
  for (const settings of [RECENT, {}]) {
    const [[first, others] = ["", []], ...more] = await found(place, settings);
    equal(more.length, 0);
    deepEqual([first, others.sort()], ["2024.md", ["2020.md", "2022.md"]]);
  }
});

Deno.test("a newer document does not stand for one that has more of the question", async () => {
  const contract = (pumps: number) =>
    `The supplier delivers ${pumps} pumps to the depot of the city works, which pays the invoice within thirty days and keeps the pumps in store until the engineers of the water board have examined each of them.`;
  using place = await Place.indexed({
    "2020.md": `---\ncreated: 2020-01-01\n---\n# Contract\n\n${contract(4711)}\n`,
    "2024.md": `---\ncreated: 2024-01-01\n---\n# Contract\n\n${contract(5200)}\n`,
  });
  const first = async (query: string) => {
    const { hits: [hit] } = await (await place.library({})).search({ query });
    return [hit!.filePath, hit!.also![0]!.filePath].map((path) => path.slice(place.root.length + 1));
  };
  deepEqual(await first("contract of 4711 pumps"), ["2020.md", "2024.md"]);
  deepEqual(await first("contract of pumps"), ["2024.md", "2020.md"]);
});

Deno.test("without a weight only dates count that documents give, and an explanation says that a newer one stands first", async () => {
  using place = await Place.indexed({
    "a.md": `# Coffee machine\n\n${TEXT}\n`,
    "b.md": dated("2024-01-01", TEXT),
  });
  deepEqual(await found(place, {}), [["a.md", ["b.md"]]]);
  await Deno.writeTextFile(place.at("a.md"), dated("2020", TEXT));
  await place.ingest();
  deepEqual(await found(place, {}), [["b.md", ["a.md"]]]);
  const { explanation } = await (await place.library({})).search({
    query: "descale coffee machine",
    explain: true,
  });
  deepEqual(explanation!.chunks.map(({ filePath, outcome }) => [filePath.slice(-4), outcome]), [
    ["a.md", "older_text"],
    ["b.md", "shown"],
  ]);
});

Deno.test("the newest of documents that say the same stands first only as far as search.per_doc_limit allows, on every page", async () => {
  const steps = [
    TEXT,
    "A coffee machine that leaks: descale it, and change the ring of rubber under the tank that holds the water for brewing.",
    "Before the holidays, descale the coffee machine of the canteen, pull the plug and leave the lid of the tank open to dry.",
  ];
  using place = await Place.indexed({
    ...Object.fromEntries(steps.map((text, i) => [`${i}.md`, dated(`2020-01-0${i + 1}`, text)])),
    "all.md": `---\nmodified: 2024-01-01\n---\n${
      steps.map((text, i) => `# Part ${i}\n\n${text}\n`).join("\n")
    }`,
  }, { chunking: { "max_chars": 200, overlap: 0 } });
  const search = { recency: { ...RECENT.search.recency, weight: 0.001 }, "per_doc_limit": 1 };
  const library = await place.library({ settings: { search } });
  const pages: string[][] = [];
  for (const offset of [0, 2]) {
    const request = { query: "descale coffee machine", topK: 2, firstTopK: 2, offset };
    const { hits } = await library.search(request);
    pages.push(hits.map(({ filePath }) => filePath.slice(place.root.length + 1)));
  }
  const all = pages.flat();
  deepEqual([all.length, new Set(all).size], [3, 3]);
  equal(all.filter((path) => path === "all.md").length, 1);
});

Deno.test("a file that stands for an older one on the first page has no more passages on the next than search.per_doc_limit allows", async () => {
  const others = [
    "A coffee machine that leaks: look at the ring of rubber under the tank that holds the water for brewing, says the cook.",
    "Before the holidays, pull the plug of the coffee machine of the canteen and leave the lid of the tank open to dry.",
  ];
  using place = await Place.indexed({
    "old.md": dated("2020-01-01", `# Coffee machine\n\n${TEXT}`),
    "new.md": dated(
      "2024-01-01",
      `# Tank\n\n${TEXT} It takes one hour.\n\n# Ring\n\n${others[0]}\n\n# Lid\n\n${others[1]}`,
    ),
  }, { chunking: { "max_chars": 200, overlap: 0 } });
  for (const [limit, expected] of [[1, ["new.md"]], [2, ["new.md", "new.md"]]] as const) {
    const search = { recency: { ...RECENT.search.recency, weight: 0.001 }, "per_doc_limit": limit };
    const library = await place.library({ settings: { search } });
    const all: string[] = [];
    for (const offset of [0, 1, 2, 3]) {
      const request = { query: "descale coffee machine", topK: 1, firstTopK: 1, offset };
      const { hits } = await library.search(request);
      all.push(...hits.map(({ filePath }) => filePath.slice(place.root.length + 1)));
    }
    deepEqual(all, expected);
  }
});
