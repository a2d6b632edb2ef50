/**
 * Searching and reading in the folders a process serves.
 * @module
 */
export { openLibrary } from "./library.ts";
export type { Hit, Library, MatchDegree, RawFile, SearchAnswer, SearchMode, SearchRequest } from "./types.ts";
