/**
 * The list of folders that were indexed on this machine.
 * @module
 */
export { dataFolderIn } from "./data_folder_in.ts";
export {
  forgetAll,
  indexDirOf,
  register,
  registered,
  registeredPaths,
  registeredRoots,
  unregister,
} from "./registry.ts";
