/** Interprets a query: its operators, its content words, and the filter for chunks. */
export { belowTest, type ChunkConditions, filterFor } from "./chunk_filter.ts";
export { type Content, contentOf } from "./content.ts";
export { crossingPairs } from "./crossing_pairs.ts";
export { fileTest } from "./file_filter.ts";
export { filtersOf } from "./filters.ts";
export { parseQuery } from "./parse_query.ts";
export { queryTerms } from "./query_terms.ts";
export { STOP_WORD_WEIGHT } from "./stop_words.ts";
export { Synonyms } from "./synonyms.ts";
export { type ParsedQuery, QUERY_LANGUAGES, type QueryLanguage, type SearchFilters } from "./types.ts";
