import { deepEqual } from "node:assert/strict";
import * as fc from "fast-check";
import { MAX_TF, Runs } from "#engine/index/postings/runs.ts";

type Postings = [chunk: number, frequency: number][];

/** The tokens of a term in a batch: ascending indices of chunks. */
const tokens = fc.oneof(
  { weight: 30, arbitrary: fc.array(fc.nat(0xffff), { minLength: 1, maxLength: 6 }) },
  // Several numbers for the count, and more tokens than a page has.
  { weight: 1, arbitrary: fc.constantFrom(0x8000, 70_000, 140_000).map((count) => Array(count).fill(3)) },
).map((chunks) => chunks.sort((a, b) => a - b));

/** The terms of a batch, each with its distance from the one before: some need several numbers. */
const entries = fc.array(
  fc.record({ gap: fc.oneof({ weight: 9, arbitrary: fc.nat(3) }, fc.nat(40_000)), tokens }),
  { minLength: 1, maxLength: 20 },
);

const batches = fc.array(fc.record({ entries, endsGeneration: fc.boolean() }), { maxLength: 12 });

type Batches = typeof batches extends fc.Arbitrary<infer T> ? T : never;

/** Adds the batches. Returns the postings of each term that has some, and the number of terms. */
function addAll(runs: Runs, all: Batches): [Postings[], number] {
  const wanted: Postings[] = [];
  let size = 0;
  for (const [batch, { entries, endsGeneration }] of all.entries()) {
    // Every second number, so that numbers and indices of chunks differ.
    const ids = Array.from({ length: 1 << 16 }, (_, i) => 2 * ((batch << 16) + i));
    runs.begin(ids);
    let term = -1;
    for (const { gap, tokens } of entries) {
      term += gap + 1;
      // The upper half is ignored.
      runs.add(
        term,
        Uint32Array.from([7, ...tokens, 7], (chunk) => chunk | 0xabcd0000),
        1,
        1 + tokens.length,
      );
      const counts = new Map<number, number>();
      for (const chunk of tokens) counts.set(chunk, (counts.get(chunk) ?? 0) + 1);
      for (const [chunk, count] of counts) {
        (wanted[term] ??= []).push([ids[chunk]!, Math.min(count, MAX_TF)]);
      }
    }
    size = Math.max(size, term + 1);
    if (endsGeneration) runs.endGeneration(size);
  }
  runs.endGeneration(size);
  return [wanted, size];
}

Deno.test("runs of any batches and generations give each term the postings that were added", () => {
  const chunks = new Uint32Array(1 << 10), frequencies = new Uint16Array(1 << 10);
  fc.assert(
    fc.property(batches, (all) => {
      const runs = new Runs();
      const [wanted, size] = addAll(runs, all);
      // Terms after the last one have no postings.
      for (let term = 0; term < size + 3; term++) {
        const count = runs.decode(term, chunks, frequencies);
        const list = Array.from({ length: count }, (_, i) => [chunks[i], frequencies[i]]);
        deepEqual(list, wanted[term] ?? []);
      }
      runs.release();
    }),
    { numRuns: 60 },
  );
});
