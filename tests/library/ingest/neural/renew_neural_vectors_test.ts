import { deepEqual, equal, rejects } from "node:assert/strict";
import { makeNeuralVectors, neuralShare, renewNeuralVectors } from "#library/ingest/mod.ts";
import { topicModels } from "../../../models/embedding/_topic_models.ts";
import { assertUserError } from "../../../foundation/boundary/helpers.ts";
import { Place, storeAt } from "../_place.ts";

const FILES = {
  "cat.md": "A kitten.",
  "bread.md": "面包 is bread.",
  "zh.md": "一只小猫。",
  "copy.md": "A kitten.",
};

async function placeWith(files: Record<string, string> = FILES): Promise<Place> {
  const place = new Place();
  place.write(files);
  await place.ingest();
  await makeNeuralVectors(storeAt(place.root), topicModels());
  return place;
}

const shareOf = (place: Place) => neuralShare(storeAt(place.root), topicModels());

Deno.test("the vectors of one document are made again by the models of its languages", async () => {
  using place = await placeWith();
  const before = await shareOf(place);
  const models = topicModels();
  const seen: number[] = [];
  const renewed = await renewNeuralVectors(storeAt(place.root), models, "bread.md", {
    onProgress: ({ done }) => seen.push(done),
  });
  deepEqual(renewed, { models: [...models.providers.values()].map(({ id }) => id), embedded: 2, refused: 0 });
  deepEqual([models.of("zh").texts, models.of("en").texts], [["面包 is bread."], ["面包 is bread."]]);
  deepEqual(seen, [0, 1, 2]);
  deepEqual(await shareOf(place), before);
});

Deno.test("the model of a chunk's language makes its vector again, whatever scripts its text has", async () => {
  using place = await placeWith();
  const models = { ...topicModels(), routesOf: () => ["en" as const] };
  const { embedded } = await renewNeuralVectors(storeAt(place.root), models, "zh.md");
  equal(embedded, 2);
});

Deno.test("a run that is stopped or fails leaves the vectors that there are", async () => {
  using place = await placeWith();
  const before = await shareOf(place);
  const stop = new AbortController();
  stop.abort(new Error("stopped"));
  const store = storeAt(place.root);
  await rejects(
    renewNeuralVectors(store, topicModels(), "cat.md", { signal: stop.signal }),
    { message: "stopped" },
  );
  deepEqual(await shareOf(place), before);
  equal(before?.done, before?.total);
});

Deno.test("a document that is not in the index has no vectors", async () => {
  using place = await placeWith();
  await assertUserError(
    () => renewNeuralVectors(storeAt(place.root), topicModels(), "no.md"),
    "document_not_indexed",
  );
});
