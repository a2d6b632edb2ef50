import fs from "node:fs";
import { FileToRead } from "./file_to_read.ts";
import { asDenoError } from "./node_error.ts";

/**
 * Opens what is at a path for reading. A pipe without a writer is opened at once, where `Deno.openSync` would wait for one
 * and hold up the whole thread, and a link in the last part of the path is not followed unless `follow` is set. What was
 * opened need not be a file: the caller looks. Windows has no pipes in its folders, nor these flags. Throws what the system throws: a link in the place
 * of a file is {@linkcode Deno.errors.FilesystemLoop}.
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
