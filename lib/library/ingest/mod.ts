/**
 * Indexing a folder, and commands on its index: status, list of files, verification, backup, restore, clean.
 * @module
 */
export { type BackupFile, type BackupFit, backupIndex, cleanIndex, restoreIndex } from "./backup.ts";
export {
  compareWithFolder,
  type FileError,
  type FileState,
  folderFiles,
  folderStatus,
  type ListedFile,
  openForReport,
  reasonText,
} from "./status.ts";
export { ingestSettings, settingsChanged, settingsName } from "./settings.ts";
export { ingest } from "./ingest.ts";
export {
  makeNeuralVectors,
  type NeuralOptions,
  type NeuralProgress,
  type NeuralSummary,
} from "./neural/make_neural_vectors.ts";
export { removeGenerated } from "./generation/write_generated.ts";
export { type NeuralShare, neuralShare } from "./neural/missing_vectors.ts";
export { type RenewedVectors, renewNeuralVectors } from "./neural/renew_neural_vectors.ts";
export { Recogniser } from "./recogniser.ts";
export { readLanguageData, recognisePending } from "./recognition.ts";
export type {
  FileEnd,
  FolderStatus,
  IngestContext,
  IngestOptions,
  IngestProgress,
  IngestSummary,
} from "./types.ts";
export { exportCollection } from "./export_collection.ts";
export { importCollection, type ImportFit } from "./import_collection.ts";
export type { TransferCounts, TransferProgress } from "./transfer_stream.ts";
export { checkIndex, type FolderCheck, verifyFolder, type VerifyOptions } from "./verify.ts";
export { type FolderPreview, previewFolder, type Range, type SensitivePath } from "./preview.ts";
