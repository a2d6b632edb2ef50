import type { StoredChunk } from "../store/mod.ts";
import type { RankedChunk } from "./rank/mod.ts";
import { type Fingerprint, SaidTexts } from "./same_text.ts";

/** A ranked chunk that was read. */
export interface ReadChunk extends RankedChunk {
  readonly stored: StoredChunk;
  /** Fingerprint of its text. */
  readonly print: Fingerprint;
}

/** A chunk of an answer. */
export interface SelectedChunk extends ReadChunk {
  /** Chunks of other files with the same text, best first. They are not hits themselves. */
  readonly also: readonly ReadChunk[];
}

/** Options of {@linkcode selectChunks}. */
export interface Selection {
  /** Maximum number of chunks, and of chunks of one file. */
  readonly limit: number;
  readonly perFile: number;
  /** Reads chunks. */
  readonly read: (chunks: readonly RankedChunk[]) => Promise<readonly ReadChunk[]>;
}

/** The result of {@linkcode selectChunks}. */
export interface Selected {
  readonly chunks: readonly SelectedChunk[];
  /** Number of chunks that would have been selected without `perFile`, by path. */
  readonly leftOut: ReadonlyMap<string, number>;
}

/**
 * Returns the first `limit` of the given chunks (best first), at most `perFile` of one file. If a served folder is inside
 * another, a chunk occurs twice and is selected once. A chunk with the same text as a better one of another file is added
 * to that one; the `limit` chunks after the last selected one are also checked for this.
 */
export async function selectChunks(
  ranked: readonly RankedChunk[],
  { limit, perFile, read }: Selection,
): Promise<Selected> {
  const leftOut = new Map<string, number>();
  const places = new Set<string>();
  const ofFile = new Map<string, number>();
  const selected = new Map<ReadChunk, ReadChunk[]>();
  const said = new SaidTexts<ReadChunk>(({ print }) => print);
  let further = limit;
  for (let from = 0, to = 0; from < ranked.length; from = to) {
    // All of these are looked at, even if each of them is selected.
    to = from + limit - selected.size + further;
    if (to === from) break;
    for (const chunk of await read(ranked.slice(from, to))) {
      const isFull = selected.size === limit;
      if (isFull) further--;
      const { filePath, stored } = chunk;
      const place = `${filePath}\u0000${stored.start}`;
      if (places.has(place)) continue;
      const same = said.same(chunk);
      const taken = ofFile.get(filePath) ?? 0;
      if (same === undefined && isFull) continue;
      places.add(place);
      if (same === undefined && taken === perFile) {
        leftOut.set(filePath, (leftOut.get(filePath) ?? 0) + 1);
        continue;
      }
      if (same !== undefined) selected.get(same)!.push(chunk);
      else {
        ofFile.set(filePath, taken + 1);
        said.add(chunk);
        selected.set(chunk, []);
      }
    }
  }
  return { chunks: Array.from(selected, ([chunk, also]) => ({ ...chunk, also })), leftOut };
}
