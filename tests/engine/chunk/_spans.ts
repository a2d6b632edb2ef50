import assert from "node:assert/strict";
import type { Chunk } from "#engine/chunk/mod.ts";

/** Asserts that the chunks are ordered and not empty, begin and end at whole characters, and name their lines. */
export function checkSpans(text: string, chunks: readonly Chunk[]): void {
  for (const [index, chunk] of chunks.entries()) {
    const { start, end } = chunk;
    assert.ok(start < end, "empty chunk");
    const content = text.slice(start, end);
    assert.equal(content.trimEnd(), content);
    assert.ok(content.split("\n")[0]!.trim() !== "", "begins with a blank line");
    for (const at of [start, end]) {
      assert.ok(
        !/^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1)),
        "cut in a surrogate pair",
      );
      assert.notEqual(text.slice(Math.max(0, at - 1), at + 1), "\r\n");
    }
    assert.equal(chunk.startLine, text.slice(0, start).split("\n").length);
    assert.equal(chunk.endLine, text.slice(0, end).split("\n").length);
    const before = chunks[index - 1];
    if (before === undefined) continue;
    assert.ok(start > before.start && end > before.end, "out of order");
  }
}

/** Asserts that the chunks leave out nothing of the text from `from` on but white space. */
export function checkCoverage(text: string, chunks: readonly Chunk[], from = 0): void {
  let covered = from;
  for (const { start, end } of chunks) {
    assert.equal(text.slice(covered, Math.max(covered, start)).trim(), "");
    covered = end;
  }
  assert.equal(text.slice(covered).trim(), "");
}
