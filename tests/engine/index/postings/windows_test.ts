import { deepEqual } from "node:assert/strict";
import { ChunkLengths } from "#engine/index/postings/format.ts";
import { PostingList } from "#engine/index/postings/list.ts";
import { searchBm25 } from "#engine/index/postings/bm25.ts";
import { random } from "../_build.ts";
import { encode } from "./_encode.ts";

Deno.test("an index of many windows gives the chunks of the greatest scores, sorted by score and number", () => {
  const next = random(5);
  const lengths = Uint32Array.from({ length: 30_000 }, () => 1 + Math.floor(next() * 40));
  const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  const postings = encode(
    [0.001, 0.002, 0.01, 0.1, 0.7, 1].map((share) =>
      new Map(
        [...lengths.keys()].filter(() => next() < share).map((chunk) => [chunk, 1 + Math.floor(next() * 3)]),
      )
    ),
    lengths,
  );
  const norms = new ChunkLengths(lengths).norms(average);
  const allowed = Uint8Array.from(lengths, () => next() < 0.5 ? 1 : 0);
  const weights = [8, 6, 4.5, 2.3, 0.4, 0.01];
  for (const terms of [[0, 1, 2, 3, 4, 5], [1, 4, 5], [2, 3], [5, 4], [0], [3, 3, 2]]) {
    const lists = terms.map((term) => ({ list: new PostingList(postings, term), weight: weights[term]! }));
    // With a limit above the number of chunks, no posting is skipped.
    const all = searchBm25(lists, lengths.length, { norms, boundScale: 1 });
    for (const limit of [1, 10, 100, 5000]) {
      deepEqual(searchBm25(lists, limit, { norms, boundScale: 1 }), all.slice(0, limit));
      const some = all.filter(({ chunk }) => allowed[chunk] === 1).slice(0, limit);
      deepEqual(searchBm25(lists, limit, { norms, boundScale: 1, allowed }), some);
    }
  }
});
