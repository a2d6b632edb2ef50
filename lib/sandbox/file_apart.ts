import type { FilePart } from "./program_file.ts";

/**
 * Stands behind the file that `scripts/compile.ts` inserts in front of the runtime's part of an executable for Linux, after
 * the length of that file:
 *
 * ```
 * native code, the file, u64 its length, 8 bytes mark, the runtime's part, the last 8 bytes of which are its length as a u64
 * ```
 */
export const MARK = "MUXAPART";
/** Bytes of the length and the mark. */
export const MARK_BYTES = 16;

/** Returns where the runtime's part of an executable for Linux begins, in bytes. */
export function runtimePartOf(file: Deno.FsFile): number {
  const end = file.seekSync(0, Deno.SeekMode.End);
  return end - lengthAt(file, end - 8);
}

/** Opens the file that was inserted into an executable. Throws the errors of the system, and an error if there is none. */
export function openFileApart(executable: string): FilePart {
  const file = Deno.openSync(executable);
  try {
    const end = runtimePartOf(file) - MARK_BYTES;
    const length = end < 0 ? 0 : lengthAt(file, end);
    if (length === 0 || length > end || new TextDecoder().decode(bytesAt(file, end + 8)) !== MARK) {
      throw new Error(`${executable} does not contain its data`);
    }
    return { file, offset: end - length, length };
  } catch (error) {
    file.close();
    throw error;
  }
}

function lengthAt(file: Deno.FsFile, offset: number): number {
  return Number(new DataView(bytesAt(file, offset).buffer).getBigUint64(0, true));
}

/** The next 8 bytes; zeros behind the end. */
function bytesAt(file: Deno.FsFile, offset: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(8);
  file.seekSync(Math.max(0, offset), Deno.SeekMode.Start);
  file.readSync(bytes);
  return bytes;
}
