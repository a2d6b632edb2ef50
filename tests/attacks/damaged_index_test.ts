import { deepEqual, equal, ok } from "node:assert/strict";
import { BLOCK_BYTES } from "#engine/index/blob/format.ts";
import { Arena, indexOf, overwrite, place, Program, QUESTIONS, told } from "../series/damage/arena.ts";
import { placesIn } from "../series/damage/layout.ts";
import { runSeries } from "../series/damage/series.ts";

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
