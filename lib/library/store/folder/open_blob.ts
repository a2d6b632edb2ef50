/**
 * Opens and copies the index in a file of the data folder.
 */
import { DamagedIndexError, type IndexKey, IndexReader } from "#engine/index/mod.ts";
import { type ByteSink, type ByteSource, isPathInside } from "../store.ts";
import { DELTA_SECTION } from "./delta.ts";

/** Bytes copied at once, and without a pause. */
const COPY_BYTES = 1 << 20;
const PAUSE_BYTES = 16 * COPY_BYTES;

/** Copies the bytes of a verified index without checking them again. Returns their number. */
export async function copyIndex(reader: IndexReader, sink: ByteSink): Promise<number> {
  for (let at = 0; at < reader.size; at += COPY_BYTES) {
    const bytes = reader.bytes(at, Math.min(at + COPY_BYTES, reader.size));
    for (let written = 0; written < bytes.length;) written += sink.writeSync(bytes.subarray(written));
    if (at % PAUSE_BYTES === 0) await pause();
  }
  return reader.size;
}

/** Like {@linkcode openReader}, but a delta is refused: it has only a part of the files. */
export function openWhole(file: ByteSource, key: IndexKey): IndexReader {
  const reader = openReader(file, key);
  if (reader.extra(DELTA_SECTION) === undefined) return reader;
  reader.close();
  throw new DamagedIndexError("a delta without its base");
}

/**
 * Opens the index in a file that is open for reading, see {@linkcode IndexReader.open}. Also throws `DamagedIndexError` if a
 * path in its file table cannot be that of a file in the folder.
 */
export function openReader(file: ByteSource, key: IndexKey): IndexReader {
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
