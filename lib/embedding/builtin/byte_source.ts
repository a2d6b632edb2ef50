import type { FilePart } from "../../sandbox/mod.ts";

/** Bytes that are read in parts, so that a file need not be in memory as a whole while it is decoded. */
export interface ByteSource {
  readonly length: number;
  /** Returns the bytes from `from` to `to` (exclusive). Throws an error if the file is shorter. */
  read(from: number, to: number): Uint8Array<ArrayBuffer>;
}

/** Returns a source of bytes in memory. */
export function bytesSource(bytes: Uint8Array<ArrayBuffer>): ByteSource {
  return { length: bytes.length, read: (from, to) => bytes.subarray(from, to) };
}

/** Returns a source of the bytes of a part of an open file. */
export function fileSource({ file, offset, length }: FilePart): ByteSource {
  return {
    length,
    read(from, to) {
      const bytes = new Uint8Array(to - from);
      file.seekSync(offset + from, Deno.SeekMode.Start);
      for (let at = 0; at < bytes.length;) {
        const count = file.readSync(bytes.subarray(at));
        if (count === null) throw new Error("the file ends too early");
        at += count;
      }
      return bytes;
    },
  };
}
