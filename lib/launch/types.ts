import type { RelayEvent, RelayRequest } from "../extract/mod.ts";

/**
 * Messages of the launcher to the worker: the request to run (`R`, plain data), the next bytes of stdin (null: its end),
 * events of the processes that read documents, and the check of whether the worker still answers.
 */
export type MessageToWorker<R> =
  | { readonly run: R }
  | { readonly input: Uint8Array<ArrayBuffer> | null }
  | { readonly relayed: RelayEvent }
  | "alive?";

/**
 * Messages of the worker to the launcher: it has loaded its modules; it answers; it listens to Ctrl-C from now on; how many
 * bytes of the input it has read; its requests to the processes that read documents; the exit code of the process.
 */
export type MessageFromWorker =
  | "ready"
  | "alive"
  | { readonly listening: true }
  | { readonly taken: number }
  | { readonly relay: RelayRequest }
  | { readonly exit: number };
