import { deepEqual } from "node:assert/strict";
import { cyclesIn } from "../../scripts/check_cycles.ts";

Deno.test("cyclesIn() returns every cycle once, also a module that imports itself", () => {
  const graph = new Map([["a", ["b", "c"]], ["b", ["c", "d"]], ["c", ["a"]], ["d", ["d", "e"]], ["e", []]]);
  deepEqual(cyclesIn(graph), [["a", "b", "c", "a"], ["d", "d"]]);
});

Deno.test("cyclesIn() returns no cycle if two modules import the same module", () => {
  deepEqual(cyclesIn(new Map([["a", ["b", "c"]], ["b", ["d"]], ["c", ["d"]]])), []);
});
