import { deepEqual } from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { Turns } from "#server/guard_connection.ts";

Deno.test("calls begin in their order, each in a turn of its own, and the first one at once", async () => {
  const turns = new Turns();
  const began: string[] = [];
  const call = (name: string) => turns.next().then(() => began.push(name));
  void call("a");
  void call("b");
  void call("c");
  const seen: string[] = [];
  for (let turn = 0; turn < 4; turn++) {
    await Promise.resolve();
    await Promise.resolve();
    seen.push(began.join(""));
    await setImmediate();
  }
  deepEqual(seen.slice(0, 1), ["a"]);
  deepEqual([...new Set(seen)], ["a", "ab", "abc"]);
  const next = call("d");
  await next;
  deepEqual(began, ["a", "b", "c", "d"]);
});
