import { deepEqual, equal } from "node:assert/strict";
import type { FolderState } from "#library/ingest/types.ts";
import { Place } from "./_place.ts";

/** Longer than a test takes. */
const SETTLE = { settleMs: 600_000 };

Deno.test("a run leaves files that may still be written as they were, and lists them", async () => {
  using place = new Place();
  place.write({ "a.md": "apple", "b.md": "banana", "c.md": "cherry" });
  const old = new Date(Date.now() - 3_600_000);
  for (const name of ["a.md", "b.md"]) Deno.utimeSync(place.at(name), old, old);
  const first = await place.ingest({}, SETTLE);
  deepEqual([first.new, first.unsettled], [2, ["c.md"]]);

  place.write({ "a.md": "an apple and ha" });
  Deno.removeSync(place.at("b.md"));
  const second = await place.ingest({}, SETTLE);
  deepEqual([second.changed, second.removed, second.unsettled], [0, 1, ["a.md", "c.md"]]);

  const third = await place.ingest();
  deepEqual([third.changed, third.new, third.unsettled], [1, 1, undefined]);
});

Deno.test("files with a time in the future are not waited for, nor are unchanged ones", async () => {
  using place = new Place();
  place.write({ "a.md": "apple", "b.md": "banana" });
  const future = new Date(Date.now() + 3_600_000);
  Deno.utimeSync(place.at("a.md"), future, future);
  equal((await place.ingest({}, SETTLE)).new, 1);
  await place.ingest();
  equal((await place.ingest({}, SETTLE)).unsettled, undefined);
});

Deno.test("a run tells which folders it lists and what it skips", async () => {
  using place = new Place();
  place.write({ "sub/deep/a.md": "apple", ".hidden/b.md": "banana", "empty.md": "" });
  const states: FolderState[] = [];
  const summary = await place.ingest({}, { onState: (state) => states.push(state) });
  equal(summary.new, 1);
  const [{ folders, skipped, unsettled, hasLinkedRules }] = states as [FolderState];
  deepEqual([...folders], ["", "sub", "sub/deep"]);
  deepEqual([...skipped], [[".hidden", "hidden"], ["empty.md", "empty"]]);
  deepEqual([[...unsettled], hasLinkedRules], [[], false]);
});
