import { DamagedIndexError, IndexReader, type ReadOptions } from "../../index/mod.ts";
import type { ReadableFile } from "../../sandbox/mod.ts";
import { isPathInside } from "../index_checks.ts";

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
