/**
 * Open files: opening without waiting for a pipe, the proof that a file lies at its path,
 * reading and writing as a whole, locks, and errors as messages for the user.
 */
import { dirname } from "node:path";
import process from "node:process";
import { asDenoError, isDenied, isMissing, isSameFile } from "./paths.ts";
import { reasonOf, UserError } from "#foundation/errors.ts";
import { OS } from "#foundation/runtime.ts";

/** The files of Node. An import of `node:fs` would also load Node's streams: 6 to 11 ms in each thread of a start on Deno 2.8. */
export const fs = process.getBuiltinModule("node:fs");

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
  if (OS === "windows") return Deno.openSync(path);
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

/**
 * Whether an open file lies at a real path, even if another process exchanges a folder on the way for a link and back. The
 * file at the path has to be the opened one, and the path has to be real, both at the same time. False as well if the file
 * was replaced or removed after it was opened. Takes 0.15 ms. Throws the other errors of the system.
 *
 * @param opened the `stat` of the open file
 * @param isReal checks whether the path is a real path
 */
export function isTrulyAt(
  path: string,
  opened: Pick<Deno.FileInfo, "dev" | "ino">,
  isReal: () => boolean,
): boolean {
  try {
    return holdAtOnce(isReal, () => isSameFile(Deno.lstatSync(path), opened));
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/**
 * Number of checks of each condition. An attacker who guesses which of two conditions is checked next succeeds once in 6 · 10⁸ tries.
 * With 20 checks in all it was once in 10⁶, and a folder that was exchanged without a pause did succeed once in 570,000 tries, which take
 * a minute.
 */
const CHECKS = 16;

/**
 * Whether conditions hold at the same time, even if another process changes the files in between. That process could show one state to
 * one check and another state to the next. Deno has no `openat`, which would check all at once. So the order of the checks is random,
 * and the other process would have to guess right each time. Give each file a condition of its own: within one condition the order of
 * the system calls is known. Throws what the checks throw.
 */
export function holdAtOnce(...conditions: readonly (() => boolean)[]): boolean {
  const checks = Array.from(
    { length: CHECKS * conditions.length },
    (_, i) => conditions[i % conditions.length]!,
  );
  const chances = crypto.getRandomValues(new Uint32Array(checks.length));
  // Each step takes one of the checks that are left, and puts the last of them in its place.
  for (let left = checks.length; left > 0; left--) {
    const at = chances[left - 1]! % left;
    if (!checks[at]!()) return false;
    checks[at] = checks[left - 1]!;
  }
  return true;
}

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
export function writeAllSync(file: Pick<Deno.FsFile, "writeSync">, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
}

/** Milliseconds to wait for a lock with a runtime that cannot just try. */
const PATIENCE_MS = 100;

/** The files that an older runtime still waits to lock, by device and inode. Each wait takes a thread of the process. */
const waiting = new Set<string>();

/**
 * Locks an open file. Returns false if another process has locked it. The lock ends when the file is closed or the process
 * ends. Deno before 2.7 can only wait for a lock, and gets a free one at once. Throws the errors of the system.
 */
export async function tryLock(file: Deno.FsFile, exclusive: boolean): Promise<boolean> {
  if ("tryLock" in file) return await file.tryLock(exclusive);
  const { dev, ino } = (file as Deno.FsFile).statSync();
  const name = `${dev}:${ino}`;
  if (waiting.has(name)) return false;
  waiting.add(name);
  const taken = (file as { lock(exclusive: boolean): Promise<void> }).lock(exclusive).then(() => true)
    .finally(() => waiting.delete(name));
  // The file may be closed while this waits.
  taken.catch(() => {});
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waited = new Promise<false>((resolve) => timer = setTimeout(() => resolve(false), PATIENCE_MS));
  return await Promise.race([taken, waited]).finally(() => clearTimeout(timer));
}

/**
 * A system error about the file at `path` as a `UserError`: `file_not_found`, `no_permission`, or `file_unreadable` with the
 * system's message in `error`. Each has `path`. A `UserError` is returned as it is.
 */
export function fileError(error: unknown, path: string): UserError {
  if (error instanceof UserError) return error;
  if (isMissing(error)) {
    return new UserError("file_not_found", { path }, { cause: error });
  }
  if (isDenied(error)) {
    return new UserError("no_permission", { path }, { cause: error });
  }
  const text = reasonOf(error);
  return new UserError("file_unreadable", { path, error: text }, { cause: error });
}

/** The `UserError` for a failed write at `path`: `disk_full` or the one of `key`. */
export function unwritable(
  error: unknown,
  path: string,
  key: "data_folder_unwritable" | "index_folder_unwritable" = "data_folder_unwritable",
): UserError {
  if (isDiskFull(error)) return new UserError("disk_full", { path: dirname(path) }, { cause: error });
  const reason = reasonOf(error);
  return new UserError(key, { path, error: reason }, { cause: error });
}

/** Whether the disk or the user's quota is full, or the file is too large for the file system. */
export function isDiskFull(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG" ||
    error instanceof Error && /os error (27|28|112|122)\b/.test(error.message);
}
