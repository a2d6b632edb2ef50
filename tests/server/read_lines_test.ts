import assert from "node:assert/strict";
import fc from "fast-check";
import { LINE_TOO_LONG, readLines } from "#server/stdio.ts";
import { assertFuzzed } from "../_fuzz.ts";

async function linesOf(pieces: readonly string[], maxBytes: number): Promise<string[]> {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  const stream = ReadableStream.from(pieces.map((piece) => encoder.encode(piece)));
  const lines: string[] = [];
  for await (const line of readLines(stream.getReader(), maxBytes)) {
    lines.push(line === LINE_TOO_LONG ? "too long" : decoder.decode(line));
  }
  return lines;
}

Deno.test("readLines() yields the same lines wherever the stream is split", async () => {
  const piece = fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 8 });
  await assertFuzzed(
    fc.asyncProperty(fc.array(piece), fc.integer({ min: 1, max: 6 }), async (pieces, max) => {
      const expected = pieces.join("").split("\n");
      const unfinished = expected.pop()!;
      const lines = expected.map((line) => line.length > max ? "too long" : line);
      if (unfinished.length > max) lines.push("too long");
      assert.deepEqual(await linesOf(pieces, max), lines);
    }),
    100,
  );
});

Deno.test("readLines() reports a line that is too long once, before the line ends", async () => {
  assert.deepEqual(await linesOf(["abc", "def", "ghi\nx", "\ny"], 5), ["too long", "x"]);
});
