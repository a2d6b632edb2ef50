import fs from "node:fs";
import { asDenoError } from "./file_error.ts";

/** Bytes of one chunk of {@linkcode FileToRead.readable}. */
const PIECE = 1 << 16;

/**
 * A file that `node:fs` opened for reading, with the interface of `Deno.FsFile`. Methods that would write to it or lock it
 * throw `Deno.errors.NotSupported`.
 */
export class FileToRead implements Deno.FsFile {
  readonly #fd: number;
  readonly #path: string;
  #position = 0;
  #open = true;

  constructor(fd: number, path: string) {
    this.#fd = fd;
    this.#path = path;
  }

  get readable(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return new ReadableStream({
      pull: async (controller) => {
        const piece = new Uint8Array(PIECE);
        const count = await this.read(piece).catch((error) => {
          this.close();
          throw error;
        });
        if (count !== null) return controller.enqueue(piece.subarray(0, count));
        this.close();
        controller.close();
      },
      cancel: () => this.close(),
    });
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

  seek(offset: number | bigint, whence: Deno.SeekMode): Promise<number> {
    return Promise.try(() => this.seekSync(offset, whence));
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

  stat(): Promise<Deno.FileInfo> {
    return Promise.try(() => this.statSync());
  }

  statSync(): Deno.FileInfo {
    try {
      return infoOf(fs.fstatSync(this.#fd));
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

  isTerminal(): boolean {
    return false;
  }

  get writable(): never {
    return this.#readOnly();
  }
  write(): never {
    return this.#readOnly();
  }
  writeSync(): never {
    return this.#readOnly();
  }
  truncate(): never {
    return this.#readOnly();
  }
  truncateSync(): never {
    return this.#readOnly();
  }
  sync(): never {
    return this.#readOnly();
  }
  syncSync(): never {
    return this.#readOnly();
  }
  syncData(): never {
    return this.#readOnly();
  }
  syncDataSync(): never {
    return this.#readOnly();
  }
  utime(): never {
    return this.#readOnly();
  }
  utimeSync(): never {
    return this.#readOnly();
  }
  setRaw(): never {
    return this.#readOnly();
  }
  lock(): never {
    return this.#readOnly();
  }
  lockSync(): never {
    return this.#readOnly();
  }
  tryLock(): never {
    return this.#readOnly();
  }
  tryLockSync(): never {
    return this.#readOnly();
  }
  unlock(): never {
    return this.#readOnly();
  }
  unlockSync(): never {
    return this.#readOnly();
  }

  #advance(count: number): number | null {
    this.#position += count;
    return count === 0 ? null : count;
  }

  #readOnly(): never {
    throw new Deno.errors.NotSupported(`open for reading only: ${this.#path}`);
  }
}

function infoOf(stats: fs.Stats): Deno.FileInfo {
  const { size, mtime, atime, birthtime, ctime, dev, ino, mode, nlink, uid, gid, rdev, blksize, blocks } =
    stats;
  return {
    ...{ size, mtime, atime, birthtime, ctime, dev, ino, mode, nlink, uid, gid, rdev, blksize, blocks },
    isFile: stats.isFile(),
    isDirectory: stats.isDirectory(),
    isSymlink: stats.isSymbolicLink(),
    isBlockDevice: stats.isBlockDevice(),
    isCharDevice: stats.isCharacterDevice(),
    isFifo: stats.isFIFO(),
    isSocket: stats.isSocket(),
  };
}
