/**
 * The list of folders that were indexed on this machine.
 * @module
 */
export {
  register,
  type Registered,
  registered,
  registeredPaths,
  registeredRoots,
  unregister,
} from "./registry.ts";
