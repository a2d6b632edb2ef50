import type { CollectionHit, Filter, IndexReader, OramaDatabase } from "../index/mod.ts";
import { type FoundChunk, selectChunks } from "./select.ts";

/** What {@linkcode gatherChunks} is asked for. */
export interface Wanted {
  /** Chunks at most, in all and of one file. */
  readonly limit: number;
  readonly perFile: number;
  /** Chunks taken from the index at a time. */
  readonly candidates: number;
  readonly filter: Filter | undefined;
  /** Full path of the file that a hit is in. */
  readonly pathOf: (hit: CollectionHit) => string;
}

/** Long files that are left out one after the other before an answer stays short. */
const MAX_PASSES = 8;

/**
 * The best chunks for `query`, at most `perFile` of one file. Where long files take all the places, they are left out and
 * the index is searched again.
 */
export function gatherChunks(database: OramaDatabase, query: string, wanted: Wanted): FoundChunk[] {
  const { limit, perFile, candidates, filter, pathOf } = wanted;
  const masks = new Map<IndexReader, Uint8Array>();
  let selected: FoundChunk[] = [];
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const found = database.search(query, candidates, (reader) => masks.get(reader) ?? filter?.(reader))
      .map((hit) => ({ hit, filePath: pathOf(hit) }));
    const pool = [...selected, ...found].sort((a, b) => b.hit.score - a.hit.score || a.hit.id - b.hit.id);
    selected = selectChunks(pool, limit, perFile);
    if (selected.length === limit || found.length < candidates) break;
    const counts = Map.groupBy(selected, ({ filePath }) => filePath);
    for (const { hit: { reader, chunk }, filePath } of found) {
      if (counts.get(filePath)?.length !== perFile) continue;
      let mask = masks.get(reader);
      if (mask === undefined) {
        mask = filter?.(reader)?.slice() ?? new Uint8Array(reader.chunks.length).fill(1);
        masks.set(reader, mask);
      }
      const { firstChunk, chunkCount } = reader.files[reader.chunks.files[chunk]!]!;
      mask.fill(0, firstChunk, firstChunk + chunkCount);
    }
  }
  return selected;
}
