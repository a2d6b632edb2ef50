import type { ReadableFile } from "../sandbox/mod.ts";
import { BadArchive } from "./tar.ts";

const PART_BYTES = 256 * 1024;

/** Whether a file begins as a gzip file does. */
export function isGzip(start: Uint8Array): boolean {
  return start[0] === 0x1f && start[1] === 0x8b;
}

/** The decompressed content of a gzip file, in parts. Throws {@linkcode BadArchive}. */
export async function* gunzipFile(file: ReadableFile): AsyncGenerator<Uint8Array> {
  yield* gunzipParts(partsOf(file));
}

/** The decompressed content of at most `limit` bytes. Throws {@linkcode BadArchive} for more, and for damaged bytes. */
export async function gunzip(
  bytes: Uint8Array<ArrayBuffer>,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of gunzipParts([bytes])) {
    length += part.length;
    if (length > limit) throw new BadArchive("too large");
    parts.push(part);
  }
  return await new Blob(parts as BlobPart[]).bytes();
}

async function* gunzipParts(
  parts: AsyncIterable<Uint8Array<ArrayBuffer>> | Iterable<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Uint8Array> {
  const unpacked = ReadableStream.from(parts).pipeThrough(new DecompressionStream("gzip"));
  try {
    yield* unpacked;
  } catch (error) {
    // The stream reports damaged bytes as a TypeError.
    throw error instanceof TypeError ? new BadArchive(error.message, { cause: error }) : error;
  }
}

async function* partsOf(file: ReadableFile): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (;;) {
    const buffer = new Uint8Array(PART_BYTES);
    const count = await file.read(buffer);
    if (count === null || count === 0) return;
    yield buffer.subarray(0, count);
  }
}
