import { DamagedIndexError, IndexReader, type ReadOptions } from "../../index/mod.ts";
import { isHostilePath } from "../../sandbox/mod.ts";

/**
 * Opens the index in a file that is open for reading, see {@linkcode IndexReader.open}; also throws `DamagedIndexError` where its
 * file table names what cannot be a file of the folder.
 */
export function openReader(file: Deno.FsFile, options: ReadOptions): IndexReader {
  const reader = IndexReader.open(file, options);
  for (const [at, { path }] of reader.files.entries()) {
    if (isPathInside(path)) continue;
    reader.close();
    throw new DamagedIndexError(`path of file ${at}`);
  }
  return reader;
}

/** Whether a path is written as the walk writes those of files: relative, names with `/` between them, none for elsewhere. */
function isPathInside(path: string): boolean {
  if (isHostilePath(path) || Deno.build.os === "windows" && path.includes("\\")) return false;
  return path.split("/").every((name) => name !== "" && name !== "." && name !== "..");
}
