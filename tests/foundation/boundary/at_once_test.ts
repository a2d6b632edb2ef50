import { equal } from "node:assert/strict";
import { holdAtOnce } from "#foundation/boundary/open_file.ts";

Deno.test("holdAtOnce() is true if both conditions always hold, and checks each at least once", () => {
  for (let tries = 0; tries < 100; tries++) {
    equal(holdAtOnce(() => true, () => true), true);
    equal(holdAtOnce(() => false, () => true), false);
    equal(holdAtOnce(() => true, () => false), false);
  }
});

Deno.test("holdAtOnce() is false for conditions that hold alternately", () => {
  const orders = [
    (at: number) => at % 2 === 0,
    (at: number) => at % 2 === 1,
    (at: number) => at % 4 < 2,
    () => Math.random() < 0.5,
  ];
  for (const isFirst of orders) {
    let asked = 0;
    for (let tries = 0; tries < 1000; tries++) {
      equal(holdAtOnce(() => isFirst(asked++), () => !isFirst(asked++)), false);
    }
  }
});
