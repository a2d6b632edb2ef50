/**
 * Where a folder's database lies, who may write it, and which folders there are.
 * @module
 */
export { DATA_FOLDER, dataFolder, ensureDataFolder, indexPath, isRealFolder } from "./data_folder.ts";
export { type LoadedIndex, loadIndex } from "./load_index.ts";
export { WriterLock } from "./lock.ts";
export { register, registeredRoots, unregister } from "./registry.ts";
export { removeLeftovers, replaceFile } from "./replace_file.ts";
export { type CacheEntry, VectorCache } from "./vector_cache.ts";
