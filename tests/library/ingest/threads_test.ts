import { deepEqual } from "node:assert/strict";
import { Place } from "./_place.ts";

/** Bytes of texts from which on threads help with a run. */
const WORTH_THREADS = 2_000_000;

Deno.test("a run does all of the work itself where the system gives it no thread", async () => {
  using place = new Place();
  const sentence = "The bridge over the long river was closed for a year. ";
  place.write({ "a.md": sentence.repeat(Math.ceil(WORTH_THREADS / sentence.length)) });
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
    const { new: added, failed, warnings } = await place.ingest();
    deepEqual([added, failed, warnings, asked], [1, [], undefined, 1]);
  } finally {
    globalThis.Worker = Worker;
  }
  const { unchanged, rebuildReason } = await place.ingest();
  deepEqual([unchanged, rebuildReason], [1, undefined]);
});
