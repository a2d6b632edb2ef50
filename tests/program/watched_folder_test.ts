import { deepEqual, equal } from "node:assert/strict";
import { WatchedFolder } from "#program/commands/serve/update_schedule.ts";
import type { FolderState } from "#library/ingest/types.ts";
import { TempDir } from "../foundation/boundary/helpers.ts";

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
