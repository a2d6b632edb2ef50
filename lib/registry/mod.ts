/** Which folders were processed on this machine. A station of its own: who lists them needs nothing of their databases. */
export { register, registeredPaths, registeredRoots, unregister } from "./registry.ts";
