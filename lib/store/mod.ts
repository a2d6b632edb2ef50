/**
 * The storage of a folder's index, and the lock for writing it.
 * @module
 */
export { dataFolder, type IndexDirs } from "./data_folder.ts";
export type {
  ChunkFilter,
  ChunkIdentity,
  ChunkScores,
  GroupQuery,
  IndexStatistics,
  OpenIndex,
  ScoredChunk,
  TermGroup,
  TermGroupMember,
  TermQuery,
  VectorQuery,
  Wanted,
} from "./open_index.ts";
export type {
  IndexChanges,
  IndexStore,
  IndexWriter,
  LoadedIndex,
  StoreLock,
  UnusableState,
  WriteOptions,
} from "./index_store.ts";
export type { StoredChunk } from "../index/mod.ts";
export { folderStore, openReady } from "./folder_store.ts";
export { WriterLock } from "./lock.ts";
export { isMadeFor, isPathInside, movedFrom } from "./index_checks.ts";
export {
  lockRecognition,
  type RecognisedPages,
  RecognisedTexts,
  type RecognitionFailure,
} from "./recognised_texts.ts";
export { ContentVectors, storedDimensions, type VectorModel } from "./content_vectors/content_vectors.ts";
export {
  ContentVectorWriter,
  lockContentVectors,
  removeOtherVectors,
} from "./content_vectors/content_vector_writer.ts";
export { neuralLanguageOf } from "./content_vectors/neural_language.ts";
export { HashSlots } from "./hash_slots.ts";
