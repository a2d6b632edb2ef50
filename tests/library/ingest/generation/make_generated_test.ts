import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { basename } from "node:path";
import { removeGenerated } from "#library/ingest/mod.ts";
import type { Generated } from "#engine/index/mod.ts";
import { explanationText, searchAnswer, searchResult } from "#library/answer/mod.ts";
import { checkAnswer } from "#library/search/mod.ts";
import { Place } from "../_place.ts";
import { make, WriterModel } from "./_writer_model.ts";

const FILES = {
  "kettle.md":
    "# Kettle\n\nFill it with two spoons of citric acid and water, boil it twice, wait for ten minutes, and rinse it well.",
  "loan.md":
    "# Loan\n\nThe bank lends money to people who want to buy a house, and they pay it back over many years with interest.",
  "茶.md":
    "# 绿茶\n\n用八十度的热水冲泡绿茶，时间为两分钟，不要用沸水，否则茶汤会变得又苦又涩，颜色也不好看。",
};

/** Says the same of every passage, in its language. */
function answer(passage: string): unknown {
  return /\p{Script=Han}/u.test(passage)
    ? { title: "茶的冲泡", summary: "说明如何冲泡。", tags: ["品茗"], questions: ["水温多少？"] }
    : { title: "", summary: "", tags: ["limescale removal"], questions: ["How is limescale removed?"] };
}

/** The generated texts of a folder's chunks by file. */
async function generatedOf({ store }: Place): Promise<Record<string, Omit<Generated, "keys"> | undefined>> {
  const loaded = await store.open();
  if (loaded.state !== "ready") throw new Error(loaded.state);
  using index = loaded.index;
  const all = await index.generated(Int32Array.from(Array(index.statistics.chunks).keys()));
  return Object.fromEntries(index.files.map(({ path, firstChunk }) => {
    const { keys: _, ...texts } = all[firstChunk] ?? { model: "" };
    return [path, all[firstChunk] && texts];
  }));
}

const LIMESCALE = {
  tags: ["limescale removal"],
  questions: ["How is limescale removed?"],
  model: "test/writer",
};
const TEA = { title: "茶的冲泡", summary: "说明如何冲泡。", questions: ["水温多少？"], model: "test/writer" };

Deno.test("an index gets what a model says about its chunks, and chunks are found by it", async () => {
  using place = await Place.indexed(FILES);
  const model = new WriterModel(answer);
  deepEqual(await make(place, model), { total: 3, done: 3, made: 3, isStale: false, calls: 3 });
  const { "茶.md": tea, ...others } = await generatedOf(place);
  deepEqual(others, { "kettle.md": LIMESCALE, "loan.md": LIMESCALE });
  ok(tea?.title === TEA.title && tea.questions?.[0] === TEA.questions[0]);
  const library = await place.library();
  const { hits } = await library.search({ query: "limescale" });
  deepEqual(hits.map(({ filePath }) => basename(filePath)).sort(), ["kettle.md", "loan.md"]);
});

Deno.test("a hit says what a model wrote about it, apart from its text, and when only that was found", async () => {
  using place = await Place.indexed(FILES);
  await make(place, new WriterModel(answer));
  const library = await place.library();
  const found = await library.search({ query: "limescale", explain: true });
  const [hit] = found.hits;
  deepEqual(hit!.generated, { ...LIMESCALE, isOnlyMatch: true });
  ok(!hit!.content.includes("limescale"));
  equal(hit!.degree, "low");
  const [data] = searchResult(found, "en").data.match_content;
  deepEqual(data!.generated, { ...LIMESCALE, only_match: true });
  const { text } = searchAnswer({ found }, "en");
  ok(text.includes("found only by a text that a model wrote"));
  ok(!text.includes("limescale"));
  ok(explanationText(found, "en").includes("texts that a model wrote 1"));
  const [other] = (await library.search({ query: "citric acid" })).hits;
  deepEqual(other!.generated, LIMESCALE);
});

Deno.test("the texts of a model do not support an answer", async () => {
  using place = await Place.indexed(FILES);
  await make(place, new WriterModel(answer));
  const library = await place.library();
  const { hits: [hit] } = await library.search({ query: "limescale" });
  const checked = await checkAnswer(library, { answer: "Limescale is removed.", chunkIds: [hit!.chunkId] });
  deepEqual(checked.sentences.map(({ verdict }) => verdict), ["not_found"]);
});

Deno.test("nothing is asked twice: again, after a rebuild, a move, a rename and a copy", async () => {
  using place = await Place.indexed(FILES);
  const model = new WriterModel(answer);
  await make(place, model);
  const before = await generatedOf(place);
  equal((await make(place, model)).calls, 0);
  await place.ingest({}, { full: true });
  deepEqual(await make(place, model), { total: 3, done: 3, made: 0, isStale: false, calls: 0 });
  deepEqual(await generatedOf(place), before);
  Deno.mkdirSync(place.at("sub"));
  Deno.renameSync(place.at("kettle.md"), place.at("sub/teapot.md"));
  Deno.copyFileSync(place.at("loan.md"), place.at("credit.md"));
  await place.ingest();
  equal((await make(place, model)).calls, 0);
  deepEqual(Object.keys(await generatedOf(place)).sort(), ["credit.md", "loan.md", "sub/teapot.md", "茶.md"]);
  deepEqual((await generatedOf(place))["credit.md"], LIMESCALE);
});

Deno.test("a changed chunk is one request, another model asks about all", async () => {
  using place = await Place.indexed(FILES);
  const model = new WriterModel(answer);
  await make(place, model);
  place.write({ "loan.md": FILES["loan.md"].replace("many years", "several years") });
  await place.ingest();
  deepEqual(await make(place, model), { total: 3, done: 3, made: 1, isStale: false, calls: 1 });
  ok(model.asked.at(-1)!.includes("several years"));
  const other = new WriterModel(answer, "test/other");
  equal((await make(place, other)).calls, 3);
  ok(Object.values(await generatedOf(place)).every((texts) => texts?.model === "test/other"));
});

Deno.test("a chunk that fails leaves the others alone, and is asked about again by the next run", async () => {
  using place = await Place.indexed(FILES);
  let fails = true;
  const model = new WriterModel((passage) => fails && passage.includes("bank") ? "no JSON" : answer(passage));
  deepEqual(await make(place, model), { total: 3, done: 2, made: 2, isStale: false, calls: 3 });
  equal((await generatedOf(place))["loan.md"], undefined);
  fails = false;
  deepEqual(await make(place, model), { total: 3, done: 3, made: 1, isStale: false, calls: 1 });
  deepEqual((await generatedOf(place))["loan.md"], LIMESCALE);
});

const REJECTED = {
  total: 3,
  done: 0,
  rejected: {
    count: 3,
    chunks: Object.keys(FILES).toSorted().map((path) => ({ path, startLine: 1, endLine: 3 })),
  },
  made: 0,
  isStale: false,
};

/** A summary with its rejected chunks by their paths: two requests run at a time. */
function sorted({ rejected, ...summary }: Awaited<ReturnType<typeof make>>) {
  const byPath = (one: { path: string }, other: { path: string }) => one.path < other.path ? -1 : 1;
  return { ...summary, rejected: rejected && { ...rejected, chunks: rejected.chunks.toSorted(byPath) } };
}

Deno.test("an answer without a supported part is rejected once and for all", async () => {
  using place = await Place.indexed(FILES);
  const model = new WriterModel(() => ({
    title: "",
    summary: "It costs 77 dollars.",
    tags: ["Siemens"],
    questions: [],
  }));
  deepEqual(sorted(await make(place, model)), { ...REJECTED, calls: 3 });
  ok(Object.values(await generatedOf(place)).every((texts) => texts === undefined));
  deepEqual(sorted(await make(place, model)), { ...REJECTED, calls: 0 });
});

Deno.test("a run that is stopped keeps its answers, and the next repeats no more than were under way", async () => {
  using place = await Place.indexed(
    Object.fromEntries(
      Array.from({ length: 20 }, (_, i) => [`${i}.md`, `# ${i}\n\n${FILES["loan.md"]} ${i}`]),
    ),
  );
  const stop = new AbortController();
  const model = new WriterModel(answer, "test/writer", async () => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (model.asked.length >= 9) stop.abort();
  });
  await rejects(make(place, model, stop.signal), /abort/i);
  const asked = model.asked.length;
  const { made, done, calls } = await make(place, model);
  deepEqual([done, made], [20, calls]);
  ok(asked + calls <= 20 + model.concurrency, `${asked} + ${calls}`);
});

Deno.test("without the task, the texts are removed, and the index is what it was", async () => {
  using place = await Place.indexed(FILES);
  const before = place.indexBytes();
  equal(await removeGenerated(place.store), false);
  await make(place, new WriterModel(answer));
  equal(await removeGenerated(place.store), true);
  deepEqual(place.indexBytes(), before);
});

Deno.test("short chunks are not asked about", async () => {
  using place = await Place.indexed({ "a.md": "# Short\n\nA few words." });
  deepEqual(await make(place, new WriterModel(answer)), {
    ...{ total: 0, done: 0, made: 0, isStale: false },
    calls: 0,
  });
});
