/** With wrong bytes at any position, an answer is that of the sound index, or the index is not ready. */
import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { LazyTable, type NeuralModels } from "#models/embedding/mod.ts";
import { openLibrary } from "#library/search/mod.ts";
import type { Library } from "#library/search/types.ts";
import { ingest, makeNeuralVectors } from "#library/ingest/mod.ts";
import { topicModels } from "../../models/embedding/_topic_models.ts";
import { changedJson, KEY, sectionOf, withSections } from "../../engine/index/_blob_forge.ts";
import { random } from "../../engine/index/_build.ts";
import { documents } from "../../engine/index/_fixture.ts";
import { config, indexPath, Place, storeAt } from "../ingest/_place.ts";

const QUERIES = ["running index files", '"of the"', "数据库的备份", '"数据库" -server', "how to search 检索"];
const TRIES = 40;

/** A place with an index of some tens of blocks, and the table of its words. */
async function indexed(): Promise<{ place: Place; table: LazyTable } & Disposable> {
  const place = new Place();
  const texts = documents();
  const names = Array.from({ length: 30 }, (_, i) => `${i}.txt`);
  place.write(
    Object.fromEntries(names.map((name, i) => [name, texts.slice(10 * i, 10 * i + 10).join("\n\n")])),
  );
  await place.ingest({ chunking: { max_chars: 200 } });
  return { place, table: new LazyTable(), [Symbol.dispose]: () => place[Symbol.dispose]() };
}

/** Returns the library's answer to a query without its time, or the key of the error. */
async function answerOf(library: Library, query: string): Promise<unknown> {
  try {
    const { hits, notices } = await library.search({ query });
    return { hits, notices };
  } catch (error) {
    return (error as { key?: string }).key ?? String(error);
  }
}

/** Changes a file in place, with the same times. */
function overwrite(path: string, bytes: Uint8Array): void {
  const { atime, mtime } = Deno.statSync(path);
  using file = Deno.openSync(path, { write: true });
  for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
  Deno.utimeSync(path, atime!, mtime!);
}

for (const [by, models] of [["keywords", undefined], ["local models", topicModels()]] as const) {
  const what = `${TRIES} indexes with wrong bytes answer like the sound one, or are refused, by ${by}`;
  Deno.test(what, () => compareDamaged(models));
}

async function compareDamaged(models: NeuralModels | undefined): Promise<void> {
  using sound = await indexed();
  const { place, table } = sound;
  const path = indexPath(place.root);
  const good = place.indexBytes();
  if (models !== undefined) {
    await makeNeuralVectors(storeAt(place.root), models);
  }
  const options = { key: KEY, table, models };
  const library = openLibrary([place.root], await config(), options);
  const wanted = new Map<string, unknown>();
  for (const query of QUERIES) wanted.set(query, await answerOf(library, query));
  library.close();
  const next = random(20261122);
  const counts = { same: 0, refused: 0 };
  for (let i = 0; i < TRIES; i++) {
    const bytes = good.slice();
    for (let flips = 1 + Math.floor(3 * next()); flips > 0; flips--) {
      bytes[Math.floor(bytes.length * next())]! ^= 1 + Math.floor(255 * next());
    }
    // A page of zeros, as after a disk failure.
    if (i % 5 === 0) {
      bytes.fill(0, 4096 * Math.floor(bytes.length / 4096 * next())).set(good.subarray(-1), good.length - 1);
    }
    // Half of the files are changed in place while the index is open, with the same size and times.
    const isOpen = i % 2 === 0;
    if (isOpen) Deno.writeFileSync(path, good);
    const damaged = openLibrary([place.root], await config(), options);
    if (isOpen) {
      await answerOf(damaged, QUERIES[i % QUERIES.length]!);
      overwrite(path, bytes);
    } else Deno.writeFileSync(path, bytes);
    for (const query of QUERIES) {
      const answer = await answerOf(damaged, query);
      if (answer === "index_not_ready") counts.refused++;
      else {
        deepEqual(answer, wanted.get(query), `try ${i}, ${query}`);
        counts.same++;
      }
    }
    damaged.close();
  }
  ok(counts.same > 0 && counts.refused > TRIES, JSON.stringify(counts));
}

Deno.test("a folder whose index has senseless line numbers is not searched, without an internal error", async () => {
  using place = new Place();
  const paragraphs = Array.from({ length: 30 }, (_, i) => `apple${i} `.repeat(150));
  place.write({ "a.txt": paragraphs.join("\n\n") });
  await ingest(place.root, await config(), place.context);
  const path = indexPath(place.root);
  const blob = Deno.readFileSync(path);
  for (const byte of [0x80, 0x00, 0x01]) {
    const lines = sectionOf(blob, "chunk.startLine").slice().fill(byte);
    Deno.writeFileSync(path, withSections(blob, { "chunk.startLine": lines }));
    const library = await place.library();
    await rejects(library.search({ query: "apple1 apple2 apple3 apple4", topK: 50 }), {
      key: "index_not_ready",
    });
  }
});

for (
  const [what, change] of Object.entries({
    "posting lists of zeros": (blob: Uint8Array) => ({
      postings: sectionOf(blob, "postings").slice().fill(0),
    }),
    "words of zeros": (blob: Uint8Array) => ({ words: sectionOf(blob, "words").slice().fill(0xff) }),
    "no texts": () => ({ texts: undefined }),
    "texts elsewhere": (blob: Uint8Array) => ({
      "chunk.textAt": sectionOf(blob, "chunk.textAt").slice().fill(0xff),
    }),
    "no free slot": (blob: Uint8Array) => ({ "term.slots": sectionOf(blob, "term.slots").slice().fill(1) }),
    "a file table of other things": (blob: Uint8Array) => changedJson(blob, "files", () => [1, 2]),
    "vectors of another length": (blob: Uint8Array) => ({
      "vector.scales": sectionOf(blob, "vector.scales").slice(4),
    }),
  })
) {
  Deno.test(`an index with senseless contents does not affect other folders: ${what}`, async () => {
    using place = new Place();
    for (const name of ["good", "bad"]) {
      place.write({ [`${name}/a.txt`]: `an apple of ${name}` });
      await ingest(place.at(name), await config(), place.context);
    }
    const path = indexPath(place.at("bad"));
    const blob = Deno.readFileSync(path);
    Deno.writeFileSync(path, withSections(blob, change(blob)));
    const library = await place.library({ roots: ["good", "bad"].map((name) => place.at(name)) });
    for (const query of ["apple", '"an apple"']) {
      const { hits, notices } = await library.search({ query });
      deepEqual(hits.map(({ content }) => content), ["an apple of good"]);
      equal(notices.length, 1);
    }
  });
}

Deno.test("a byte that changes before local models read it does not affect other folders", async () => {
  using place = new Place();
  const models = topicModels();
  for (const name of ["good", "bad"]) {
    // So many chunks that their hashes have blocks of the index of their own.
    const rest = Array.from({ length: 600 }, (_, i) => `Sentence ${i} of many. `.repeat(4)).join("\n\n");
    place.write({ [`${name}/a.txt`]: `a cat of ${name}`, [`${name}/rest.txt`]: rest });
    await ingest(place.at(name), await config({ chunking: { max_chars: 100 } }), place.context);
    await makeNeuralVectors(storeAt(place.at(name)), models);
  }
  const roots = ["good", "bad"].map((name) => place.at(name));
  const library = openLibrary(roots, await config(), { key: KEY, models });
  equal((await library.search({ query: "nothing", mode: "keyword" })).hits.length, 0);
  const path = indexPath(place.at("bad"));
  const blob = Deno.readFileSync(path);
  sectionOf(blob, "chunk.hash")[600 * 16 - 2000]! ^= 1;
  overwrite(path, blob);
  const { hits, notices } = await library.search({ query: "feline", topK: 1 });
  deepEqual([hits.map(({ content }) => content), notices.length], [["a cat of good"], 1]);
  await rejects(library.search({ query: "feline", dirPath: place.at("bad") }), { key: "index_not_ready" });
  library.close();
});

Deno.test("a file that shrinks under an open index does not affect other folders", async () => {
  using place = new Place();
  for (const name of ["good", "bad"]) {
    place.write({ [`${name}/a.txt`]: `an apple of ${name}` });
    await ingest(place.at(name), await config(), place.context);
  }
  const library = await place.library({ roots: ["good", "bad"].map((name) => place.at(name)) });
  equal((await library.search({ query: "apple" })).hits.length, 2);
  Deno.truncateSync(indexPath(place.at("bad")), 5000);
  deepEqual((await library.search({ query: "apple" })).hits.map(({ content }) => content), [
    "an apple of good",
  ]);
});
