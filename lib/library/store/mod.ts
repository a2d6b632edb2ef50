/**
 * The storage of a folder's index, and the lock for writing it.
 * @module
 */
export { dataFolder, type IndexDirs, WriterLock } from "./data_folder.ts";
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
  type TermGroupMember,
  type TermQuery,
  type VectorQuery,
} from "#engine/open_index.ts";
export type {
  IndexChanges,
  IndexStore,
  IndexWriter,
  LoadedIndex,
  StoreLock,
  UnusableState,
  WriteOptions,
} from "./index_store.ts";
export type { StoredChunk } from "#engine/index/types.ts";
export { folderStore, openReady } from "./folder_store.ts";
export {
  lockRecognition,
  type RecognisedPages,
  RecognisedTexts,
  type RecognitionFailure,
} from "./recognised_texts.ts";
export {
  ContentVectors,
  neuralLanguageOf,
  storedDimensions,
  type VectorModel,
} from "./content_vectors/content_vectors.ts";
export {
  ContentVectorWriter,
  lockContentVectors,
  removeOtherVectors,
} from "./content_vectors/content_vector_writer.ts";
export { HashSlots } from "./hash_slots.ts";
export { isMadeFor, isPathInside, movedFrom } from "./index_checks.ts";
