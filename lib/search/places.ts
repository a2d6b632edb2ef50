import type { FoundChunk } from "./select.ts";
import type { Place } from "./types.ts";

/** Where chunks stand, those of the best chunk's file first; chunks that follow one another in a file are one place. */
export function placesOf(found: readonly FoundChunk[]): Place[] {
  return [...Map.groupBy(found, ({ filePath }) => filePath)].flatMap(([filePath, ofFile]) => {
    const rows = ofFile.map(({ hit: { reader, chunk } }) => reader.chunk(chunk))
      .sort((a, b) => a.start - b.start);
    const places: Place[] = [];
    for (const { startLine, endLine, page } of rows) {
      const last = places.at(-1);
      if (last !== undefined && startLine <= last.endLine + NEAR_LINES) {
        places[places.length - 1] = { ...last, endLine: Math.max(last.endLine, endLine) };
      } else places.push({ filePath, startLine, endLine, ...(page === undefined ? {} : { page }) });
    }
    return places;
  });
}

/** Lines from the end of a chunk to the start of the next, with a blank line between them. */
const NEAR_LINES = 2;
