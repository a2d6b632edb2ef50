/**
 * Reads the files of a folder, with the size, time and hash that tell later whether they have changed.
 * A file that cannot be read ends in an error that names it.
 */
import { createHash } from "node:crypto";
import {
  fileError,
  fill,
  fillSync,
  openInside,
  openTogether,
  type ReadableFile,
} from "#foundation/boundary/mod.ts";
import { bytesToText, type Decoded, DocumentError, LONGEST_TEXT } from "#documents/mod.ts";
import { UserError } from "#foundation/errors.ts";

/** A file's bytes with size, time and hash. */
export interface FileBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970. Taken before reading, so that a change during the reading is noticed later. */
  readonly mtimeMs: number;
  /** When the file was created, in the same unit. Absent where the file system does not know it, and for a copy of an older file. */
  readonly birthtimeMs?: number;
  /** The 32 bytes of the SHA-256. */
  readonly sha256: Uint8Array<ArrayBuffer>;
}

/** The text of a file, with size, time and hash. */
export type TextFile = Decoded & Omit<FileBytes, "bytes">;

/** Options of {@linkcode readFileBytes}. */
export interface ReadBytesOptions {
  /** Larger files are refused. */
  readonly maxBytes?: number | undefined;
  /** Ends the reading. The reason of the signal is thrown. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of {@linkcode readTextFile}. */
export interface ReadTextOptions extends ReadBytesOptions {
  /** Any WHATWG label. Default: detects the encoding. */
  readonly encoding?: string | undefined;
  /** Reads the bytes in the place of {@linkcode readFileBytes}. */
  readonly read?: typeof readFileBytes | undefined;
}

/**
 * Reads a whole file. `real` is a real path inside an allowed folder, from `resolveInside` or from a walk.
 * Throws `UserError` with `path`: `file_not_found`, `no_permission`, `not_a_file`, `file_too_large` (`size`,
 * `limit`: MB), `file_unreadable` (`error`).
 */
export async function readFileBytes(
  real: string,
  { maxBytes, signal }: ReadBytesOptions = {},
): Promise<FileBytes> {
  try {
    using file = await openInside({ real });
    const facts = file.statSync();
    if (maxBytes !== undefined && facts.size > maxBytes) throw tooLarge(real, facts.size, maxBytes);
    const bytes = await readUpTo(file, facts.size);
    if (signal?.aborted) throw signal.reason;
    return fileBytes(bytes, facts);
  } catch (error) {
    signal?.throwIfAborted();
    throw fileError(error, real);
  }
}

/**
 * Reads small files of the folder whose real path is `folder`, as {@linkcode readFileBytes} does, in less time. Returns `undefined` if any
 * of them cannot be read, or has more than `maxBytes`. Read alone, it gives the reason.
 */
export function readTogether(
  folder: string,
  names: readonly string[],
  maxBytes: number,
): FileBytes[] | undefined {
  const files = openTogether(folder, names);
  try {
    if (files?.some(({ facts }) => facts.size > maxBytes)) return undefined;
    return files?.map(({ file, facts }) => fileBytes(filledSync(file, facts.size), facts));
  } catch {
    return undefined;
  } finally {
    for (const { file } of files ?? []) file.close();
  }
}

function fileBytes(
  bytes: Uint8Array<ArrayBuffer>,
  { mtime, birthtime }: ReturnType<ReadableFile["statSync"]>,
): FileBytes {
  const sha256 = new Uint8Array(createHash("sha256").update(bytes).digest());
  const mtimeMs = mtime?.getTime() ?? 0;
  const birthtimeMs = birthtime?.getTime() ?? 0;
  return {
    bytes,
    size: bytes.length,
    mtimeMs,
    // The runtime has 1970 for an unknown time. A copy is younger than the text in it; file systems round to 2 seconds.
    ...(birthtimeMs > 0 && birthtimeMs <= mtimeMs + 2000 ? { birthtimeMs } : {}),
    sha256,
  };
}

/** The error for a file of `size` bytes where only `limit` bytes are read. */
export function tooLarge(path: string, size: number, limit: number): UserError {
  const mega = (bytes: number) => Math.round(bytes / 100_000) / 10;
  return new UserError("file_too_large", { path, size: mega(size), limit: mega(limit) });
}

/** Bytes of the largest file that is read without a thread of its own: the switch takes longer than copying so many. */
const READ_AT_ONCE = 1 << 18;

/** The first `size` bytes, or fewer if the file has become shorter. Bytes appended meanwhile are left for the next run. */
async function readUpTo(file: ReadableFile, size: number): Promise<Uint8Array<ArrayBuffer>> {
  if (size <= READ_AT_ONCE) return filledSync(file, size);
  const buffer = new Uint8Array(size);
  const filled = await fill(file, buffer);
  return filled === size ? buffer : buffer.subarray(0, filled);
}

function filledSync(file: ReadableFile, size: number): Uint8Array<ArrayBuffer> {
  const buffer = new Uint8Array(size);
  const filled = fillSync(file, buffer);
  return filled === size ? buffer : buffer.subarray(0, filled);
}

/**
 * Reads a file as text. Throws the errors of {@linkcode readFileBytes} and {@linkcode documentError}. The content decides
 * whether it is text, not the name.
 */
export async function readTextFile(real: string, options: ReadTextOptions = {}): Promise<TextFile> {
  const { read = readFileBytes } = options;
  const { bytes, ...facts } = await read(real, options);
  options.signal?.throwIfAborted();
  try {
    return { ...await bytesToText(bytes, { path: real, encoding: options.encoding }), ...facts };
  } catch (error) {
    throw documentError(error, real, bytes.length);
  }
}

/**
 * Returns the `UserError` with `path` for a {@linkcode DocumentError}: `document_encrypted`, `document_damaged`,
 * `document_unsupported`, `document_too_complex`, and for texts `not_text`, `unsupported_encoding`, `file_too_large`. Any
 * other error is returned as it is. `size`: bytes of the file.
 */
export function documentError(error: unknown, path: string, size: number): unknown {
  if (!(error instanceof DocumentError)) return error;
  const { problem, message } = error;
  switch (problem) {
    case "too_large":
      return tooLarge(path, size, LONGEST_TEXT);
    case "not_text":
    case "unsupported_encoding":
      return new UserError(problem, { path }, { cause: error });
    default:
      return new UserError(`document_${problem}`, { path, error: message }, { cause: error });
  }
}
