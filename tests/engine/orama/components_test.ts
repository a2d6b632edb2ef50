import { count, create, getByID, insert, type Results, save, search } from "@orama/orama";
import { deepEqual, equal, rejects, throws } from "node:assert/strict";
import { oramaComponents, type OramaDocument, type OramaOptions, oramaSchema } from "#engine/orama/mod.ts";
import { BlobIndex } from "#engine/index/mod.ts";
import { write } from "../../library/store/_contract.ts";
import { MemoryStore } from "../../library/store/memory/memory_store.ts";
import { buildIndex, file } from "../index/_build.ts";
import { indexOf, meaning } from "../rank/_collection.ts";

const FILES = {
  "coffee.txt": "Descale the coffee machine with citric acid.",
  "keys.md": "# Keys\n\nRotate the signing keys of the coffee machine every ninety days.",
  "sub/espresso.md": "# Espresso\n\nEspresso needs fine coffee.\n\n## Water\n\nUse soft water.",
  "sub/笔记.txt": "咖啡机需要每个月除垢。",
};

const embed = (term: string) => meaning.analyzer.analyze(term).vector.slice();

/** An index of {@linkcode FILES}, open as an Orama database. */
async function opened(options: OramaOptions = { embed }) {
  const index = await indexOf(FILES);
  const db = create({ schema: oramaSchema(index), components: oramaComponents(index, options) });
  // Orama's types want a vector in a vector search, and know only the properties of the schema
  const find = async (params: object) =>
    await search(db, params as Parameters<typeof search<typeof db>>[1]) as unknown as Results<OramaDocument>;
  return {
    db,
    find,
    /** Paths of the documents found, best first. */
    async paths(params: object): Promise<string[]> {
      return (await find(params)).hits.map(({ document }) => document.path);
    },
  };
}

Deno.test("an Orama full-text search finds chunks with their documents", async () => {
  const orama = await opened();
  const { hits, count } = await orama.find({ term: "citric acid" });
  deepEqual([count, hits.map(({ document }) => document)], [1, [{
    id: "0",
    path: "coffee.txt",
    type: "txt",
    lang: "en",
    section: [],
    startLine: 1,
    endLine: 1,
    content: "Descale the coffee machine with citric acid.",
    embedding: null,
  }]]);
  deepEqual(await orama.paths({ term: "除垢" }), ["sub/笔记.txt"]);
  deepEqual(await orama.paths({ term: "zebra" }), []);
});

Deno.test("limit and offset cut the same list", async () => {
  const orama = await opened();
  const all = await orama.paths({ term: "coffee machine" });
  equal(all.length, 3);
  deepEqual(await orama.paths({ term: "coffee machine", limit: 1 }), all.slice(0, 1));
  deepEqual(await orama.paths({ term: "coffee machine", limit: 2, offset: 1 }), all.slice(1));
});

Deno.test("a vector search embeds its term", async () => {
  const orama = await opened();
  const { hits } = await orama.find({ mode: "vector", term: "coffee machine" });
  equal(hits.length, 4);
  deepEqual(hits.map(({ score }) => score), hits.map(({ score }) => score).sort((a, b) => b - a));
});

Deno.test("a hybrid search finds what either leg finds", async () => {
  const orama = await opened();
  const found = await orama.paths({ mode: "hybrid", term: "除垢 water", limit: 20 });
  const legs = [
    ...await orama.paths({ term: "除垢 water", limit: 20 }),
    ...await orama.paths({ mode: "vector", term: "除垢 water", limit: 20 }),
  ];
  deepEqual(new Set(found), new Set(legs));
  const text = await orama.paths({
    mode: "hybrid",
    term: "除垢",
    hybridWeights: { text: 0.99, vector: 0.01 },
  });
  equal(text[0], "sub/笔记.txt");
});

Deno.test("where filters by path, type and language, in every mode", async () => {
  const orama = await opened();
  const cases: [where: object, paths: string[]][] = [
    [{ path: { eq: "keys.md" } }, ["keys.md"]],
    [{ lang: { eq: "zh" } }, ["sub/笔记.txt"]],
    [{ lang: { eq: "en" }, type: { eq: "txt" } }, ["coffee.txt"]],
    [{ lang: { eq: "none" } }, []],
  ];
  for (const [where, paths] of cases) {
    for (const mode of ["fulltext", "vector", "hybrid"]) {
      const found = await orama.paths({ mode, term: "coffee machine 咖啡机", where, limit: 20 });
      deepEqual([...new Set(found)].sort(), paths, `${mode} ${JSON.stringify(where)}`);
    }
  }
});

Deno.test("distinctOn shows one hit of each value", async () => {
  const orama = await opened();
  const { hits } = await orama.find({ term: "coffee machine 咖啡", distinctOn: "type", limit: 10 });
  deepEqual(hits.map(({ document }) => document.type).sort(), ["md", "txt"]);
});

Deno.test("concurrent searches do not affect each other, and restore their parameters", async () => {
  const orama = await opened();
  const terms = ["citric acid", "signing keys", "soft water", "除垢"];
  const searches = terms.flatMap((term) => [{ term }, { term, mode: "hybrid" }]);
  const before = structuredClone(searches);
  const alone: unknown[] = [];
  for (const params of searches) alone.push((await orama.find(params)).hits);
  const together = await Promise.all(searches.map(async (params) => (await orama.find(params)).hits));
  deepEqual(together, alone);
  equal(JSON.stringify(searches), JSON.stringify(before));
});

Deno.test("documents are counted and read by id", async () => {
  const orama = await opened();
  equal(count(orama.db), 4);
  equal((await getByID(orama.db, "3"))!.path, "sub/笔记.txt");
  deepEqual(await Promise.all(["4", "-1", "x"].map((id) => getByID(orama.db, id))), [
    undefined,
    undefined,
    undefined,
  ]);
});

Deno.test("a database is read-only, and says what it does not support", async () => {
  const orama = await opened({});
  throws(() => save(orama.db), /read-only/);
  await rejects(async () => await insert(orama.db, { content: "new" } as never), /read-only/);
  await rejects(orama.find({ term: "a", tolerance: 1 }), /no parameter tolerance/);
  for (
    const where of [{ color: { eq: "red" } }, { path: { in: ["keys.md"] } }, { not: { lang: { eq: "zh" } } }]
  ) {
    await rejects(orama.find({ term: "a", where }), /where: \w+ is not compared/);
  }
  await rejects(orama.find({ term: "a", mode: "hybrid" }), /no function `embed`/);
  deepEqual(await orama.paths({ term: "citric acid" }), ["coffee.txt"]);
});

Deno.test("an index without vectors is searched by words", async () => {
  const index = new BlobIndex(await buildIndex([file("a.txt", ["alpha"])]));
  const db = create({ schema: oramaSchema(index), components: oramaComponents(index) });
  equal((await search(db, { term: "alpha" })).count, 1);
});

Deno.test("an index of another store is opened in the same way", async () => {
  const store = new MemoryStore("/somewhere");
  using index = await write(store, {
    "docs/a.md": ["the river bridge", "a hard link"],
    "notes/b.txt": ["river water", "这是桥梁"],
  });
  const db = create({ schema: oramaSchema(index), components: oramaComponents(index) });
  const ids = async (params: Parameters<typeof search<typeof db>>[1]) =>
    (await search(db, params)).hits.map(({ id }) => id);
  deepEqual(await ids({ term: "river" }), ["2", "0"]);
  deepEqual(await ids({ term: "river", where: { type: { eq: "md" } } }), ["0"]);
  deepEqual(await ids({ term: "桥梁", where: { lang: { eq: "zh" } } }), ["3"]);
  equal((await getByID(db, "1"))!.content, "a hard link");
});
