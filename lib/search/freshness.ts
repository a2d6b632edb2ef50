import type { NewerFiles } from "./newer_files.ts";
import type { SearchedFolder } from "./searched_folders.ts";
import type { Freshness } from "./types.ts";

/**
 * Returns how well the indexes searched agree with their folders. `isOutdated`: whether a file of the answer has changed.
 * `newer`: the files newer than the indexes that nothing keeps current, if there are such indexes.
 */
export function freshnessOf(
  searched: readonly SearchedFolder[],
  { isOutdated, newer }: { readonly isOutdated: boolean; readonly newer: NewerFiles | undefined },
): Freshness {
  const isSeen = newer !== undefined && (newer.isAll || newer.count > 0);
  return {
    indexedAt: new Date(Math.min(...searched.map(({ index }) => Date.parse(index.meta.indexedAt)))),
    state: isOutdated || newer !== undefined && newer.count > 0 ? "outdated" : "unknown",
    ...(isSeen && { newerFiles: newer.count }),
  };
}
