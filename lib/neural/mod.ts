/**
 * Neural models that run in threads of the program, without permissions.
 * @module
 */
export {
  DESCRIPTION_FILE,
  type ModelDescription,
  type ModelFile,
  type ModelFolder,
  parseDescription,
  type Pooling,
  readModelFolder,
} from "./model_folder.ts";
