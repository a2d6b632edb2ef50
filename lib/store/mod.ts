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
  UnusableState,
  VectorQuery,
  Wanted,
  WriteOptions,
} from "./index_store.ts";
// until lib/ingest, lib/evaluate and lib/cli go through the store
export { type LoadedIndex, loadIndex, openIndexFile } from "./blob/load_index.ts";
export { openReader as openIndex } from "./blob/open_reader.ts";
export { removeLeftovers, replaceIndex } from "./blob/replace_index.ts";
export { folderStore } from "./folder_store.ts";
export { WriterLock } from "./lock.ts";
export { isMadeFor as isOf, movedFrom } from "./moved_index.ts";
export { VectorCache } from "./vector_cache.ts";
export type { CacheEntry } from "./vector_records.ts";
