import type { Config } from "../config/mod.ts";
import type { WalkOptions } from "./walk.ts";

/** Bytes of a megabyte. */
const MEGABYTE = 1_000_000;

/** What the configuration says of the files to take and to leave. `ownPlaces`: see {@linkcode WalkOptions}. */
export function walkOptions({ files }: Config, ownPlaces?: readonly string[]): WalkOptions {
  return {
    include: files.include,
    exclude: files.exclude,
    ignoreFiles: files.ignore_files,
    maxFileBytes: files.max_file_mb * MEGABYTE,
    ownPlaces,
  };
}
