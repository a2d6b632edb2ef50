import { deepEqual, equal } from "node:assert/strict";
import { rewriteIndex } from "./_index_file.ts";
import { indexPath, Place } from "./_place.ts";

/** Bytes of texts from which on threads help with a run. */
const WORTH_THREADS = 2_000_000;
const SENTENCE = "The bridge over the long river was closed for a year. ";
const LONG = SENTENCE.repeat(Math.ceil(WORTH_THREADS / SENTENCE.length));

/** Runs `work` while the system gives the program no thread. Returns how often it asked for one. */
async function withoutThreads(work: () => Promise<void>): Promise<number> {
  const { Worker } = globalThis;
  let asked = 0;
  class NoThread {
    constructor() {
      asked++;
      throw new Error("Resource temporarily unavailable (os error 11)");
    }
  }
  globalThis.Worker = NoThread as unknown as typeof Worker;
  try {
    await work();
  } finally {
    globalThis.Worker = Worker;
  }
  return asked;
}

Deno.test("a run does all of the work itself where the system gives it no thread", async () => {
  using place = new Place();
  place.write({ "a.md": LONG });
  const asked = await withoutThreads(async () => {
    const { new: added, failed, warnings } = await place.ingest();
    deepEqual([added, failed, warnings], [1, [], undefined]);
  });
  equal(asked, 1);
  const { unchanged, rebuildReason } = await place.ingest();
  deepEqual([unchanged, rebuildReason], [1, undefined]);
});

Deno.test("a run without threads also makes a damaged index anew", async () => {
  using place = await Place.indexed({ "a.md": LONG });
  rewriteIndex(indexPath(place.root), { damaged: "texts" });
  place.write({ "b.md": LONG });
  const asked = await withoutThreads(async () => {
    const { new: added, rebuildReason } = await place.ingest({}, { verify: false });
    deepEqual([added, rebuildReason?.includes("damaged")], [1, true]);
  });
  equal(asked, 1);
});
