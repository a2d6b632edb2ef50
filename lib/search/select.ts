import type { StoredChunk } from "../store/mod.ts";
import type { RankedChunk } from "./rank/mod.ts";
import { type Fingerprint, SaidTexts } from "./same_text.ts";

/** A ranked chunk that was read. */
export interface ReadChunk extends RankedChunk {
  readonly stored: StoredChunk;
  /** Of its text. */
  readonly print: Fingerprint;
}

/** A chunk of an answer. */
export interface SelectedChunk extends ReadChunk {
  /** Chunks of other files that say the same and are not in the answer themselves, best first. */
  readonly also: readonly ReadChunk[];
}

/** How {@linkcode selectChunks} chooses. */
export interface Selection {
  /** Chunks at most, and chunks of one file at most. */
  readonly limit: number;
  readonly perFile: number;
  /** Reads chunks. */
  readonly read: (chunks: readonly RankedChunk[]) => Promise<readonly ReadChunk[]>;
}

/**
 * The first `limit` of the chunks given, best first, at most `perFile` of one file. Where one served folder lies in
 * another, a chunk comes twice and is taken once. A chunk that says the same as a better one of another file is added to
 * that one; `limit` more chunks after the last that is taken are looked at for that.
 */
export async function selectChunks(
  ranked: readonly RankedChunk[],
  { limit, perFile, read }: Selection,
): Promise<SelectedChunk[]> {
  const places = new Set<string>();
  const ofFile = new Map<string, number>();
  const selected = new Map<ReadChunk, ReadChunk[]>();
  const said = new SaidTexts<ReadChunk>(({ print }) => print);
  let further = limit;
  for (let from = 0; from < ranked.length; from += limit) {
    for (const chunk of await read(ranked.slice(from, from + limit))) {
      const isFull = selected.size === limit;
      if (isFull && further-- === 0) return result();
      const { filePath, stored } = chunk;
      const place = `${filePath}\u0000${stored.start}`;
      if (places.has(place)) continue;
      const same = said.same(chunk);
      const taken = ofFile.get(filePath) ?? 0;
      if (same === undefined && (isFull || taken === perFile)) continue;
      places.add(place);
      if (same !== undefined) selected.get(same)!.push(chunk);
      else {
        ofFile.set(filePath, taken + 1);
        said.add(chunk);
        selected.set(chunk, []);
      }
    }
  }
  return result();

  function result(): SelectedChunk[] {
    return Array.from(selected, ([chunk, also]) => ({ ...chunk, also }));
  }
}
