/**
 * Neural models that run in threads of the program, without permissions.
 * @module
 */
export {
  CrossEncoder,
  type EmbedOptions,
  EncoderPool,
  type EncoderSettings,
  type HashedFile,
  hashedFile,
  type ModelFiles,
  type ModelSettings,
} from "./encoder_pool.ts";
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
