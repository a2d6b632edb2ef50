/**
 * The list of folders that were indexed on this machine.
 * @module
 */
export { register, registered, registeredPaths, registeredRoots, unregister } from "./registry.ts";
