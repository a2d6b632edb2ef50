/**
 * Neural models that run in threads of the program, without permissions.
 * @module
 */
export { CrossEncoder } from "./cross_encoder.ts";
export { type EmbedOptions, EncoderPool, type EncoderSettings } from "./encoder_pool.ts";
export { type HashedFile, hashedFile, type ModelFiles, type ModelSettings } from "./model_files.ts";
export {
  DESCRIPTION_FILE,
  type ModelDescription,
  type ModelFile,
  modelFilePaths,
  type ModelFolder,
  parseDescription,
  type Pooling,
  readModelFolder,
} from "./model_folder.ts";
export type { ThreadOptions } from "./model_threads.ts";
