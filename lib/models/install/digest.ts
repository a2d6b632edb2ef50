/**
 * SHA-256 of what is installed, and the failure of a source.
 */
import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { fill, isDiskFull, type OwnFolder, type ReadableFile, unwritable } from "#foundation/boundary/mod.ts";
import type { Digest } from "./types.ts";
import { UserError } from "#foundation/errors.ts";

/** Bytes that are read at once. */
const HASHED_AT_ONCE = 256 * 1024;

/** The size and the digest of a file. Throws the errors of the system. */
export async function digestOf(folder: OwnFolder, name: string): Promise<Digest> {
  using file = folder.open(name, "read");
  return await digestOfFile(file);
}

/** Like {@linkcode digestOf}, of the rest of an open file. */
export async function digestOfFile(file: ReadableFile): Promise<Digest> {
  const hash = createHash("sha256");
  const buffer = new Uint8Array(HASHED_AT_ONCE);
  let bytes = 0;
  for (;;) {
    const count = await fill(file, buffer);
    if (count === 0) return { bytes, sha256: hash.digest("hex") };
    hash.update(buffer.subarray(0, count));
    bytes += count;
  }
}

/** The size and the digest of bytes. */
export function digestOfBytes(bytes: Uint8Array): Digest {
  return { bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
}

export function isSame(a: Digest, b: Digest): boolean {
  return a.bytes === b.bytes && a.sha256 === b.sha256;
}

/** A download that failed so that another source may still succeed. */
export class SourceFailure extends UserError {}

/** The error for a failed write at `path`: `model_disk_full` or `data_folder_unwritable`. */
export function cannotWrite(error: unknown, path: string): UserError {
  if (error instanceof UserError) return error;
  if (isDiskFull(error)) return new UserError("model_disk_full", { path: dirname(path) }, { cause: error });
  return unwritable(error, path);
}
