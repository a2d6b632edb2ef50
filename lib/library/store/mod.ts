/**
 * Everything that is kept about a folder: its index, vectors, recognised texts, locks and backups.
 * @module
 */
export {
  type ChunkFilter,
  type ChunkIdentity,
  type ChunkScores,
  type GroupQuery,
  type IndexStatistics,
  type OpenIndex,
  type ScoredChunk,
  type SearchOptions,
  type TermGroup,
  type TermQuery,
  type VectorQuery,
} from "#engine/index/mod.ts";
export type { StoredChunk } from "#engine/index/types.ts";
export {
  type ByteSink,
  type ByteSource,
  type ContentVector,
  type EvaluationRuns,
  type FileMask,
  type GeneratedTexts,
  type IndexChanges,
  type IndexWriter,
  isMadeFor,
  isPathInside,
  type LoadedIndex,
  movedFrom,
  type OpenOptions,
  pictureKey,
  type RecognisedPages,
  type RecognisedPicture,
  type RecognisedTexts,
  type RecognitionFailure,
  type RemovedFiles,
  RUN_LIMITS,
  type SharedBatch,
  type SharedFile,
  type SharedWork,
  type Store,
  type StoreFacts,
  type StoreLock,
  type StoreWork,
  type UnusableState,
  UNUSED_DAYS,
  type VectorModel,
  type VectorReader,
  type VectorStore,
  type VectorWriter,
  type WriteOptions,
} from "./store.ts";
export { writeAsOne } from "./folder/delta.ts";
export { hasFilesHere, type IndexDirs, openReady, openStore, type StoreAccess } from "./open_store.ts";
export { HashSlots, neuralLanguageOf, TableReader, vectorOf } from "./vector_table.ts";
