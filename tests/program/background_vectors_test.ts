import { deepEqual, equal, match, ok } from "node:assert/strict";
import { basename } from "node:path";
import { BackgroundVectors } from "#program/commands/serve/background_work.ts";
import { makeVectors } from "#program/update_index.ts";
import type { Session } from "#program/request.ts";
import { EmbeddingFailure } from "#models/embedding/mod.ts";
import { Extractor } from "#library/extract/mod.ts";
import { ingest, neuralShare } from "#library/ingest/mod.ts";
import { NO_LOG } from "#foundation/log.ts";
import { WantedTexts } from "#library/search/mod.ts";
import { topicModels } from "../models/embedding/_topic_models.ts";
import { KEY } from "../engine/index/_blob_forge.ts";
import { config, Place, storeAt } from "../library/ingest/_place.ts";
import { fakeContext, fakeRequest } from "./_fake_io.ts";
import { reembed } from "#program/commands/serve/background_updates.ts";
import { assertUserError } from "../foundation/boundary/helpers.ts";
import { KeptFolder } from "./_kept_folder.ts";

function sessionFor(place: Place): { readonly session: Session; readonly stderr: () => string } {
  const { context, stderr } = fakeContext({ flags: { dir: [place.root] }, language: "en" });
  const session = {
    ...fakeRequest({ command: "serve", roots: [place.root], indexKey: KEY }),
    ...context,
    log: NO_LOG,
    extractor: Extractor.none(),
    models: () => Promise.resolve(undefined),
    languageModels: () => Promise.resolve(undefined),
    traces: () => Promise.resolve(undefined),
  };
  return { session, stderr };
}

async function placeWith(files: Record<string, string>): Promise<Place> {
  const place = new Place();
  place.write(files);
  await place.ingest();
  return place;
}

/** Waits until the folder has so many vectors. */
async function complete(place: Place, done: number): Promise<void> {
  for (;;) {
    const share = await neuralShare(storeAt(place.root), topicModels());
    if (share?.done === done) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

Deno.test("a server makes the vectors of its folders, and those of files that are indexed later", async () => {
  using place = await placeWith({ "a.md": "A kitten.", "b.md": "一只小猫。" });
  const models = topicModels();
  const { session, stderr } = sessionFor(place);
  {
    await using _vectors = new BackgroundVectors(session, models, { isBusy: () => false });
    await complete(place, 2);
    place.write({ "c.md": "A loaf of bread." });
    await place.ingest();
    await complete(place, 3);
  }
  deepEqual(models.of("en").texts.toSorted(), ["A kitten.", "A loaf of bread."]);
  equal(stderr(), "");
});

Deno.test("the work waits while searches are under way, and stops with the server", async () => {
  using place = await placeWith(
    Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`${i}.md`, `cat ${i}`])),
  );
  const models = topicModels();
  let isBusy = false;
  models.of("en").before = () => {
    isBusy = true;
  };
  const { session } = sessionFor(place);
  const vectors = new BackgroundVectors(session, models, { isBusy: () => isBusy });
  while (!isBusy) await new Promise((resolve) => setTimeout(resolve, 5));
  await new Promise((resolve) => setTimeout(resolve, 100));
  equal(models.of("en").texts.length, 16, "one batch");
  isBusy = false;
  models.of("en").before = () => {};
  await complete(place, 40);
  await vectors[Symbol.asyncDispose]();
});

Deno.test("index --wait takes over from a server that is making vectors", async () => {
  using place = await placeWith(
    Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`${i}.md`, `cat number ${i}`])),
  );
  const slow = topicModels(), fast = topicModels();
  const { promise: isWorking, resolve } = Promise.withResolvers<void>();
  slow.of("en").before = async () => {
    resolve();
    await new Promise((resolve) => setTimeout(resolve, 2100));
  };
  const { session, stderr } = sessionFor(place);
  await using _vectors = new BackgroundVectors(session, slow, { isBusy: () => false });
  await isWorking;
  const summary = await makeVectors({ ...session, models: () => Promise.resolve(fast) }, place.root);
  equal(summary?.done, 60);
  deepEqual([slow.of("en").texts.length, fast.of("en").texts.length], [16, 44]);
  match(stderr(), /^Another process \(\d+\) is making the vectors of the model for .* Waiting for it/);
});

Deno.test("the folder whose texts searches have met comes first", async () => {
  using place = new Place();
  const roots = ["one", "two", "three"].map((name) => place.at(name));
  for (const root of roots) {
    place.write({ [`${basename(root)}/a.md`]: `A kitten of ${basename(root)}.` });
    await ingest(root, await config(), place.context);
  }
  const wanted = new WantedTexts();
  wanted.add(roots[2]!, new Uint8Array(16));
  const models = topicModels();
  const session = { ...sessionFor(place).session, roots };
  {
    await using _vectors = new BackgroundVectors(session, models, { isBusy: () => false, wanted });
    while (models.of("en").texts.length < 3) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  deepEqual(models.of("en").texts, ["three", "one", "two"].map((name) => `A kitten of ${name}.`));
});

Deno.test("a model that does not work is reported once", async () => {
  using place = await placeWith({ "a.md": "A kitten." });
  const models = topicModels();
  const { promise: tried, resolve } = Promise.withResolvers<void>();
  models.of("en").before = () => {
    setTimeout(resolve, 50);
    throw new EmbeddingFailure("bad_answer", {});
  };
  const { session, stderr } = sessionFor(place);
  {
    await using _vectors = new BackgroundVectors(session, models, { isBusy: () => false });
    await tried;
  }
  match(stderr(), /^Note: The vectors of the local models for .* could not be made: /);
  ok(stderr().trim().split("\n").length === 1);
});

Deno.test("a folder that is not indexed yet is not an error", async () => {
  using place = new Place();
  place.write({ "a.md": "A kitten." });
  const { session, stderr } = sessionFor(place);
  {
    await using _vectors = new BackgroundVectors(session, topicModels(), { isBusy: () => false });
    await place.ingest();
    await complete(place, 1);
  }
  equal(stderr(), "");
});

Deno.test("index --wait tells the number of vectors and an estimate, then the rate and the time left every ten seconds", async () => {
  const words = "cat number ".repeat(100);
  using place = await placeWith(
    Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`${i}.md`, `${words}${i}`])),
  );
  const { session, stderr } = sessionFor(place);
  const models = topicModels();
  const { now } = performance;
  let seconds = 0;
  performance.now = () => seconds * 1000;
  // Each batch takes eight seconds.
  models.of("en").before = () => void (seconds += 8);
  try {
    await makeVectors({ ...session, models: () => Promise.resolve(models) }, place.root);
  } finally {
    performance.now = now;
  }
  const lines = stderr().replaceAll(place.root, "DIR").trimEnd().split("\n");
  match(
    lines[0]!,
    /^Making 40 vectors of the local models for DIR: about \d+ s; keywords and built-in word vectors can be searched meanwhile$/,
  );
  const parts = lines.slice(1).map((line) =>
    /^\d+ % {2}(\d+)\/40 vectors of the model, ([\d.]+)\/s, (\d+) s left$/.exec(line)
  );
  ok(parts.length >= 3 && parts.every((part) => part !== null), lines.join("\n"));
  const [, done, rate, left] = parts[0]!.map(Number);
  ok(Math.abs(done! / rate! / 16 - 1) < 0.1 && Math.abs(left! / ((40 - done!) / rate!) - 1) < 0.2, lines[1]);
});

const { signal } = new AbortController();

Deno.test("a document gets new vectors of the index and of local models, while the background work rests", async () => {
  await using folder = await KeptFolder.settled({ "cat.md": "A kitten.", "bread.md": "A loaf of bread." });
  const models = topicModels();
  await using vectors = new BackgroundVectors(folder.session, models, { isBusy: () => false });
  while (models.of("en").texts.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  let made: ReturnType<typeof reembed>;
  const cat = { root: folder.root, path: "cat.md", signal };
  await folder.clock.through(() => made = reembed(folder.session, folder.updates, { models, vectors }, cat));
  const { id } = models.of("en");
  const { models: of, ...rest } = await made!;
  deepEqual([rest, of[0]!.split(":")[0]!.slice(0, 7), of.slice(1)], [
    { chunks: 1, refused: 0 },
    "builtin",
    [id],
  ]);
  deepEqual(models.of("en").texts.toSorted(), ["A kitten.", "A kitten.", "A loaf of bread."]);
  const share = await neuralShare(storeAt(folder.root), models);
  deepEqual([share?.done, share?.total], [2, 2]);
});

Deno.test("a document without an index, and a configuration without vectors, are errors", async () => {
  await using folder = await KeptFolder.settled({ "cat.md": "A kitten." });
  let made: Promise<unknown>;
  const no = { root: folder.root, path: "no.md", signal };
  await folder.clock.through(() =>
    (made = reembed(folder.session, folder.updates, undefined, no)).catch(() => {})
  );
  await assertUserError(() => made, "document_not_indexed");
  const config = { ...folder.session.config };
  const without = {
    ...folder.session,
    config: { ...config, embedding: { ...config.embedding, provider: "none" as const } },
  };
  await assertUserError(
    () => reembed(without, folder.updates, undefined, no),
    "no_vectors_made",
  );
});
