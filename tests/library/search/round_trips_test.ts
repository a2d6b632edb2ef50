import { ok } from "node:assert/strict";
import { documents } from "../../engine/index/_fixture.ts";
import { config, Place, storeAt } from "../ingest/_place.ts";
import { topicModels } from "../../models/embedding/_topic_models.ts";
import { makeNeuralVectors } from "#library/ingest/neural/make_neural_vectors.ts";
import type { Library, SearchRequest } from "#library/search/mod.ts";
import type { NeuralModels } from "#models/embedding/mod.ts";
import { RoundTrips } from "../store/_round_trips.ts";

/** A hundred files in English, Chinese and both, some with tables, some with metadata. */
function files(): Record<string, string> {
  const texts = documents();
  return Object.fromEntries(
    Array.from({ length: 100 }, (_, i) => {
      const parts = texts.slice(3 * i, 3 * i + 3).map((text, n) => `## Part ${n}\n\n${text}\n`);
      const table = i % 20 === 0
        ? "| name | size |\n| --- | --- |\n| disk index | 20 |\n| server | 30 |\n"
        : "";
      const head = i % 10 === 0 ? `---\nstatus: draft\ntags: [budget]\n---\n` : "";
      return [`docs/page${i}.md`, `${head}# Page ${i}\n\n${parts.join("\n")}\n${table}`];
    }),
  );
}

const QUESTION = "backup of the network server";

/** Searches, and the round trips that each of them waits for, at most. */
const SEARCHES: Readonly<Record<string, [most: number, SearchRequest & { readonly models?: true }]>> = {
  "keyword": [5, { query: QUESTION, mode: "keyword" }],
  "keyword in Chinese": [5, { query: "数据库的备份和恢复", mode: "keyword" }],
  "hybrid": [6, { query: QUESTION }],
  "hybrid in Chinese": [7, { query: "数据库的备份和恢复" }],
  "hybrid by local models": [8, { query: QUESTION, models: true }],
  "hybrid, marked": [6, { query: QUESTION, marks: true }],
  "hybrid, the next page": [9, { query: QUESTION, offset: 10 }],
  "semantic": [6, { query: QUESTION, mode: "semantic" }],
  "phrase": [9, { query: '"index file" server' }],
  "phrase that no text holds": [9, { query: '"server of backups" index' }],
  "filter": [6, { query: "index server type:md status:draft" }],
  "filter that no document meets": [4, { query: "index server status:unknown" }],
  "boolean": [9, { query: "index AND (server OR disk*) NOT network" }],
  "boolean that no chunk meets": [7, { query: "index AND server AND zyzzyva" }],
  "misspelt word": [9, { query: "confguration of the netwrk", mode: "keyword" }],
  "nothing found": [4, { query: "zyzzyva", mode: "keyword" }],
  "explained": [6, { query: QUESTION, explain: true }],
  "number in another form": [6, { query: "disk 1,234.5 server" }],
};

/** A library whose store is far away, and what counts its round trips. */
async function farAway(place: Place, models?: NeuralModels): Promise<[Library, RoundTrips]> {
  const trips = new RoundTrips();
  const library = await place.library({
    config: await config(),
    models,
    storeOf: (root) => trips.storeOf(storeAt(root)),
  });
  // The first search opens the index.
  await library.search({ query: "zyzzyva" });
  return [library, trips];
}

Deno.test("a search waits for few round trips to a store that is far away", async (t) => {
  using place = await Place.indexed(files());
  const models = topicModels();
  await makeNeuralVectors(storeAt(place.root), models);
  const [plain, trips] = await farAway(place), [neural, ofNeural] = await farAway(place, models);
  for (const [name, [most, { models, ...request }]] of Object.entries(SEARCHES)) {
    await t.step(`${name}: ${most}`, async () => {
      const [library, counted] = models ? [neural, ofNeural] : [plain, trips];
      counted.begin();
      await library.search(request);
      ok(counted.depth <= most, `${counted.depth}:\n${counted}`);
    });
  }
  const { hits: [hit] } = await plain.search({ query: QUESTION });
  const asked: Record<string, [most: number, () => Promise<unknown>]> = {
    "a chunk and its neighbours": [4, async () => (await plain.catalog()).chunkContext(hit!.chunkId, 1, 1)],
    "why a document is not in an answer": [
      18,
      () => plain.whyNot({ search: { query: QUESTION }, path: `${place.root}/docs/page4.md` }),
    ],
  };
  for (const [name, [most, ask]] of Object.entries(asked)) {
    await t.step(`${name}: ${most}`, async () => {
      trips.begin();
      await ask();
      ok(trips.depth <= most, `${trips.depth}:\n${trips}`);
    });
  }
});
