/**
 * Where a folder's database lies, and who may write it.
 * @module
 */
export { DATA_FOLDER, dataFolder, ensureDataFolder, indexPath } from "./data_folder.ts";
export type {
  ChunkFilter,
  ChunkIdentity,
  ChunkScores,
  GroupQuery,
  IndexStatistics,
  IndexStore,
  IndexWriter,
  LanguageStatistics,
  OpenIndex,
  ScoredChunk,
  StoredChunk,
  StoredVectors,
  TermGroup,
  TermGroupMember,
  TermQuery,
  VectorQuery,
  Wanted,
  WriteOptions,
} from "./index_store.ts";
export {
  isOf,
  type LoadedIndex,
  loadIndex,
  movedFrom,
  openIndexFile,
  type UnusableState,
} from "./load_index.ts";
export { WriterLock } from "./lock.ts";
export { openIndex } from "./open_index.ts";
export { removeLeftovers, replaceIndex } from "./replace_index.ts";
export { VectorCache } from "./vector_cache.ts";
export type { CacheEntry } from "./vector_records.ts";
