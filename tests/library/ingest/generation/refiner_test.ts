import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { Generator } from "#library/generate/mod.ts";
import { Refiner } from "#library/ingest/generation/mod.ts";
import { Place } from "../_place.ts";
import { WriterModel } from "./_writer_model.ts";

const LONG = "The pump moves water from the well to the house, and it needs little power to do so. ".repeat(8)
  .trim();
const FILES = {
  "pump.txt": `Confidential, page 3 of 9\n${LONG}\nThe text ends here.`,
  "kettle.txt": `Kettles boil water.\nThey need power.`,
};
const NOTHING = { "drop_lines": [], heading: null, "merge_with_next": false };

/** Drops the first line of what is confidential. */
function answer(request: string): unknown {
  return request.includes("Confidential") ? { ...NOTHING, "drop_lines": [1, 4, 70] } : NOTHING;
}

async function refinerOf(
  { store }: Place,
  model: WriterModel,
  makes = true,
  signal?: AbortSignal,
): Promise<Refiner> {
  return await Refiner.of(new Generator(store.generated, model), { makes, ...(signal && { signal }) });
}

async function textsOf({ store }: Place): Promise<readonly string[]> {
  const loaded = await store.open();
  if (loaded.state !== "ready") throw new Error(loaded.state);
  using index = loaded.index;
  return await index.texts(Int32Array.from(Array(index.statistics.chunks).keys()), 10_000);
}

Deno.test("a line that says nothing is dropped, one in the middle and one too many are not, and no text is new", async () => {
  using place = await Place.indexed(FILES);
  const before = await textsOf(place);
  const model = new WriterModel(answer);
  await place.ingest({}, { refiner: await refinerOf(place, model) });
  const after = await textsOf(place);
  deepEqual(after.length, before.length);
  ok(
    before.some((text) => text.includes("Confidential")) &&
      !after.some((text) => text.includes("Confidential")),
  );
  for (const text of after) ok(before.some((one) => one.includes(text)), text);
});

Deno.test("operations are asked for once: a second run, a rebuild, a rename and a copy ask for nothing", async () => {
  using place = await Place.indexed(FILES);
  const model = new WriterModel(answer);
  await place.ingest({}, { refiner: await refinerOf(place, model) });
  const [asked, refined] = [model.asked.length, await textsOf(place)];
  ok(asked >= 2);
  equal((await place.ingest({}, { refiner: await refinerOf(place, model) })).written, false);
  await place.ingest({}, { full: true, refiner: await refinerOf(place, model) });
  deepEqual(await textsOf(place), refined);
  Deno.renameSync(place.at("pump.txt"), place.at("a pump.txt"));
  Deno.copyFileSync(place.at("kettle.txt"), place.at("copy.txt"));
  await place.ingest({}, { refiner: await refinerOf(place, model) });
  equal(model.asked.length, asked);
});

Deno.test("a run that does not ask carries out what is known, and leaves the rest for one that asks", async () => {
  using place = await Place.indexed(FILES);
  const model = new WriterModel(answer);
  await place.ingest({}, { refiner: await refinerOf(place, model) });
  const asked = model.asked.length;
  place.write({
    "new.txt":
      "Confidential draft\nA lift stops at every floor.\nIt is slow, but it needs little power, and it is safe.",
  });
  await place.ingest({}, { full: true, refiner: await refinerOf(place, model, false) });
  equal(model.asked.length, asked);
  const waiting = await textsOf(place);
  equal(waiting.filter((text) => text.includes("Confidential")).length, 1);
  await place.ingest({}, { refiner: await refinerOf(place, model) });
  equal((await textsOf(place)).some((text) => text.includes("Confidential")), false);
});

Deno.test("chunks that fail stay as they are, and are tried again", async () => {
  using place = await Place.indexed(FILES);
  const before = await textsOf(place);
  let fails = true;
  const model = new WriterModel((request) => fails ? "no JSON" : answer(request));
  await place.ingest({}, { refiner: await refinerOf(place, model) });
  deepEqual(await textsOf(place), before);
  fails = false;
  await place.ingest({}, { refiner: await refinerOf(place, model) });
  ok(!(await textsOf(place)).some((text) => text.includes("Confidential")));
});

Deno.test("a run that is stopped leaves the index as it was", async () => {
  using place = await Place.indexed(FILES);
  const before = place.indexBytes();
  const stop = new AbortController();
  const model = new WriterModel(answer, "test/writer", () => Promise.resolve(stop.abort()));
  const refiner = await refinerOf(place, model, true, stop.signal);
  await rejects(place.ingest({}, { refiner, signal: stop.signal }), /abort/i);
  deepEqual(place.indexBytes(), before);
});

Deno.test("without the task, the chunks are what they were", async () => {
  using place = await Place.indexed(FILES);
  const before = await textsOf(place);
  await place.ingest({}, { refiner: await refinerOf(place, new WriterModel(answer)) });
  equal((await place.ingest()).written, true);
  deepEqual(await textsOf(place), before);
  equal((await place.ingest()).written, false);
});
