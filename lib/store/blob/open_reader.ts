import { DamagedIndexError, IndexReader, type ReadOptions } from "../../index/mod.ts";
import { isHostilePath, type ReadableFile } from "../../sandbox/mod.ts";

/**
 * Opens the index in a file that is open for reading, see {@linkcode IndexReader.open}. Also throws `DamagedIndexError` if a path
 * in its file table cannot be that of a file in the folder.
 */
export function openReader(file: ReadableFile, options: ReadOptions): IndexReader {
  const reader = IndexReader.open(file, options);
  for (const [at, { path }] of reader.files.entries()) {
    if (isPathInside(path)) continue;
    reader.close();
    throw new DamagedIndexError(`path of file ${at}`);
  }
  return reader;
}

/** Returns whether a path is relative, separated by `/`, and inside the folder, like the paths of the walk. */
function isPathInside(path: string): boolean {
  if (isHostilePath(path) || Deno.build.os === "windows" && path.includes("\\")) return false;
  return path.split("/").every((name) => name !== "" && name !== "." && name !== "..");
}
