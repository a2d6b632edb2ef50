import type { RankedChunk } from "./rank/mod.ts";
import { type Fingerprint, SaidTexts } from "./same_text.ts";

/** A hit and the full path of its file. */
export interface FoundChunk {
  readonly hit: RankedChunk;
  readonly filePath: string;
}

/** A chunk of an answer. */
export interface SelectedChunk extends FoundChunk {
  /** Chunks of other files that say the same and are not in the answer, best first. */
  readonly also: readonly FoundChunk[];
}

/** How {@linkcode selectChunks} chooses. */
export interface Selection {
  /** Chunks at most, and chunks of one file at most. */
  readonly limit: number;
  readonly perFile: number;
  readonly printOf: (found: FoundChunk) => Fingerprint;
}

/**
 * The first `limit` of the chunks given, best first, at most `perFile` of one file. Where one served folder lies in another, a
 * chunk comes twice and is taken once. What says the same as a better chunk of another file is named with that one; after the
 * last that is taken, `limit` more are looked at for that.
 */
export function selectChunks(
  found: Iterable<FoundChunk>,
  { limit, perFile, printOf }: Selection,
): SelectedChunk[] {
  const places = new Set<string>();
  const ofFile = new Map<string, number>();
  const selected = new Map<FoundChunk, FoundChunk[]>();
  const said = new SaidTexts(printOf);
  let further = limit;
  for (const chunk of found) {
    const isFull = selected.size === limit;
    if (isFull && further-- === 0) break;
    const { hit: { reader, chunk: number }, filePath } = chunk;
    const place = `${filePath}\u0000${reader.chunks.row(number).start}`;
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
  return Array.from(selected, ([chunk, also]) => ({ ...chunk, also }));
}
