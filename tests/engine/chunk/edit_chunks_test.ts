import { deepEqual, equal, ok } from "node:assert/strict";
import * as fc from "fast-check";
import { type Chunk, chunkDocument, type ChunkEdit, editedChunks } from "#engine/chunk/mod.ts";

const TEXT = `Page 3 of 9

# Pumps

A pump moves water, and
it needs power to do so.

Confidential
Kettles boil water in a few minutes.`;
const NONE: ChunkEdit = { dropFirst: 0, dropLast: 0, joinsNext: false };

/** A chunk of the lines from `first` to `last` of {@linkcode TEXT}, counted from 1. */
function lines(first: number, last: number, section: readonly string[] = []): Chunk {
  const ends = TEXT.split("\n");
  const start = ends.slice(0, first - 1).reduce((sum, { length }) => sum + length + 1, 0);
  const end = start + ends.slice(first - 1, last).join("\n").length;
  return { start, end, startLine: first, endLine: last, section };
}

const DOCUMENT = { text: TEXT, sections: [] };
const edited = (chunks: readonly Chunk[], edits: readonly (ChunkEdit | undefined)[], maxChars = 200) =>
  editedChunks(DOCUMENT, chunks, edits, maxChars);

Deno.test("lines at the ends of a chunk are left out, and its place is that of the rest", () => {
  const [chunk] = edited([lines(1, 8)], [{ ...NONE, dropFirst: 2, dropLast: 1 }]);
  deepEqual(chunk, lines(3, 7));
  equal(
    TEXT.slice(chunk!.start, chunk!.end),
    "# Pumps\n\nA pump moves water, and\nit needs power to do so.\n",
  );
});

Deno.test("more than a third of a chunk, and lines that it does not have, are not left out", () => {
  deepEqual(edited([lines(1, 6)], [{ ...NONE, dropFirst: 5 }]), [lines(1, 6)]);
  deepEqual(edited([lines(1, 6)], [{ ...NONE, dropFirst: 4, dropLast: 2 }]), [lines(1, 6)]);
});

Deno.test("a chunk and the one that continues it are one, once, if they are not too long together", () => {
  const joins = { ...NONE, joinsNext: true };
  const chunks = [lines(3, 5), lines(6, 6), lines(8, 9)];
  deepEqual(edited(chunks, [joins, joins, joins]), [lines(3, 6), lines(8, 9)]);
  deepEqual(edited(chunks, [joins, undefined, undefined], 20), chunks);
});

Deno.test("a line becomes the heading of its chunk, unless it is one already", () => {
  const [chunk] = edited([lines(3, 6)], [{ ...NONE, heading: 0 }]);
  deepEqual(chunk, lines(3, 6, ["Pumps"]));
  deepEqual(edited([lines(3, 6, ["Pumps"])], [{ ...NONE, heading: 0 }]), [lines(3, 6, ["Pumps"])]);
  deepEqual(edited([lines(3, 6)], [{ ...NONE, heading: 9 }]), [lines(3, 6)]);
});

Deno.test("a chunk with the head of a table stays as it is", () => {
  const table = { ...lines(3, 6), lead: "| a | b |" };
  deepEqual(edited([table, lines(8, 9)], [{ dropFirst: 1, dropLast: 1, joinsNext: true }, undefined]), [
    table,
    lines(8, 9),
  ]);
});

Deno.test("whatever is asked, the chunks are parts of the document in their order, and keep two thirds of it", () => {
  const words = fc.constantFrom(
    "pump",
    "moves water",
    "\n",
    "\n\n",
    "# Head\n",
    "| a | b |\n|---|---|\n| 1 | 2 |\n",
    "水泵。",
  );
  const edit = fc.option(
    fc.record({
      dropFirst: fc.integer({ min: 0, max: 9 }),
      dropLast: fc.integer({ min: 0, max: 9 }),
      heading: fc.integer({ min: 0, max: 9 }),
      joinsNext: fc.boolean(),
    }),
    { nil: undefined },
  );
  fc.assert(
    fc.property(fc.array(words, { maxLength: 60 }), fc.array(edit, { maxLength: 30 }), (parts, edits) => {
      const document = { text: parts.join(" "), sections: [] };
      const chunks = chunkDocument(document, { maxChars: 80, overlap: 0, chunksPerFile: "auto" });
      const made = editedChunks(document, chunks, edits, 80);
      const contentOf = (some: readonly Chunk[]) =>
        some.map(({ start, end }) => document.text.slice(start, end)).join("").replace(/\s+/g, "").length;
      ok(contentOf(made) >= contentOf(chunks) * 2 / 3 - 1e-9);
      for (const [i, { start, end, startLine, endLine, section }] of made.entries()) {
        ok(start < end && end - start <= 120 && (i === 0 || start >= made[i - 1]!.start));
        equal(startLine, document.text.slice(0, start).split("\n").length);
        ok(endLine >= startLine);
        ok(section.every((heading) => document.text.includes(heading)));
      }
    }),
    { numRuns: 500 },
  );
});
