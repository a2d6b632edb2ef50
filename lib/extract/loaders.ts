import type { Loader } from "../document/mod.ts";

/** Loaders that run in an extractor process, by the name of their format. */
export const LOADERS: Readonly<Record<string, Loader>> = {};
