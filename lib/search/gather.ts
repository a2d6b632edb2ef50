import type { Filter, IndexReader } from "../index/mod.ts";
import type { RankedChunk, Ranking } from "./rank/mod.ts";
import { type FoundChunk, selectChunks } from "./select.ts";

/** What {@linkcode gatherChunks} is asked for. */
export interface Wanted {
  /** Chunks at most, in all and of one file. */
  readonly limit: number;
  readonly perFile: number;
  /** Chunks taken from the ranking at a time. */
  readonly candidates: number;
  readonly filter: Filter | undefined;
  /** Whether a chunk is like the question at all. */
  readonly isLike: (hit: RankedChunk) => boolean;
  /** Full path of the file that a hit is in. */
  readonly pathOf: (hit: RankedChunk) => string;
}

/** Long files that are left out one after the other before an answer stays short. */
const MAX_PASSES = 8;

/**
 * The best chunks of a ranking, at most `perFile` of one file. Where long files take all the places, they are left out and
 * the ranking is asked again. `considered`: all that were looked at, best first.
 */
export function gatherChunks(
  ranking: Ranking,
  wanted: Wanted,
): { selected: readonly FoundChunk[]; considered: readonly FoundChunk[] } {
  const { limit, perFile, candidates, filter, isLike, pathOf } = wanted;
  const masks = new Map<IndexReader, Uint8Array>();
  const considered = new Map<number, FoundChunk>();
  let selected: FoundChunk[] = [];
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const found = ranking.best({
      limit: candidates,
      filter: (reader) => masks.get(reader) ?? filter?.(reader),
    });
    for (const hit of found) considered.set(hit.id, { hit, filePath: pathOf(hit) });
    selected = selectChunks(inOrder(considered.values()).filter(({ hit }) => isLike(hit)), limit, perFile);
    if (selected.length === limit) break;
    const counts = Map.groupBy(selected, ({ filePath }) => filePath);
    let left = 0;
    for (const { hit: { reader, chunk }, filePath } of considered.values()) {
      if (counts.get(filePath)?.length !== perFile) continue;
      let mask = masks.get(reader);
      if (mask === undefined) {
        mask = filter?.(reader)?.slice() ?? new Uint8Array(reader.chunks.length).fill(1);
        masks.set(reader, mask);
      }
      const { firstChunk, chunkCount } = reader.files[reader.chunks.files[chunk]!]!;
      if (mask.subarray(firstChunk, firstChunk + chunkCount).includes(1)) left++;
      mask.fill(0, firstChunk, firstChunk + chunkCount);
    }
    // what is found again would be found for ever
    if (left === 0) break;
  }
  return { selected, considered: inOrder(considered.values()) };
}

function inOrder(found: Iterable<FoundChunk>): FoundChunk[] {
  return [...found].sort((a, b) => b.hit.score - a.hit.score || a.hit.id - b.hit.id);
}
