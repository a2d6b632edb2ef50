/**
 * A query understood: its operators, its weighted terms, and the filter for chunks.
 * @module
 */
export { belowTest, type ChunkConditions, fileTest, filterFor } from "./file_filter.ts";
export { type Period, periodOf } from "./metadata_conditions.ts";
export {
  type Content,
  contentOf,
  crossingPairs,
  queryTerms,
  STOP_WORD_WEIGHT,
  Synonyms,
} from "./query_terms.ts";
export { filtersOf, type ParsedQuery, parseQuery } from "./parse_query.ts";
export * from "./types.ts";
