import { deepEqual, ok } from "node:assert/strict";
import { runSeries } from "../../scripts/damage/series.ts";

/** A stage that takes longer than that hangs, however busy the machine is. */
const LIMIT_MS = 60_000;

// thousands of tries, and forgeries that take long to refuse: scripts/damage_series.ts
for (
  const [group, tries] of [["flipped", 15], ["zeroed", 8], ["in place", 10], ["forged", 20], [
    "shipped",
    6,
  ]] as const
) {
  Deno.test(`an index that was ${group} answers as before or not at all, and the next run makes it right`, async () => {
    const results = await runSeries({ seed: 1, tries, only: `${group}`, limitMs: LIMIT_MS });
    ok(results.length > 0);
    deepEqual(results.filter(({ defects }) => defects.length > 0), []);
  });
}
