import { deepEqual, equal } from "node:assert/strict";
import type { RankedChunk } from "#engine/rank/mod.ts";
import { fingerprintOf, type ReadChunk, selectChunks } from "#library/search/passages.ts";

/** Chunks of different texts, best first, in the files named. */
function ranked(files: readonly string[]): RankedChunk[] {
  return files.map((filePath, id) => ({ id, filePath }) as RankedChunk);
}

/** Selects chunks. `reads`: how many chunks each call of `read` got. */
async function select(
  chunks: readonly RankedChunk[],
  limit: number,
  perFile: number,
): Promise<{ ids: number[]; reads: number[]; leftOut: Record<string, number> }> {
  const reads: number[] = [];
  const read = (chunks: readonly RankedChunk[]) => {
    reads.push(chunks.length);
    return Promise.resolve(chunks.map((chunk) => ({
      ...chunk,
      stored: { start: chunk.id },
      print: fingerprintOf(`${`words${chunk.id} `.repeat(20)}`),
    } as unknown as ReadChunk)));
  };
  const selected = await selectChunks(chunks, limit, perFile, read);
  return {
    ids: selected.chunks.map(({ id }) => id),
    reads,
    leftOut: Object.fromEntries(selected.leftOut),
  };
}

Deno.test("selectChunks() reads as many chunks as it looks at: the selected ones and as many after them", async () => {
  const files = Array.from({ length: 40 }, (_, i) => `${i}.txt`);
  const { ids, reads } = await select(ranked(files), 10, 3);
  deepEqual(ids, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  deepEqual(reads, [20]);
});

Deno.test("selectChunks() reads no chunk that it does not look at, in few calls", async () => {
  const files = [...Array.from({ length: 16 }, () => "long.txt"), "other.txt", "third.txt"];
  const { ids, reads } = await select(ranked(files), 5, 3);
  deepEqual(ids, [0, 1, 2, 16, 17]);
  deepEqual(reads, [10, 7, 1]);
});

Deno.test("selectChunks() reads no chunk after the last that it looks at", async () => {
  const files = [
    ...Array.from({ length: 4 }, () => "long.txt"),
    ...Array.from({ length: 20 }, (_, i) => `${i}.txt`),
  ];
  const { ids, reads } = await select(ranked(files), 5, 3);
  deepEqual(ids, [0, 1, 2, 4, 5]);
  deepEqual(reads, [10, 1]);
});

Deno.test("selectChunks() reads nothing where no chunk is wanted", async () => {
  const { ids, reads } = await select(ranked(["a.txt"]), 0, 3);
  equal(ids.length + reads.length, 0);
});

Deno.test("selectChunks() counts the chunks that only the limit for one file left out", async () => {
  const { ids, leftOut } = await select(ranked(["a", "a", "a", "b", "a", "c", "a"]), 4, 2);
  deepEqual([ids, leftOut], [[0, 1, 3, 5], { a: 2 }]);
});
