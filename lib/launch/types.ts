import type { Preparation, Surroundings } from "../cli/mod.ts";

/** What the locked worker is told: all it gets to know of the world but what its permissions let it read. */
export interface Order {
  /** With the real paths of the folders, and secrets decrypted. */
  readonly preparation: Preparation;
  /** With those variables alone that a command looks at. */
  readonly around: Surroundings;
  /** What the worker may touch, for `doctor` to tell. */
  readonly permissions: Deno.PermissionOptionsObject;
}

/**
 * What the worker tells the launcher: that it is loaded; that it listens to Ctrl-C itself from here on; and in the end how
 * the process is to end.
 */
export type Telling = "ready" | { readonly listening: true } | { readonly exit: number };
