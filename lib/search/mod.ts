/**
 * Searching and reading in the folders a process serves.
 * @module
 */
export {
  type Catalog,
  type ChunkContext,
  type CollectionInfo,
  type DocumentFilter,
  type DocumentList,
  type IndexedFolder,
  type ListedDocument,
  type StoredFile,
} from "./catalog/types.ts";
export { type Summary, summaryOf, type Words, wordsOf } from "./catalog/summary.ts";
export { type ServedCollection, servedCollections } from "./served_collections.ts";
export { openLibrary } from "./library.ts";
export type { LibraryOptions } from "./library_options.ts";
export type { Below } from "./scope.ts";
export type { ExplainedChunk, Explanation, Outcome } from "./explain.ts";
export type { WordPair } from "./rank/mod.ts";
export { belowTest, QUERY_LANGUAGES, type QueryLanguage, type SearchFilters } from "./query/mod.ts";
export { MAX_QUERY_CHARS } from "./types.ts";
export { type DocumentPart, documentPart, spanOfPages } from "./document_part.ts";
export { type RawPart, rawPart } from "./raw_part.ts";
export { Lines } from "./line_range.ts";
export type {
  Hit,
  Library,
  Mark,
  MatchDegree,
  OriginalFile,
  OtherPlace,
  RawFile,
  SearchAnswer,
  SearchMode,
  SearchRequest,
  ServedDocument,
} from "./types.ts";
export { WantedTexts } from "./neural/wanted_texts.ts";
