import type { ReadChunk } from "./select.ts";
import type { OtherPlace } from "./types.ts";

/** Lines from the end of a chunk to the start of the next, with a blank line between them. */
const NEAR_LINES = 2;

/** Where chunks are: files in the order of their best chunks; chunks that follow one another in a file are one place. */
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
