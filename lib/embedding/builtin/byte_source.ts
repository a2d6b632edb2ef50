/** Bytes that are read part by part, so that a whole file need not be in memory beside what is made of it. */
export interface ByteSource {
  readonly length: number;
  /** Bytes `from` to `to` (exclusive). Throws an error where the file ends before. */
  read(from: number, to: number): Uint8Array<ArrayBuffer>;
}

/** Bytes that are in memory. */
export function bytesSource(bytes: Uint8Array<ArrayBuffer>): ByteSource {
  return { length: bytes.length, read: (from, to) => bytes.subarray(from, to) };
}

/** An open file. */
export function fileSource(file: Deno.FsFile): ByteSource {
  return {
    // not by statSync(), which the files inside an executable lack
    length: file.seekSync(0, Deno.SeekMode.End),
    read(from, to) {
      const bytes = new Uint8Array(to - from);
      file.seekSync(from, Deno.SeekMode.Start);
      for (let at = 0; at < bytes.length;) {
        const count = file.readSync(bytes.subarray(at));
        if (count === null) throw new Error("the file ends too early");
        at += count;
      }
      return bytes;
    },
  };
}
