import fs from "node:fs";
import { FileToRead } from "./_file_to_read.ts";
import { asDenoError } from "./file_error.ts";

/**
 * Opens a path for reading. A pipe without a writer is opened at once; `Deno.openSync` would block the thread until there is
 * one. A link in the last part of the path is followed only if `follow` is set. The caller checks whether it is a file.
 * Windows has no pipes in folders and none of these flags.
 *
 * Throws the errors of the system: {@linkcode Deno.errors.FilesystemLoop} for a link that is not followed.
 */
export function openToRead(path: string, { follow = false } = {}): Deno.FsFile {
  if (Deno.build.os === "windows") return Deno.openSync(path);
  const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = fs.constants;
  try {
    return new FileToRead(fs.openSync(path, O_RDONLY | O_NONBLOCK | (follow ? 0 : O_NOFOLLOW)), path);
  } catch (error) {
    throw asDenoError(error, path);
  }
}
