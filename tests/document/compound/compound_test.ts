import assert from "node:assert/strict";
import { readStreams } from "../../../lib/document/compound/streams.ts";
import { DocumentError } from "../../../lib/document/mod.ts";
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
  for (const [sector, next] of [[sectors.at(-1)!, sectors[0]!], [sectors[3]!, sectors[3]!]] as const) {
    assert.throws(
      () => readStreams(withNext(sector, next)),
      new DocumentError("damaged", "the compound file is broken: a chain has no end"),
    );
  }
  assert.equal(readStreams(withNext(sectors.at(-1)!, -2)).get("long")!.length, LONG.length);
});

Deno.test("a compound file is damaged if its directory is no tree", () => {
  for (
    const [first, second, reason] of [[2, 1, "a chain has no end"], [2, 2, "two entries name the same one"]]
  ) {
    const bytes = compound({ Long: LONG, Short: Uint8Array.of(7) });
    const view = new DataView(bytes.buffer);
    const entry = (number: number) => (view.getInt32(48, true) + 1) * 512 + 128 * number;
    for (const number of [0, 1, 2, 3]) {
      for (const at of [68, 72, 76]) view.setInt32(entry(number) + at, -1, true);
    }
    view.setInt32(entry(1) + 68, first as number, true);
    view.setInt32(entry(2) + 72, second as number, true);
    assert.throws(
      () => readStreams(bytes),
      new DocumentError("damaged", `the compound file is broken: ${reason}`),
    );
  }
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
