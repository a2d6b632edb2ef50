import { deepEqual, equal, ok } from "node:assert/strict";
import { BlobIndex, type Generated, IndexReader, IndexWriter, MemoryFile } from "#engine/index/mod.ts";
import { META } from "../index/_build.ts";
import { KEY } from "../index/_blob_forge.ts";
import { bestOf, indexOf, namesOf, question } from "./_collection.ts";

const TEXTS = {
  "bridge.md": "The old bridge across the river was closed after the flood.",
  "loan.md": "The bank lends money to people who want to buy a house.",
  "kettle.md": "Fill it with a spoon of the powder, boil it twice, and rinse it.",
};

/** The same index with generated texts for some files. */
async function withGenerated(index: BlobIndex, texts: Record<string, Generated>): Promise<BlobIndex> {
  const target = new MemoryFile();
  const writer = new IndexWriter(target, KEY, [index.reader], index.vectors);
  for (const [number, { path }] of index.files.entries()) {
    writer.keep(undefined, number, () => texts[path]);
  }
  await writer.finish(META);
  return new BlobIndex(IndexReader.open(target, { key: KEY }));
}

const KETTLE: Generated = { questions: ["How is limescale removed?"], tags: ["除垢"], model: "test/m" };

for (const mode of ["hybrid", "keyword"] as const) {
  Deno.test(`${mode}: a chunk is found by its generated texts alone, and says so`, async () => {
    using plain = await indexOf(TEXTS);
    using index = await withGenerated(plain, { "kettle.md": KETTLE });
    for (const text of ["limescale", "除垢"]) {
      const before = await bestOf(question([plain], text, { mode }), { limit: 5 });
      ok(!before.some(({ filePath, chance }) => filePath === "kettle.md" && chance > 0));
      const [best] = await bestOf(question([index], text, { mode }), { limit: 5 });
      deepEqual(namesOf([best!]), ["kettle.md"]);
      equal(best!.generated, 1);
      equal(best!.coverage, 0);
      ok(best!.chance > 0 && best!.chance < 0.1);
    }
  });

  Deno.test(`${mode}: a chunk that holds the words itself comes before one with them in its generated texts`, async () => {
    using plain = await indexOf(TEXTS);
    const copied: Generated = { title: "bridge river flood", questions: ["bridge river flood"], model: "m" };
    using index = await withGenerated(plain, { "kettle.md": copied, "loan.md": copied });
    const hits = await bestOf(question([index], "bridge over the river after a flood", { mode }), {
      limit: 5,
    });
    equal(hits[0]!.filePath, "bridge.md");
    ok(hits[0]!.score > 2 * hits[1]!.score);
  });

  Deno.test(`${mode}: generated texts of other chunks change no score of a question about other words`, async () => {
    using plain = await indexOf(TEXTS);
    using index = await withGenerated(plain, { "kettle.md": KETTLE });
    const scores = async (asked: BlobIndex) =>
      (await bestOf(question([asked], "bank money house", { mode }), { limit: 5 }))
        .map(({ filePath, score, chance, coverage }) => [filePath, score, chance, coverage]);
    deepEqual(await scores(index), await scores(plain));
  });
}
