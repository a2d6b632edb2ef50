/**
 * A query understood: its operators, its weighted terms, and the filter for chunks.
 * @module
 */
export { addedTerms, type AddedWords } from "./added_terms.ts";
export { belowTest, type ChunkConditions, fileMask, filterFor, typeOfPath } from "./file_filter.ts";
export { expressionText, positiveWords, type QueryExpression } from "./boolean_query.ts";
export { metadataMask, otherFieldsOf } from "./metadata_filter.ts";
export {
  type Content,
  contentOf,
  crossingPairs,
  queryTerms,
  STOP_WORD_WEIGHT,
  Synonyms,
} from "./query_terms.ts";
export { checkFields, givenFilters, type OtherFields } from "./json_filter.ts";
export { filtersOf, type ParsedQuery, parseQuery, typedFilters } from "./parse_query.ts";
export * from "./types.ts";
