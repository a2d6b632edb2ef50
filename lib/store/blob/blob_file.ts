import { DamagedIndexError, type IndexKey, IndexReader } from "../../index/mod.ts";
import type { ReadableFile } from "../../sandbox/mod.ts";
import { isPathInside } from "../index_checks.ts";
import { DELTA_SECTION } from "./delta.ts";

/** Bytes copied at once, and without a pause. */
const COPY_BYTES = 1 << 20;
const PAUSE_BYTES = 16 * COPY_BYTES;

/** Copies the bytes of a verified index without checking them again. Returns their number. */
export async function copyIndex(reader: IndexReader, file: Deno.FsFile): Promise<number> {
  for (let at = 0; at < reader.size; at += COPY_BYTES) {
    const bytes = reader.bytes(at, Math.min(at + COPY_BYTES, reader.size));
    for (let written = 0; written < bytes.length;) written += file.writeSync(bytes.subarray(written));
    if (at % PAUSE_BYTES === 0) await pause();
  }
  return reader.size;
}

/** Like {@linkcode openReader}, but a delta is refused: it has only a part of the files. */
export function openWhole(file: ReadableFile, key: IndexKey): IndexReader {
  const reader = openReader(file, key);
  if (reader.extra(DELTA_SECTION) === undefined) return reader;
  reader.close();
  throw new DamagedIndexError("a delta without its base");
}

/**
 * Opens the index in a file that is open for reading, see {@linkcode IndexReader.open}. Also throws `DamagedIndexError` if a
 * path in its file table cannot be that of a file in the folder.
 */
export function openReader(file: ReadableFile, key: IndexKey): IndexReader {
  const reader = IndexReader.open(file, { key });
  for (const [at, { path }] of reader.files.entries()) {
    if (isPathInside(path)) continue;
    reader.close();
    throw new DamagedIndexError(`path of file ${at}`);
  }
  return reader;
}

/** Lets other work go on, such as that of a signal handler. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
