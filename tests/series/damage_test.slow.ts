import { BLOCK_BYTES } from "#engine/index/blob/format.ts";
import { deepEqual, equal, ok } from "node:assert/strict";
import { Arena, indexOf, overwrite, place, Program, QUESTIONS, told } from "./damage/arena.ts";
import { groupOf, kindsOf } from "./damage/kinds.ts";
import { assemble, forgersOf, partsOf, placesIn, seal } from "./damage/layout.ts";
import { examples, runSeries, seriesTable, type Tried } from "./damage/series.ts";
import { Tries } from "./damage/tried.ts";
import { Random } from "./random.ts";

/** Milliseconds after which a stage counts as hanging, even on a busy machine. */
const LIMIT_MS = 60_000;

// `deno task series damage` makes thousands of tries, and forgeries that take long to refuse.
Deno.test("a damaged, forged or shipped index gives the same answers or is refused, and the next run rebuilds it", async () => {
  const results = await runSeries({ seed: 1, tries: 36, limitMs: LIMIT_MS });
  deepEqual([...new Set(results.map(({ group }) => group))].sort(), [
    "flipped",
    "forged with the key",
    "forged without the key",
    "in place",
    "registry",
    "shipped by another installation",
    "shipped from another folder of ours",
    "shipped with the key",
    "shipped without the key",
    "zeroed",
  ]);
  deepEqual(results.filter(({ defects }) => defects.length > 0), []);
});

Deno.test("searches detect flipped bytes in the texts and the posting lists of a small index", async () => {
  using arena = await Arena.make();
  const program = await Program.start(arena.stateDir);
  const path = indexOf(arena.other);
  const sound = Deno.readFileSync(path);
  const damaged = sound.slice();
  for (const { name, offset, length } of placesIn(sound)) {
    if (name !== "texts" && name !== "postings") continue;
    for (let at = 100; at < length; at += BLOCK_BYTES) damaged[offset + at]! ^= 156;
  }
  /** Returns the answers to the questions. Each search opens the index again, and `before` runs while it is open. */
  const answers = async (before?: () => void) => {
    const texts: string[] = [];
    for (const question of QUESTIONS) {
      place(path, before === undefined ? damaged : sound);
      const library = program.open(arena.other);
      try {
        if (before !== undefined) await library.search({ query: "folder", mode: "keyword" });
        before?.();
        texts.push(told(await library.search(question)));
      } catch (error) {
        texts.push(program.isRefusal(error, arena.other) ? "refused" : String(error));
      } finally {
        library.close();
      }
    }
    return texts;
  };
  const expected = await answers(() => {});
  for (
    const [name, found] of [
      ["on the disk", await answers()],
      ["under an open index", await answers(() => overwrite(path, damaged))],
    ] as const
  ) {
    const unlike = found.filter((text, i) => text !== "refused" && text !== expected[i]);
    deepEqual(unlike, [], name);
    ok(found.includes("refused"), name);
  }
  equal(expected.includes("refused"), false);

  // The run reads the whole index.
  place(path, damaged);
  await program.index(arena.other, false);
  const library = program.open(arena.other);
  equal(told(await library.search(QUESTIONS[8]!)), expected[8]);
  library.close();
});

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
