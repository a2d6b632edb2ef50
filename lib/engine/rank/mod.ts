/**
 * Ranking the chunks of some indexes for a question: legs, and how they are put together.
 * @module
 */
export { Meaning } from "./meaning.ts";
export { COMMON, type QueryWord } from "./query_words.ts";
export { Ranking, type WordPair } from "./ranking.ts";
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
