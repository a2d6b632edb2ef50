/**
 * Ranking the chunks of some indexes for a question: legs, and how they are put together.
 * @module
 */
export { COMMON, Meaning } from "./meaning.ts";
export { isFoundByGenerated } from "./evidence.ts";
export type { QueryWord } from "./query_words.ts";
export { Ranking, type WordPair } from "./ranking.ts";
export * from "./types.ts";
