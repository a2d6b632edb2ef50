/** Starts the locked worker and gives up the permissions of the launcher. */
export { environmentFor } from "./environment.ts";
export { LockedWorker } from "./locked_worker.ts";
export { giveUpAllBut } from "./rights.ts";
export type { MessageFromWorker, MessageToWorker } from "./types.ts";
