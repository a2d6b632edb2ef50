/**
 * Ranking the chunks of a collection for a question: legs, and how they are put together.
 * @module
 */
export { Meaning } from "./meaning.ts";
export type { QueryWord } from "./query_words.ts";
export { Ranking } from "./ranking.ts";
export {
  type ChunkEvidence,
  type ChunkRerank,
  LEG_NAMES,
  type LegName,
  type LegShare,
  type NeuralScores,
  type RankedChunk,
  type RankRequest,
  type RankWanted,
  type Searcher,
  type SearchMode,
} from "./types.ts";
export { COMMON } from "./word_matches.ts";
export type { WordPair } from "./word_pairs.ts";
