import { deepEqual, equal } from "node:assert/strict";
import { type FileEnd, reasonText } from "#library/ingest/mod.ts";
import { Place } from "./_place.ts";

/** Indexes the folder. Returns the ends of its files as lines, and their numbers. */
async function run(place: Place, full = false) {
  let ends: readonly FileEnd[] = [];
  const summary = await place.ingest({}, { full, onEnds: (all) => ends = all });
  const counts = Object.fromEntries(
    ["indexed", "unchanged", "skipped", "failed", "removed"].map((end) => [
      end,
      ends.filter((one) => one.end === end).length,
    ]),
  );
  const lines = ends.map((file) =>
    `${file.path}: ${file.end} ${file.reason === undefined ? "" : reasonText(file, "en")}`.trim()
  );
  return { summary, counts, lines };
}

Deno.test("every file of a folder has one end with its reason, and the numbers are those of the run", async () => {
  using place = new Place();
  place.write({
    "a.md": "Tea.",
    "b.md": "Coffee.",
    "broken.pdf": "not a PDF",
    "empty.md": "",
    "picture.png": new Uint8Array([1]),
    ".hidden/c.md": "Cocoa.",
  });
  const first = await run(place);
  deepEqual(first.lines, [
    ".hidden/: skipped hidden",
    "a.md: indexed",
    "b.md: indexed",
    "broken.pdf: failed The process that reads documents could not be started (it is switched off), so broken.pdf was not read. " +
    "Restart the program and try again",
    "empty.md: skipped empty",
    "picture.png: skipped image",
  ]);
  deepEqual(first.counts, { indexed: 2, unchanged: 0, skipped: 3, failed: 1, removed: 0 });
  place.write({ "a.md": "Green tea.", "d.md": "Milk." });
  Deno.removeSync(place.at("b.md"));
  const second = await run(place);
  deepEqual(second.counts, { indexed: 2, unchanged: 0, skipped: 3, failed: 1, removed: 1 });
  const third = await run(place);
  deepEqual(third.counts, { indexed: 0, unchanged: 2, skipped: 3, failed: 1, removed: 0 });
  for (const { summary, counts } of [first, second, third]) {
    equal(counts.indexed, summary.new + summary.changed + summary.renamed);
    equal(counts.unchanged, summary.unchanged);
    equal(counts.failed, summary.failed.length);
    equal(counts.skipped, Object.values(summary.skipped).reduce((sum, count) => sum + count, 0));
    equal(counts.removed, summary.removed);
  }
});

Deno.test("a run that processes everything again indexes every file", async () => {
  using place = await Place.indexed({ "a.md": "Tea.", "b.md": "Coffee." });
  deepEqual((await run(place, true)).lines, ["a.md: indexed", "b.md: indexed"]);
});
