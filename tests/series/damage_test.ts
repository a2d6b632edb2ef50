import { deepEqual, equal, ok } from "node:assert/strict";
import { Arena } from "./damage/arena.ts";
import { groupOf, kindsOf } from "./damage/kinds.ts";
import { assemble, forgersOf, partsOf, placesIn, seal } from "./damage/layout.ts";
import { Random } from "./random.ts";
import { examples, seriesTable } from "./damage/series.ts";
import type { Tried } from "./damage/series.ts";
import { Tries } from "./damage/tried.ts";

Deno.test("each kind of damage has a unique name, makes the same damage for the same seed, and changes the file", async () => {
  using arena = await Arena.make();
  const sound = await arena.sound();
  const kinds = kindsOf(sound).filter(({ only }) => only === undefined);
  equal(new Set(kinds.map(({ name }) => name)).size, kinds.length);
  const counts = Object.entries(Object.groupBy(kinds, groupOf)).map(([group, list]) => [group, list!.length]);
  ok(Number(Object.fromEntries(counts)["forged without the key"]) >= 62, String(counts));
  // Forged and shipped indexes have many megabytes together, so only some are checked.
  for (const kind of kinds.filter((_, i) => i % 7 === 0)) {
    const [one, again] = [1, 1].map((seed) => kind.damage(sound, new Random(seed)).bytes);
    deepEqual(one, again, kind.name);
  }
});

Deno.test("an index that a forger splits into sections and assembles again is valid", async () => {
  using arena = await Arena.make();
  const sound = await arena.sound();
  const parts = partsOf(sound.honest);
  for (const forger of forgersOf(sound)) {
    const forged = assemble(parts, forger);
    deepEqual(partsOf(forged), parts);
    deepEqual(placesIn(seal(forged.slice(), forger)), placesIn(forged));
  }
  const tries = await Tries.start(arena.path);
  deepEqual(await tries.do("flipped: section meta", 1, "search"), { outcome: "refused" });
  deepEqual(await tries.do("flipped: section meta", 1, "full run"), { outcome: "same" });
});

Deno.test("the report is a table, and shows defects with the seeds that reproduce them", () => {
  const sound: Tried = {
    kind: "flipped: 1 bit",
    group: "flipped",
    seed: 7,
    outcomes: { search: "refused", "index run": "same" },
    defects: [],
  };
  const bad: Tried = {
    kind: "zeroed: 1 page",
    group: "zeroed",
    seed: 8,
    outcomes: { search: "different", "other folder": "hang", "index run": "internal error" },
    defects: ["search: different (1 hits lost)", "other folder: hang"],
  };
  equal(
    seriesTable([sound, bad, sound], "group"),
    `| group | tries | same | refused | different | internal error | hang | other folder wrong | wrong after index run | wrong after touch | wrong after full run | defects |
| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |
| flipped | 2 | 0 | 2 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 |
| zeroed | 1 | 0 | 0 | 1 | 0 | 0 | 1 | 1 | 0 | 0 | 1 |
| all | 3 | 0 | 2 | 1 | 0 | 0 | 1 | 1 | 0 | 0 | 1 |
`,
  );
  equal(
    examples([sound, bad]),
    "\n**zeroed**, 1 defects\n\n- zeroed: 1 page (seed 8): search: different (1 hits lost); other folder: hang\n",
  );
});
