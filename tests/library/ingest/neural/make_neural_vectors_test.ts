import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import type { NeuralModels } from "#models/embedding/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { makeNeuralVectors, type NeuralOptions } from "#library/ingest/neural/make_neural_vectors.ts";
import { HashSlots } from "#library/store/mod.ts";
import { TopicModel, topicModels } from "../../../models/embedding/_topic_models.ts";
import { assertUserError } from "../../../foundation/boundary/helpers.ts";
import { Place, storeAt } from "../_place.ts";

const FILES = {
  "long.md": `A vehicle with four wheels. ${"It stands in the garage. ".repeat(20)}`,
  "short.md": "A kitten.",
  "zh.md": "一只小猫。",
  "mixed.md": "面包 is bread.",
};

async function placeWith(files: Record<string, string> = FILES): Promise<Place> {
  const place = new Place();
  place.write(files);
  await place.ingest();
  return place;
}

const make = (place: Place, models: NeuralModels = topicModels(), options: Partial<NeuralOptions> = {}) =>
  makeNeuralVectors(storeAt(place.root), models, options);

function vectorFile(place: Place): string {
  const folder = join(place.root, ".muxue_rag");
  const { name } = Deno.readDirSync(folder).find(({ name }) => name.endsWith(".vec"))!;
  return join(folder, name);
}

Deno.test("every text is given to the models of its languages once", async () => {
  using place = await placeWith({ ...FILES, "copy.md": FILES["short.md"] });
  const models = topicModels();
  const told: string[] = [];
  const summary = await make(place, models, {
    onProgress: ({ done, total }) => told.push(`${done}/${total}`),
  });
  deepEqual(summary, { done: 5, total: 5, embedded: 5, refused: 0, isStale: false });
  deepEqual(models.of("zh").texts, ["面包 is bread.", "一只小猫。"]);
  const { texts } = models.of("en");
  deepEqual(texts.map((text) => text.slice(0, 14)), ["A kitten.", "A vehicle with", "面包 is bread."]);
  deepEqual([told[0], told.at(-1)], ["0/5", "5/5"]);

  const again = topicModels();
  deepEqual(await make(place, again), { done: 5, total: 5, embedded: 0, refused: 0, isStale: false });
  deepEqual(again.of("en").texts, []);
});

Deno.test("after an update only new texts are given to the models", async () => {
  using place = await placeWith();
  const routes = new HashSlots();
  await make(place, topicModels(), { routes });
  place.write({ "new.md": "A loaf of bread." });
  await place.ingest();
  const models = topicModels();
  equal((await make(place, models, { routes })).embedded, 1);
  deepEqual(models.of("en").texts, ["A loaf of bread."]);
});

Deno.test("a run that is stopped keeps what it has made, and the next one goes on", async () => {
  using place = await placeWith();
  const stop = new AbortController();
  const onProgress = ({ done }: { done: number }) => {
    if (done > 0) stop.abort(new Error("stopped"));
  };
  await rejects(make(place, topicModels(), { signal: stop.signal, onProgress }), /stopped/);
  const { done, embedded } = await make(place);
  equal(done, 5);
  ok(embedded > 0 && embedded < 5);
});

Deno.test("a text that the model refuses is not tried again, and the others get their vectors", async () => {
  using place = await placeWith({ ...FILES, "bad.md": "This is poison." });
  deepEqual(await make(place), { done: 6, total: 6, embedded: 5, refused: 1, isStale: false });
  deepEqual(await make(place), { done: 6, total: 6, embedded: 0, refused: 0, isStale: false });
});

Deno.test("a refused text that is alone is not tried again either", async () => {
  using place = await placeWith({ "a.md": "This is poison." });
  deepEqual(await make(place), { done: 1, total: 1, embedded: 0, refused: 1, isStale: false });
  deepEqual(await make(place), { done: 1, total: 1, embedded: 0, refused: 0, isStale: false });
});

Deno.test("a model that breaks at any text is an error, and it gets the remaining texts when it is mended", async () => {
  // So long that a batch has one text.
  const texts = Array.from(
    { length: 6 },
    (_, i) => [`${i}.md`, `cat number ${i}. ${"It sleeps. ".repeat(400 + i)}`],
  );
  for (const calls of [0, 1, 4]) {
    using place = await Place.indexed(Object.fromEntries(texts), { chunking: { max_chars: 10_000 } });
    const broken = topicModels(["en"]);
    let called = 0;
    broken.of("en").before = () => {
      if (called++ >= calls) throw new UserError("neural_timeout", { path: "model.onnx", seconds: 120 });
    };
    await assertUserError(() => make(place, broken), "neural_timeout");
    deepEqual(await make(place), { done: 6, total: 6, embedded: 6 - calls, refused: 0, isStale: false });
  }
});

Deno.test("texts that searches have met come first", async () => {
  const words = Array.from({ length: 60 }, (_, i) => `${"very ".repeat(i)}red cat ${i}`);
  using place = await placeWith(Object.fromEntries(words.map((text, i) => [`${i}.md`, text])));
  const loaded = await storeAt(place.root).open();
  ok(loaded.state === "ready");
  const all = Int32Array.from({ length: 60 }, (_, i) => i);
  const texts = await loaded.index.texts(all, 1000);
  const hashes = await loaded.index.contentHashes(all);
  loaded.index.close();
  const models = topicModels();
  const wanted = [hashes[texts.indexOf(words[59]!)]!];
  await make(place, models, { wanted: () => wanted });
  equal(models.of("en").texts[0], words[59]);
  equal(models.of("en").texts.length, 60);
});

Deno.test("a run whose turn is over leaves the rest to the next one", async () => {
  const files = Array.from({ length: 40 }, (_, i) => [`${i}.md`, `cat number ${i}`]);
  using place = await placeWith(Object.fromEntries(files));
  const { embedded, isStale } = await make(place, topicModels(), { turnMs: 0 });
  deepEqual([embedded, isStale], [16, true]);
  deepEqual(await make(place), { done: 40, total: 40, embedded: 24, refused: 0, isStale: false });
});

Deno.test("fresh makes every vector again", async () => {
  using place = await placeWith();
  await make(place);
  equal((await make(place, topicModels(), { fresh: true })).embedded, 5);
});

Deno.test("when all vectors are made again, the old ones stay until the model has made the new ones", async () => {
  using place = await placeWith();
  await make(place);
  const names = () => Array.from(Deno.readDirSync(join(place.root, ".muxue_rag")), ({ name }) => name).sort();
  const before = names();
  const broken = topicModels();
  broken.of("en").before = () => {
    throw new UserError("neural_changed_file", { path: "model.onnx" });
  };
  await assertUserError(() => make(place, broken, { fresh: true }), "neural_changed_file");
  const stop = new AbortController();
  const onProgress = ({ done }: { done: number }) => {
    if (done > 0) stop.abort(new Error("stopped"));
  };
  await rejects(
    make(place, topicModels(), { fresh: true, signal: stop.signal, onProgress }),
    /stopped/,
  );
  deepEqual(names(), before);
  equal((await make(place)).embedded, 0);
});

Deno.test("when all vectors are made again, those of other models are removed", async () => {
  using place = await placeWith();
  const files = () =>
    Array.from(Deno.readDirSync(join(place.root, ".muxue_rag")), ({ name }) => name)
      .filter((name) => name.startsWith("neural-")).sort();
  await make(place);
  const current = files();
  const earlier = new TopicModel("local:en:earlier");
  await make(place, { ...topicModels(), providers: new Map([["en", earlier]]) });
  Deno.writeTextFileSync(
    join(place.root, ".muxue_rag", "neural-0123456789abcdef.vec.new"),
    "of a run that was killed",
  );
  equal(files().length, current.length + 2);
  await make(place, topicModels(), { fresh: true });
  deepEqual(files(), current);
});

Deno.test("while another process makes the vectors of a folder, the run is refused", async () => {
  using place = await placeWith();
  await using _lock = await place.store.lock("vectors");
  await assertUserError(() => make(place), "vectors_busy");
});

Deno.test("a run that offers its lock is taken over by one that waits, and nothing is made twice", async () => {
  const files = Array.from({ length: 100 }, (_, i) => [`${i}.md`, `cat number ${i}`]);
  using place = await placeWith(Object.fromEntries(files));
  const background = topicModels(), waiting = topicModels();
  const { promise: isWorking, resolve } = Promise.withResolvers<void>();
  background.of("en").before = () => resolve();
  const offering = make(place, background, { offerMs: 0 });
  await isWorking;
  waiting.of("en").before = () => offering.then(() => {}, () => {});
  const taken = make(place, waiting, { onBusy: () => {} });
  await assertUserError(() => offering, "vectors_busy");
  const { done, embedded } = await taken;
  equal(done, 100);
  ok(embedded > 0);
  const texts = [...background.of("en").texts, ...waiting.of("en").texts];
  deepEqual([texts.length, new Set(texts).size], [100, 100]);
});

Deno.test("a run whose vectors another process has continued meanwhile ends, to look again what is missing", async () => {
  const files = Array.from({ length: 40 }, (_, i) => [`${i}.md`, `cat number ${i}`]);
  using place = await placeWith(Object.fromEntries(files));
  const models = topicModels(["en"]);
  const summary = await make(place, models, {
    offerMs: 0,
    onProgress: ({ done }) => {
      // as another process does between two batches
      if (done === 16) Deno.writeFileSync(vectorFile(place), Uint8Array.of(1), { append: true });
    },
  });
  deepEqual([summary.embedded, summary.isStale], [16, true]);
  equal((await make(place, models)).done, 40);
});

Deno.test("a folder without an index needs no vectors", async () => {
  using place = new Place();
  deepEqual(await make(place), { done: 0, total: 0, embedded: 0, refused: 0, isStale: false });
});

Deno.test("short texts come before long ones", async () => {
  const texts = Array.from({ length: 40 }, (_, i) => `cat ${"word ".repeat(40 - i)}${i}`);
  using place = await placeWith(Object.fromEntries(texts.map((text, i) => [`${i + 10}.md`, text])));
  const models = topicModels();
  await make(place, models);
  const lengths = models.of("en").texts.map(({ length }) => length);
  ok(Math.max(...lengths.slice(0, 16)) < Math.min(...lengths.slice(16)), lengths.join());
});
