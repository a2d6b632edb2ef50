import type { RelayEvent, RelayRequest } from "../extract/mod.ts";
import type { Preparation, Surroundings } from "../cli/mod.ts";

/** The order for the locked worker: all it gets to know of the world but what its permissions let it read. */
export interface Order {
  /** With the real paths of the folders, and secrets decrypted. */
  readonly preparation: Preparation;
  /** With those variables alone that a command looks at. */
  readonly around: Surroundings;
  /** Permissions of the worker, for `doctor` to tell. */
  readonly permissions: Deno.PermissionOptionsObject;
  /** Whether the launcher reads stdin and hands its bytes over. */
  readonly handsInput: boolean;
}

/**
 * The launcher's messages to the worker: its order, the next bytes of stdin (null: its end), what came from the processes
 * that read documents, and a question whether the worker still answers.
 */
export type Sending =
  | { readonly order: Order }
  | { readonly input: Uint8Array<ArrayBuffer> | null }
  | { readonly relayed: RelayEvent }
  | "alive?";

/**
 * The worker's messages to the launcher: that it is loaded; that it listens to Ctrl-C itself from here on; that it answers; how
 * many bytes of the input it has taken; what it asks of the processes that read documents; and in the end how the process is to end.
 */
export type Telling =
  | "ready"
  | "alive"
  | { readonly listening: true }
  | { readonly taken: number }
  | { readonly relay: RelayRequest }
  | { readonly exit: number };
