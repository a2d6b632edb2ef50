/**
 * Searching and reading in the folders a process serves.
 * @module
 */
export { openLibrary } from "./library.ts";
export { MAX_QUERY_CHARS } from "./types.ts";
export type { Hit, Library, MatchDegree, RawFile, SearchAnswer, SearchMode, SearchRequest } from "./types.ts";
