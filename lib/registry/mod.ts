/** Which folders were processed on this machine. A station of its own: who lists them needs nothing of their databases. */
export {
  register,
  type Registered,
  registered,
  registeredPaths,
  registeredRoots,
  unregister,
} from "./registry.ts";
