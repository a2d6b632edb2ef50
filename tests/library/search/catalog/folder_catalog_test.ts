import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { basename } from "node:path";
import { ingest } from "#library/ingest/mod.ts";
import { type Library } from "#library/search/mod.ts";
import { config, Place } from "../../ingest/_place.ts";
import { assertUserError } from "../../../foundation/boundary/helpers.ts";

const FILES = {
  "tea.md":
    "# Tea\n\nGreen tea wants water of 80 degrees.\n\n# Coffee\n\nCoffee wants 93 degrees.\n\n# Cocoa\n\nCocoa wants milk.\n",
  "notes/茶.md": "绿茶要用八十度的水，泡三分钟。\n",
  "notes/old.txt": "Old notes about tea.\n",
  "broken.pdf": "not a PDF",
};

async function indexed(use: (library: Library, place: Place) => Promise<void>): Promise<void> {
  using place = new Place();
  place.write(FILES);
  const settings = await config({ language: "en" });
  await ingest(place.root, settings, place.context);
  const library = await place.library({ config: settings });
  await use(library, place);
}

Deno.test("a collection has the numbers, languages and date of its index, and counts newer files", async () => {
  await indexed(async (library, place) => {
    const catalog = await library.catalog();
    const [collection] = await catalog.collections();
    const { indexedAt, model: _, chunks, indexBytes, ...rest } = collection!;
    ok(indexBytes! > 0);
    deepEqual(rest, {
      name: basename(place.root),
      root: place.root,
      state: "ready",
      documents: 3,
      notIndexed: 1,
      languages: ["en", "zh"],
      languageChunks: [{ language: "en", chunks: 2 }, { language: "zh", chunks: 1 }],
      pictures: 0,
      newerFiles: 0,
    });
    ok(chunks >= 3);
    ok(Date.now() - indexedAt!.getTime() < 60_000);
  });
});

Deno.test("a folder without an index is a collection of the state missing", async () => {
  using place = new Place();
  place.write({ "a.md": "Tea." });
  const library = await place.library();
  const [collection] = await (await library.catalog()).collections();
  const { state, documents } = collection!;
  deepEqual([state, documents], ["missing", 0]);
});

Deno.test("documents are listed by path, with filters, states, reasons and pages", async () => {
  await indexed(async (library, place) => {
    const catalog = await library.catalog();
    const names = async (
      ...[filter, offset = 0, limit = 10]: Parameters<typeof catalog.documents> | [object]
    ) => {
      const { documents, total } = await catalog.documents(filter, offset, limit);
      return [total, documents.map(({ path }) => path.slice(place.root.length + 1).replaceAll("\\", "/"))];
    };
    deepEqual(await names({}), [4, ["broken.pdf", "notes/old.txt", "notes/茶.md", "tea.md"]]);
    deepEqual(await names({}, 1, 2), [4, ["notes/old.txt", "notes/茶.md"]]);
    deepEqual(await names({ type: "md" }), [2, ["notes/茶.md", "tea.md"]]);
    deepEqual(await names({ lang: "zh" }), [1, ["notes/茶.md"]]);
    deepEqual(await names({ dirPath: place.at("notes"), path: "old" }), [1, ["notes/old.txt"]]);
    deepEqual(await names({ after: "2999" }), [0, []]);
    const { documents: [broken] } = await catalog.documents({ state: "failed" }, 0, 10);
    deepEqual([broken!.state, broken!.format, typeof broken!.reason], ["failed", "pdf", "string"]);
    await assertUserError(() => catalog.documents({ after: "soon" }, 0, 10), "query_bad_date");
  });
});

Deno.test("the context of a chunk is its text with that of its neighbours, without repetitions", async () => {
  await indexed(async (library) => {
    const { hits: [hit] } = await library.search({ query: "coffee 93 degrees" });
    const catalog = await library.catalog();
    const alone = await catalog.chunkContext(hit!.chunkId, 0, 0);
    equal(alone.path, hit!.filePath);
    ok(alone.text.includes("Coffee wants 93 degrees."));
    const all = await catalog.chunkContext(hit!.chunkId, 50, 50);
    deepEqual([all.first, all.chunks.length], [1, all.count]);
    for (const part of ["Green tea wants water", "Coffee wants 93", "Cocoa wants milk"]) {
      equal(all.text.split(part).length, 2, part);
    }
    for (const { chunkId, start, end } of all.chunks) {
      const { text, chunks: [one], asked } = await catalog.chunkContext(chunkId, 0, 0);
      deepEqual([text.slice(one!.start, one!.end), asked], [all.text.slice(start, end), 0]);
    }
    deepEqual(all.chunks[all.asked]!.chunkId, hit!.chunkId);
    await assertUserError(() => catalog.chunkContext("0000000000000000", 1, 1), "chunk_not_found");
  });
});

Deno.test("rare words weigh more than frequent ones, in both languages", async () => {
  await indexed(async (library) => {
    const weights = await (await library.catalog()).weights(["tea", "cocoa", "绿茶", "nothing"]);
    ok(weights.get("cocoa")! > weights.get("tea")!);
    ok(weights.get("绿茶")! > 0);
  });
});

Deno.test("a chunk is found by its id after a restart and after its index was replaced, and a removed one is not", async () => {
  using place = new Place();
  place.write(FILES);
  const settings = await config({ language: "en" });
  await ingest(place.root, settings, place.context);
  const library = await place.library({ config: settings });
  const { hits: [hit] } = await library.search({ query: "cocoa" });
  place.write({ "a.md": "A file before the others.", "notes/old.txt": "Newer notes about tea." });
  await ingest(place.root, settings, place.context);
  const fresh = await place.library({ config: settings });
  for (const one of [library, fresh]) {
    const context = await (await one.catalog()).chunkContext(hit!.chunkId, 0, 0);
    deepEqual([context.path, context.text.includes("Cocoa")], [hit!.filePath, true]);
  }
  place.write({ "tea.md": "Nothing is left." });
  await ingest(place.root, settings, place.context);
  const stop = new AbortController();
  for (const one of [library, fresh]) {
    const catalog = await one.catalog();
    await assertUserError(() => catalog.chunkContext(hit!.chunkId, 0, 0), "chunk_not_found");
    stop.abort(new Error("cancelled"));
    await rejects(catalog.chunkContext(hit!.chunkId, 0, 0, stop.signal), { message: "cancelled" });
    one.close();
  }
});

Deno.test("a document has its record, and its chunks in parts with their borders and what they repeat", async () => {
  using place = new Place();
  const lines = Array.from({ length: 60 }, (_, i) => `Line ${i} about tea and water.`);
  place.write({ "a.md": lines.join("\n"), "b.pdf": "not a PDF" });
  const settings = await config({ language: "en", chunking: { max_chars: 300, overlap: 60 } });
  await ingest(place.root, settings, place.context);
  const library = await place.library({ config: settings });
  const catalog = await library.catalog();
  const all = await catalog.document(place.at("a.md"), 0, 1000);
  equal(all.file.chunkCount, all.chunks.length);
  ok(all.chunks.length > 3);
  deepEqual(all.chunks.map(({ shared }) => shared > 0), all.chunks.map((_, i) => i > 0));
  const words = (text: string) => text.split(/\s+/).filter((word) => word !== "");
  deepEqual(
    words(all.chunks.map(({ text, shared }) => text.slice(shared)).join(" ")),
    words(lines.join(" ")),
  );
  const { first, chunks } = await catalog.document(place.at("a.md"), 2, 1);
  deepEqual([first, chunks], [2, [all.chunks[2]]]);
  deepEqual((await catalog.document(place.at("a.md"), 99, 5)).chunks, []);
  deepEqual((await catalog.document(place.at("b.pdf"), 0, 5)).chunks, []);
  await rejects(catalog.document(place.at("c.md"), 0, 5), { key: "document_not_indexed" });
});
