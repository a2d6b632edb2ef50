import assert from "node:assert/strict";
import { linkGraph } from "#library/search/catalog/links.ts";
import { facetsNamed, facetsOf } from "#library/search/mod.ts";
import type { StoredFile } from "#engine/index/mod.ts";
import { Place } from "../ingest/_place.ts";

const file = (path: string, more: Partial<StoredFile> = {}): StoredFile => ({
  path,
  size: 1,
  mtimeMs: Date.UTC(2023, 0, 1),
  sha256: "",
  status: "indexed",
  firstChunk: 0,
  chunkCount: 1,
  ...more,
});

Deno.test("links lead to notes by their names, to those of the same folder first, and to files by their paths", () => {
  const graph = linkGraph([
    file("a.md", { links: ["Keys", "work/Keys", "/docs/B.md", "/docs/c.pdf", "gone", "/a.md"] }),
    file("docs/b.md", { links: ["Keys", "锁"] }),
    file("docs/c.pdf"),
    file("docs/keys.md"),
    file("work/deep/锁.md", { links: ["/docs/keys.md"] }),
    file("work/keys.md"),
  ]);
  assert.deepEqual(graph.of("a.md"), {
    links: ["docs/keys.md", "work/keys.md", "docs/b.md", "docs/c.pdf"],
    unresolved: ["gone"],
    backlinks: [],
  });
  assert.deepEqual(graph.of("docs/b.md"), {
    links: ["docs/keys.md", "work/deep/锁.md"],
    unresolved: [],
    backlinks: ["a.md"],
  });
  assert.deepEqual(graph.of("docs/keys.md").backlinks, ["a.md", "docs/b.md", "work/deep/锁.md"]);
  assert.deepEqual(graph.of("none.md"), { links: [], unresolved: [], backlinks: [] });
});

Deno.test("documents with the same tags are named, those that share rare ones first", () => {
  const tagged = (path: string, ...tags: string[]) => file(path, { metadata: { tags } });
  const graph = linkGraph([
    tagged("a.md", "ops", "预算"),
    tagged("b.md", "Ops"),
    tagged("c.md", "ops", "x"),
    tagged("d.md", "预算"),
    file("e.md"),
  ]);
  assert.deepEqual(graph.sharers("a.md"), [
    { path: "d.md", tags: ["预算"] },
    { path: "b.md", tags: ["ops"] },
    { path: "c.md", tags: ["ops"] },
  ]);
  assert.deepEqual(graph.sharers("e.md"), []);
});

Deno.test("facets count documents by value, without regard to case, the most frequent first", () => {
  const files = [
    file("docs/a.md", {
      metadata: { tags: ["ops", "OPS", "x"], authors: ["Li Wei", "li  wei"], created: "2024-05-01" },
    }),
    file("docs/b.markdown", { metadata: { tags: ["Ops"], published: "2024", accessLevel: "internal" } }),
    file("c.pdf", { metadata: { tags: ["ops"] } }),
  ];
  const counts = facetsOf(files, facetsNamed("tags, author type;year folder access_level".replace(";", ",")));
  assert.deepEqual(
    counts.map(({ facet, values, without }) => [
      facet,
      values.map(({ value, count }) => `${value} ${count}`).join(", "),
      without,
    ]),
    [
      ["tag", "ops 3, x 1", 0],
      ["author", "Li Wei 1", 2],
      ["type", "md 2, pdf 1", 0],
      ["year", "2024 2, 2023 1", 0],
      ["folder", "docs 2, . 1", 0],
      ["access_level", "internal 1", 2],
    ],
  );
  assert.throws(() => facetsNamed("tag,colour"), /cannot be counted by colour\. Use: tag, author/);
  const many = facetsOf(
    [file("a.md", { metadata: { tags: Array.from({ length: 60 }, (_, i) => `t${i}`) } })],
    ["tag"],
  );
  assert.deepEqual([many[0]!.values.length, many[0]!.more], [50, 10]);
});

Deno.test("a facet counts the year in which a condition on the date finds a document", () => {
  const moment = "2024-12-31T23:30-05:00";
  const files = [
    file("a.md", { metadata: { created: moment } }),
    file("b.md", { metadata: { created: "spring 1999" } }),
  ];
  const years = [new Date(moment), new Date(Date.UTC(2023, 0, 1))].map((date) => `${date.getFullYear()}`);
  assert.deepEqual(facetsOf(files, ["year"])[0]!.values, years.map((value) => ({ value, count: 1 })));
});

Deno.test("a served folder knows the links, backlinks and tags of its documents, and counts them", async () => {
  using place = await Place.indexed({
    "a.md": "---\ntags: [ops]\n---\n\nSee [[Keys]], [b](docs/b.md), [[Gone]] and [out](../../out.md).\n",
    "docs/b.md": "# B\n\n#ops, back to [a](../a.md).\n",
    "docs/keys.md": "# Keys\n\n#预算\n",
  });
  const catalog = await (await place.library()).catalog();
  const [a, b, keys] = ["a.md", "docs/b.md", "docs/keys.md"].map((path) => place.at(path));
  assert.deepEqual(await catalog.relations(a!), {
    links: [keys, b],
    unresolved: ["Gone", "../../out.md"],
    backlinks: [b],
    sharers: [{ path: b, tags: ["ops"] }],
  });
  assert.deepEqual(await catalog.relations(b!, "docs"), {
    links: [],
    unresolved: [],
    backlinks: [],
    sharers: [],
  });
  assert.deepEqual((await catalog.relations(a!, "docs")).links, [keys, b]);
  const { facets: counted } = await catalog.documents({ path: "docs/" }, 0, 1, ["tag"]);
  assert.deepEqual(counted, [{
    facet: "tag",
    values: [{ value: "ops", count: 1 }, { value: "预算", count: 1 }],
    more: 0,
    without: 0,
  }]);
  const { documents } = await catalog.documents({}, 0, 1);
  assert.deepEqual(documents[0]!.metadata, { tags: ["ops"] });
});
