import assert from "node:assert/strict";
import { readStreams } from "#documents/office/binary.ts";
import { DocumentError } from "#documents/mod.ts";
import { compound } from "../doc/make_doc.ts";

const LONG = new Uint8Array(6000).map((_, i) => i % 251);

/** Returns a file of which a number in the FAT, that of `sector`, is `next`. */
function withNext(sector: number, next: number): Uint8Array {
  const bytes = compound({ Long: LONG });
  const view = new DataView(bytes.buffer);
  const fat = view.getInt32(76, true);
  view.setInt32((fat + 1) * 512 + 4 * sector, next, true);
  return bytes;
}

/** Returns the sectors of the stream `Long` in their order. */
function chain(): number[] {
  const bytes = compound({ Long: LONG });
  const view = new DataView(bytes.buffer);
  const fat = view.getInt32(76, true);
  for (let first = 0;; first++) {
    const sectors = [];
    for (let at = first; at >= 0; at = view.getInt32((fat + 1) * 512 + 4 * at, true)) sectors.push(at);
    if (sectors.length === Math.ceil(LONG.length / 512)) return sectors;
  }
}

Deno.test("the streams of a compound file are read by their names", () => {
  const streams = readStreams(compound({ Long: LONG, Short: Uint8Array.of(7) }));
  assert.deepEqual([streams.get("long"), streams.get("short")], [LONG, Uint8Array.of(7)]);
});

Deno.test("a compound file is read whose table of sectors is not all named in its header", () => {
  const content = new Uint8Array(8_000_000).fill(7);
  assert.deepEqual(readStreams(compound({ Long: content })).get("long"), content);
});

Deno.test("a compound file is damaged if a chain of its sectors has no end", () => {
  const sectors = chain();
  const [last, first, middle] = [sectors.at(-1)!, sectors[0]!, sectors[3]!];
  for (const [sector, next] of [[middle, middle], [middle, first]] as const) {
    assert.throws(
      () => readStreams(withNext(sector, next)),
      new DocumentError("damaged", "the compound file is broken: a chain of sectors has no end"),
    );
  }
  assert.deepEqual(readStreams(withNext(last, -2)).get("long"), LONG);
});

/** Returns the first four entries of a directory, to be changed. */
function firstEntries(bytes: Uint8Array<ArrayBuffer>): DataView[] {
  const directory = (new DataView(bytes.buffer).getInt32(48, true) + 1) * 512;
  return [0, 1, 2, 3].map((entry) => new DataView(bytes.buffer, directory + 128 * entry, 128));
}

Deno.test("entries of a compound file that name each other in a circle are read once", () => {
  const bytes = compound({ Long: LONG, Short: Uint8Array.of(7) });
  for (const [i, entry] of firstEntries(bytes).entries()) {
    for (const at of [68, 72, 76]) entry.setInt32(at, (i + 1) % 4, true);
  }
  assert.equal(readStreams(bytes).get("long")?.length, LONG.length);
});

Deno.test("streams of a compound file that share their sectors are refused before they fill the memory", () => {
  const bytes = compound({ A: new Uint8Array(100_000), B: LONG, C: LONG });
  const [, ...entries] = firstEntries(bytes);
  const start = entries.find((entry) => entry.getUint32(120, true) === 100_000)!.getInt32(116, true);
  for (const entry of entries) {
    entry.setInt32(116, start, true);
    entry.setUint32(120, 100_000, true);
  }
  assert.throws(() => readStreams(bytes), { problem: "damaged" });
});

Deno.test("a compound file that is cut off anywhere is read in part, or is damaged", () => {
  const bytes = compound({ Long: LONG, Short: Uint8Array.of(7) });
  for (let length = 0; length < bytes.length; length += 100) {
    try {
      readStreams(bytes.subarray(0, length));
    } catch (error) {
      assert.equal((error as DocumentError).problem, "damaged");
    }
  }
});
