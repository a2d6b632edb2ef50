/**
 * Searching and reading in the folders a process serves.
 * @module
 */
export type {
  Catalog,
  ChunkContext,
  CollectionInfo,
  DocumentDetails,
  DocumentFilter,
  DocumentList,
  DocumentRelations,
  IndexedChunk,
  IndexedFolder,
  ListedDocument,
} from "./catalog/types.ts";
export type { StoredFile } from "#engine/index/types.ts";
export { type Facet, type FacetCounts, facetsNamed, facetsOf } from "./catalog/facets.ts";
export { type Summary, summaryOf, type Words, wordsOf } from "./catalog/summary.ts";
export { type ServedCollection, servedCollections } from "./served_collections.ts";
export type { AccessLimit } from "./access.ts";
export type { Added, Rewriter, Rewriting } from "./added_words.ts";
export { type LibraryOptions, openLibrary } from "./library.ts";
export type { Below } from "./served_folders.ts";
export type { ExplainedChunk, Explanation, Outcome } from "./explain.ts";
export type { WordPair } from "#engine/rank/mod.ts";
export { belowTest } from "#engine/query/mod.ts";
export { QUERY_LANGUAGES, type QueryLanguage, type SearchFilters } from "#engine/query/mod.ts";
export {
  type CheckedStatement,
  type CheckedSupport,
  type Hit,
  type HitGenerated,
  type Library,
  type MatchDegree,
  type OriginalFile,
  type OtherLocation,
  type RawFile,
  type SearchAnswer,
  type SearchRequest,
  type ServedDocument,
  type ServedPictures,
  type SupportOptions,
} from "./types.ts";
export { type DocumentPart, documentPart, type RawPart, rawPart, spanOfPages } from "./document_part.ts";
export { type QueriedTable, queryTable, type TableQuery } from "./table_query.ts";
export {
  type AnswerSentence,
  CHECK_LIMITS,
  checkAnswer,
  type CheckedAnswer,
  type GivenPassage,
  type QuotedPlace,
} from "./check_answer.ts";
export { Lines } from "./line_range.ts";
export { GATES } from "./why_not/types.ts";
export type {
  Gate,
  GateFacts,
  LegPlace,
  PassedGate,
  PlaceOfChunk,
  RequestChange,
  SettingAtGate,
  WhyNot,
  WhyNotRequest,
  WordHeld,
} from "./why_not/types.ts";
export type { Mark } from "./find_marks.ts";
export type { SearchMode } from "#engine/rank/types.ts";
export { WantedTexts } from "./neural_search.ts";
