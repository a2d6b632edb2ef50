import { deepEqual, equal } from "node:assert/strict";
import { FolderSchedule, WatchedFolder } from "#program/commands/serve/update_schedule.ts";
import type { FolderState } from "#library/ingest/types.ts";
import { TempDir } from "../foundation/boundary/helpers.ts";

const DONE = { state: "done", watched: true } as const;

/** A schedule after its first update, which ended at 0 ms: the first reconciliation is due at 30,000 ms. */
function afterFirst(): FolderSchedule {
  const schedule = new FolderSchedule(0);
  equal(schedule.begin(0), "reconciliation");
  schedule.end(0, DONE);
  return schedule;
}

/** Runs an update when it is due, which takes no time. Returns its time and cause. */
function run(schedule: FolderSchedule, outcome: Parameters<FolderSchedule["end"]>[1] = DONE) {
  const at = schedule.dueAt;
  const cause = schedule.begin(at);
  schedule.end(at, outcome);
  return [at, cause];
}

Deno.test("changes that never pause are taken up 2 s after the first", () => {
  const schedule = afterFirst();
  for (let now = 1000; now < 10_000; now += 10) {
    if (schedule.dueAt <= now) break;
    schedule.changed(now);
  }
  deepEqual(run(schedule), [3000, "changes"]);
});

Deno.test("changes during an update belong to the next one, which waits as long as the update took, at most 2 s", () => {
  for (const [took, pause] of [[100, 300], [1000, 1000], [60_000, 2000]] as const) {
    const schedule = afterFirst();
    schedule.changed(1000);
    schedule.begin(1300);
    schedule.changed(1300 + took);
    schedule.end(1300 + took, DONE);
    equal(schedule.dueAt, 1300 + took + pause);
  }
});

Deno.test("reconciliations become rarer while they find nothing, up to every 5 minutes", () => {
  const schedule = afterFirst();
  const times = Array.from({ length: 6 }, () => run(schedule)[0]);
  deepEqual(times, [30_000, 90_000, 210_000, 450_000, 750_000, 1_050_000]);
});

Deno.test("a reconciliation that finds what no event told is followed by the next after 30 s", () => {
  const schedule = afterFirst();
  run(schedule);
  deepEqual(run(schedule, { ...DONE, written: true }), [90_000, "reconciliation"]);
  equal(schedule.dueAt, 120_000);
  // The change was found by an event, so it does not show that events get lost.
  schedule.changed(119_900);
  deepEqual(run(schedule, { ...DONE, written: true }), [120_000, "reconciliation"]);
});

Deno.test("a busy folder is tried again every 2 s until it is free", () => {
  const schedule = afterFirst();
  schedule.changed(1000);
  deepEqual(run(schedule, { ...DONE, state: "busy" }), [1300, "changes"]);
  deepEqual(run(schedule, { ...DONE, state: "busy" }), [3300, "changes"]);
  deepEqual(run(schedule), [5300, "changes"]);
  equal(schedule.dueAt, 30_000);
  equal(run(schedule, { ...DONE, state: "busy" })[1], "reconciliation");
  deepEqual(run(schedule), [32_000, "reconciliation"]);
});

Deno.test("a folder that fails is tried again after 1 minute and then less and less often, whatever changes in it", () => {
  const schedule = afterFirst();
  schedule.changed(1000);
  run(schedule, { ...DONE, state: "failed" });
  schedule.changed(2000);
  deepEqual(run(schedule, { ...DONE, state: "failed" }), [61_300, "reconciliation"]);
  deepEqual(run(schedule, { ...DONE, state: "failed" }), [181_300, "reconciliation"]);
  schedule.reconcile(182_000);
  equal(schedule.dueAt, 182_000);
});

Deno.test("files that may still be written are looked at again after 600 ms, 1.2 s and so on", () => {
  const schedule = afterFirst();
  schedule.changed(1000);
  const unsettled = { ...DONE, unsettled: true };
  deepEqual([1, 2, 3, 4].map(() => run(schedule, unsettled)[0]), [1300, 1900, 3100, 5500]);
  equal(schedule.hasChanges, false);
  deepEqual(run(schedule), [10_300, "changes"]);
  schedule.changed(20_000);
  run(schedule, unsettled);
  equal(schedule.dueAt, 20_900);
});

const NOTHING = () => {};

function stateOf(indexedAt: string): FolderState {
  return {
    indexedAt,
    folders: new Set([""]),
    skipped: new Map(),
    unsettled: new Set(),
    hasLinkedRules: false,
  };
}

Deno.test("a folder that is replaced while its watch starts is watched at its new place", async () => {
  using dir = new TempDir();
  const root = dir.at("docs");
  Deno.mkdirSync(root);
  const starts: ((watch: Disposable) => void)[] = [];
  const ended: number[] = [];
  const folder = new WatchedFolder(
    root,
    { onChange: NOTHING, onFlood: NOTHING, onUnwatched: NOTHING },
    () => new Promise((resolve) => starts.push(resolve)),
  );
  const start = (number: number) => starts[number]!({ [Symbol.dispose]: () => ended.push(number) });
  equal(await folder.look(), "same");
  const following = folder.follow(stateOf("before"));
  Deno.renameSync(root, dir.at("gone"));
  Deno.mkdirSync(root);
  equal(await folder.look(), "other");
  equal(await folder.follow(stateOf("after")), false);
  start(0);
  while (starts.length < 2) await Promise.resolve();
  start(1);
  equal(await following, true);
  equal(folder.isComplete, true);
  deepEqual(ended, [0]);
});
