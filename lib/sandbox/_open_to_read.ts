import fs from "node:fs";
import { asDenoError } from "./system_error.ts";

/** An open file as far as it can be read. */
export interface ReadableFile
  extends Pick<Deno.FsFile, "read" | "readSync" | "seekSync" | "close" | typeof Symbol.dispose> {
  statSync(): Pick<Deno.FileInfo, "isFile" | "size" | "mtime" | "birthtime" | "dev" | "ino" | "nlink">;
}

/**
 * Opens a path for reading. A pipe without a writer is opened at once; `Deno.openSync` would block the thread until there is
 * one. A link in the last part of the path is followed only if `follow` is set. The caller checks whether it is a file.
 * Windows has no pipes in folders and none of these flags.
 *
 * Throws the errors of the system: {@linkcode Deno.errors.FilesystemLoop} for a link that is not followed.
 */
export function openToRead(path: string, { follow = false } = {}): ReadableFile {
  if (Deno.build.os === "windows") return Deno.openSync(path);
  const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = fs.constants;
  try {
    return new NodeFile(fs.openSync(path, O_RDONLY | O_NONBLOCK | (follow ? 0 : O_NOFOLLOW)), path);
  } catch (error) {
    throw asDenoError(error, path);
  }
}

/** A file that `node:fs` opened, read like a `Deno.FsFile`. */
class NodeFile implements ReadableFile {
  readonly #fd: number;
  readonly #path: string;
  #position = 0;
  #open = true;

  constructor(fd: number, path: string) {
    this.#fd = fd;
    this.#path = path;
  }

  read(bytes: Uint8Array): Promise<number | null> {
    if (bytes.length === 0) return Promise.resolve(0);
    return new Promise((resolve, reject) =>
      fs.read(this.#fd, bytes, 0, bytes.length, this.#position, (error, count) => {
        if (error) reject(asDenoError(error, this.#path));
        else resolve(this.#advance(count));
      })
    );
  }

  readSync(bytes: Uint8Array): number | null {
    if (bytes.length === 0) return 0;
    try {
      return this.#advance(fs.readSync(this.#fd, bytes, 0, bytes.length, this.#position));
    } catch (error) {
      throw asDenoError(error, this.#path);
    }
  }

  seekSync(offset: number | bigint, whence: Deno.SeekMode): number {
    const from = whence === Deno.SeekMode.Start
      ? 0
      : whence === Deno.SeekMode.Current
      ? this.#position
      : this.statSync().size;
    const position = from + Number(offset);
    if (!(position >= 0)) throw new TypeError(`no place in a file: ${position}`);
    return this.#position = position;
  }

  statSync(): ReturnType<ReadableFile["statSync"]> {
    try {
      const stats = fs.fstatSync(this.#fd);
      const { size, mtime, birthtime, dev, ino, nlink } = stats;
      return { isFile: stats.isFile(), size, mtime, birthtime, dev, ino, nlink };
    } catch (error) {
      throw asDenoError(error, this.#path);
    }
  }

  close(): void {
    if (!this.#open) throw new Deno.errors.BadResource(`closed already: ${this.#path}`);
    this.#open = false;
    fs.closeSync(this.#fd);
  }

  [Symbol.dispose](): void {
    if (this.#open) this.close();
  }

  #advance(count: number): number | null {
    this.#position += count;
    return count === 0 ? null : count;
  }
}
