import type { RankedChunk } from "./rank/mod.ts";

/** A hit and the full path of its file. */
export interface FoundChunk {
  readonly hit: RankedChunk;
  readonly filePath: string;
}

/**
 * The first `limit` of the chunks given, at most `perFile` of one file. Where one served folder lies in another, a chunk
 * comes twice and is taken once.
 */
export function selectChunks(found: Iterable<FoundChunk>, limit: number, perFile: number): FoundChunk[] {
  const starts = new Map<string, Set<number>>();
  const selected: FoundChunk[] = [];
  for (const chunk of found) {
    if (selected.length === limit) break;
    const { start } = chunk.hit.reader.chunks.row(chunk.hit.chunk);
    let taken = starts.get(chunk.filePath);
    if (taken === undefined) starts.set(chunk.filePath, taken = new Set());
    if (taken.has(start) || taken.size === perFile) continue;
    taken.add(start);
    selected.push(chunk);
  }
  return selected;
}
