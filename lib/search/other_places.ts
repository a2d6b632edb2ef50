import type { ReadChunk } from "./select.ts";
import type { OtherPlace } from "./types.ts";

/** Lines from the end of a chunk to the start of the next one, if a blank line is between them. */
const NEAR_LINES = 2;

/** Returns the places of chunks. Consecutive chunks of a file are one place. Files come in the order of their best chunks. */
export function otherPlaces(chunks: readonly ReadChunk[]): OtherPlace[] {
  return [...Map.groupBy(chunks, ({ filePath }) => filePath)].flatMap(([filePath, ofFile]) => {
    const places: OtherPlace[] = [];
    for (const { stored } of ofFile.toSorted((a, b) => a.stored.start - b.stored.start)) {
      const { startLine, endLine, page } = stored;
      const last = places.at(-1);
      if (last !== undefined && startLine <= last.endLine + NEAR_LINES) {
        places[places.length - 1] = { ...last, endLine: Math.max(last.endLine, endLine) };
      } else places.push({ filePath, startLine, endLine, ...(page === undefined ? {} : { page }) });
    }
    return places;
  });
}
