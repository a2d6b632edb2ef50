/**
 * Indexing a folder, and commands on its index: status, list of files, verification, backup, restore, clean.
 * @module
 */
export { type BackupFile, type BackupFit, backupIndex, restoreIndex } from "./backup.ts";
export { cleanIndex, hasIndex } from "./clean.ts";
export { type FileError, type FileState, folderFiles, type ListedFile } from "./folder_files.ts";
export { reasonText } from "./failures.ts";
export { ingest } from "./ingest.ts";
export { compareWithFolder, folderStatus } from "./status.ts";
export {
  makeNeuralVectors,
  type NeuralOptions,
  type NeuralProgress,
  type NeuralSummary,
} from "./neural/make_neural_vectors.ts";
export { type NeuralShare, neuralShare } from "./neural/neural_share.ts";
export { type RenewedVectors, renewNeuralVectors } from "./neural/renew_neural_vectors.ts";
export { readLanguageData } from "./recognition/language_data.ts";
export { recognisePending } from "./recognition/recognise_pending.ts";
export { Recogniser } from "./recognition/recogniser.ts";
export type { FolderStatus, IngestContext, IngestOptions, IngestProgress, IngestSummary } from "./types.ts";
export { checkIndex } from "./check_index.ts";
export { type FolderCheck, verifyFolder, type VerifyOptions } from "./verify.ts";
