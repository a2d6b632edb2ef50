/**
 * Neural models that run in threads of the program, without permissions.
 * @module
 */
export * from "./encoder_pool.ts";
export * from "./model_folder.ts";
export type { ThreadOptions } from "./model_threads.ts";
