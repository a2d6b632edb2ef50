import { deepEqual, equal } from "node:assert/strict";
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

Deno.test("a minus before a range leaves out only what is within it, as NOT does", async () => {
  const note = (fields: string) => `---\n${fields}\n---\n\nThe plan says ${fields}\n`;
  using place = await Place.indexed({
    "a.md": note("version: 1\ncreated: 2023-05"),
    "b.md": note("version: 3\ncreated: 2024-06"),
    "c.md": note("version: beta\ncreated: 2024"),
  });
  const found = await finder(place);
  for (const range of ["meta.version:>=2", "created:>=2024-05"]) {
    for (const query of [`plan -${range}`, `plan NOT ${range}`]) {
      deepEqual(await found(query), ["a.md", "c.md"], query);
    }
  }
});

Deno.test("conditions that leave nothing over are counted in the folder asked", async () => {
  const draft = "---\ntags: [draft]\n---\n\nThe budget\n";
  using place = await Place.indexed({
    "a.md": draft,
    "b.md": "budget",
    "sub/c.md": "budget of all",
    "sub/d.txt": "x",
  });
  const library = await place.library();
  const { notices } = await library.search({ query: "budget type:md tag:draft", dirPath: place.at("sub") });
  deepEqual(notices, [
    "No document matches all filters. Documents that match each one alone: type: md (1); tags: draft (0). Remove one and try again",
    'If one of these conditions is text to search for, put it in quotes, as in "status:404"',
  ]);
});

Deno.test("a word that is read as a condition and finds nothing can be searched for in quotes, as the answer says", async () => {
  using place = await Place.indexed({ "a.md": "The server answers status:404 for a lost page." });
  const library = await place.library();
  const { hits, notices } = await library.search({ query: "page status:404" });
  deepEqual([hits.length, notices], [0, [
    "No document matches all filters. Documents that match each one alone: status: 404 (0). Remove one and try again",
    'If one of these conditions is text to search for, put it in quotes, as in "status:404"',
  ]]);
  const found = await finder(place);
  deepEqual(await found('page "status:404"'), ["a.md"]);
});

Deno.test("a condition on the time of change is told in local time, as it is typed", async () => {
  const program = `
    const { filtersOf } = await import("#engine/query/mod.ts");
    const { filterCounts } = await import("#library/search/filter_counts.ts");
    const filters = filtersOf({ after: "2099-05-01", before: "2099-06-01T12:30" });
    console.log(filterCounts([], [filters], undefined).map(({ condition }) => condition).join("; "));`;
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--config", "deno.dev.json", program],
    env: { TZ: "Asia/Shanghai" },
  }).output();
  equal(new TextDecoder().decode(stdout).trim(), "after: 2099-05-01; before: 2099-06-01T12:30");
});
