import assert from "node:assert/strict";
import { deepEqual } from "node:assert/strict";
import { RequestGate, Turns } from "#server/guard_connection.ts";
import { setImmediate } from "node:timers/promises";

/** A gate, and the order in which its work starts. */
function gateAndLog(capacity: number, maxWaitingBytes = 1000) {
  const gate = new RequestGate(capacity, maxWaitingBytes);
  const started: string[] = [];
  const add = (key: string, cost = 1, bytes = 10) =>
    gate.add({ key, cost, bytes, start: () => void started.push(key) });
  return { gate, started, add };
}

Deno.test("RequestGate starts work in order while it fits, and the rest when capacity becomes free", () => {
  const { gate, started, add } = gateAndLog(3);
  add("a");
  add("big", 3);
  add("b");
  assert.deepEqual(started, ["a"]);
  gate.settle("a");
  assert.deepEqual(started, ["a", "big"]);
  gate.settle("big");
  assert.deepEqual(started, ["a", "big", "b"]);
});

Deno.test("RequestGate counts work with the same key separately and ignores unknown keys", () => {
  const { gate, started, add } = gateAndLog(2);
  for (const key of ["a", "a", "b", "c"]) add(key);
  gate.settle("x");
  assert.deepEqual(started, ["a", "a"]);
  gate.settle("a");
  gate.settle("a");
  gate.settle("a");
  assert.deepEqual(started, ["a", "a", "b", "c"]);
});

Deno.test("RequestGate withdraws waiting work, but not running work", () => {
  const { gate, started, add } = gateAndLog(1);
  for (const key of ["a", "b", "c"]) add(key);
  assert.deepEqual([gate.withdraw("a"), gate.withdraw("b"), gate.withdraw("b")], [false, true, false]);
  gate.settle("a");
  assert.deepEqual(started, ["a", "c"]);
});

Deno.test("RequestGate is roomy until the waiting bytes exceed the limit, and idle when all work is settled", async () => {
  const { gate, add } = gateAndLog(1, 15);
  const said: string[] = [];
  for (const key of ["a", "b", "c"]) add(key);
  const roomy = gate.roomy().then(() => said.push("roomy"));
  const idle = gate.idle().then(() => said.push("idle"));
  await Promise.resolve();
  assert.deepEqual(said, []);
  gate.settle("a");
  await roomy;
  assert.deepEqual(said, ["roomy"]);
  gate.settle("b");
  gate.settle("c");
  await idle;
  assert.deepEqual(said, ["roomy", "idle"]);
});

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
