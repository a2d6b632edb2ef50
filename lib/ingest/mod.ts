/**
 * From a folder to its index.
 * @module
 */
export { backupIndex, restoreIndex } from "./backup.ts";
export { cleanIndex, hasIndex } from "./clean.ts";
export { DATA_FOLDER, indexPath } from "./data_folder.ts";
export { ingest } from "./ingest.ts";
export { type LoadedIndex, loadIndex } from "./load_index.ts";
export { registeredRoots } from "./registry.ts";
export { ingestSettings } from "./settings.ts";
export { folderStatus } from "./status.ts";
export type {
  FileFailure,
  FolderStatus,
  IngestContext,
  IngestOptions,
  IngestProgress,
  IngestSummary,
  SkipReason,
} from "./types.ts";
