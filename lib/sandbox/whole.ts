import type { ReadableFile } from "./_open_to_read.ts";

/** Reads from the current position until `bytes` is full or the file ends. Returns the number of bytes read. */
export async function fill(file: ReadableFile, bytes: Uint8Array): Promise<number> {
  let filled = 0;
  while (filled < bytes.length) {
    const count = await file.read(bytes.subarray(filled));
    if (count === null) break;
    filled += count;
  }
  return filled;
}

/** Synchronous {@linkcode fill}. */
export function fillSync(file: ReadableFile, bytes: Uint8Array): number {
  let filled = 0;
  while (filled < bytes.length) {
    const count = file.readSync(bytes.subarray(filled));
    if (count === null) break;
    filled += count;
  }
  return filled;
}

/** Writes all of `bytes` at the current position. */
export async function writeAll(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
}

/** Synchronous {@linkcode writeAll}. */
export function writeAllSync(file: Deno.FsFile, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
}
