/**
 * The data folder: how it is made, how its files are replaced in one step, what is in their way, and the locks of the processes that
 * write.
 */
import { join } from "node:path";
import { reasonOf, UserError } from "#foundation/errors.ts";
import { present } from "#foundation/present.ts";
import { DATA_FOLDER } from "#foundation/constants.ts";
import {
  isDiskFull,
  nameOfLeft,
  OwnFolder,
  TEMPORARY_END,
  tryLock,
  unwritable,
  type Write,
  writeAll,
} from "#foundation/boundary/mod.ts";
import type { StoreLock, StoreWork, TakenAway } from "../store.ts";

/** Name of the index in the data folder. */
export const INDEX_FILE = "index.bin";

/** Name of the file with what has changed since the index was written. */
export const CHANGES_FILE = "changes.bin";

/** Keeps the data folder out of repositories. */
const IGNORE_FILE = ".gitignore";

/** The data folder of `root`, a real path: `DIR/.muxue_rag`, or the path `elsewhere`. */
export function dataFolder(root: string, elsewhere?: string): OwnFolder {
  return new OwnFolder(elsewhere ?? join(root, DATA_FOLDER));
}

/**
 * Makes a data folder with a `.gitignore` that keeps it out of repositories. A link in its place is refused, because writes
 * would end elsewhere. Throws `data_folder_unsafe`, `index_folder_unwritable` or `disk_full`.
 */
export async function ensureDataFolder(folder: OwnFolder): Promise<void> {
  try {
    folder.make();
    await keepOutOfRepositories(folder);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw unwritable(error, folder.path, "index_folder_unwritable");
  }
}

/** Writes the `.gitignore` if it is missing, or empty because the disk was full. */
async function keepOutOfRepositories(folder: OwnFolder): Promise<void> {
  const info = folder.look(IGNORE_FILE);
  if (info !== undefined && !(info.isFile && info.size === 0)) return;
  await folder.replace(IGNORE_FILE, (file) => writeAll(file, new TextEncoder().encode("*\n")), 0o666);
}

/** The files that are written under temporary names. */
const REPLACED_FILES = [INDEX_FILE, CHANGES_FILE, IGNORE_FILE, "removed.json"];

/**
 * Replaces the index in a data folder, or another file `name`, by a new one that `write` fills, in one step: readers and a
 * power cut see the old file or the new one. If `write` throws, the old file stays. Throws `data_folder_unsafe`, `disk_full`,
 * `data_folder_unwritable` if the new file cannot be made, and the errors of `write`. Only for the holder of the writer lock.
 */
export async function replaceIndex<T>(
  folder: OwnFolder,
  write: Write<T>,
  name: string = INDEX_FILE,
): Promise<T> {
  let failed: { readonly error: unknown } | undefined;
  try {
    return await folder.replace(name, async (file) => {
      try {
        return await write(file);
      } catch (error) {
        failed = { error };
        throw error;
      }
    });
  } catch (error) {
    if (error instanceof UserError || error === failed?.error && !isDiskFull(error)) throw error;
    throw unwritable(error, folder.at(name));
  }
}

/**
 * Removes temporary files that killed processes left in a data folder: those of both files of the index and of `.gitignore`. An old file
 * that was to be replaced, and has nothing in its place, gets its name back. Only for the holder of the writer lock.
 */
export async function removeLeftovers(folder: OwnFolder): Promise<void> {
  const left = folder.names().filter((name) =>
    name.endsWith(TEMPORARY_END) && REPLACED_FILES.some((file) => name.startsWith(`${file}.`))
  );
  const timeOf = (name: string) => folder.look(name)?.mtime?.getTime() ?? 0;
  // The newest first. There may be older ones, because Windows does not let a file be removed that another program reads.
  for (const name of left.sort((a, b) => timeOf(b) - timeOf(a))) {
    const before = nameOfLeft(name);
    try {
      if (before !== undefined && folder.look(before) === undefined) await folder.rename(name, before);
      else folder.remove(name);
    } catch {
      // A leftover file only takes space.
    }
  }
}

/**
 * Takes away the entries of a data folder with these names that are not what they should be: a link, a pipe or a folder in the place of
 * a file. They are neither read nor followed. Without that, every command would refuse the folder until a person removes them. Throws
 * `data_folder_unwritable`.
 */
export function takeAwayOdd(
  folder: OwnFolder,
  names: readonly string[],
  isOdd: (info: Deno.FileInfo) => boolean = ({ isFile }) => !isFile,
): TakenAway[] {
  const taken: TakenAway[] = [];
  for (const name of names) {
    const info = folder.look(name);
    if (info === undefined || !isOdd(info)) continue;
    try {
      const aside = folder.takeAway(name);
      taken.push(present({ path: folder.at(name), aside }));
    } catch (error) {
      // Another process may have done it.
      if (error instanceof Deno.errors.NotFound) continue;
      throw error instanceof UserError ? error : unwritable(error, folder.at(name));
    }
  }
  return taken;
}

/** The file of each lock. */
export const LOCK_FILES: Readonly<Record<StoreWork, string>> = {
  index: "lock",
  vectors: "neural.lock",
  recognition: "recognition.lock",
  generation: "generation.lock",
};
/** Attempts to take the lock: {@linkcode WriterLock.isTaken} in another process holds it for a moment. */
const LOOKS = 5;
const LOOK_MS = 20;

/** Error numbers of the system for a file system without locks. */
const NO_LOCKS: Readonly<Partial<Record<typeof Deno.build.os, readonly number[]>>> = {
  // ENOSYS, ENOLCK, EOPNOTSUPP
  linux: [38, 37, 95],
  // ENOTSUP, ENOLCK, ENOSYS, EOPNOTSUPP
  darwin: [45, 77, 78, 102],
  // ERROR_INVALID_FUNCTION, ERROR_NOT_SUPPORTED
  windows: [1, 50],
};

/**
 * The right to write the database of one folder: a lock of the operating system on `.muxue_rag/lock`. It ends with the
 * process, even if that is killed. The file holds the process number of the writer for messages.
 */
export class WriterLock implements StoreLock {
  readonly #file: Deno.FsFile;

  private constructor(file: Deno.FsFile, readonly takenAway: TakenAway[]) {
    this.#file = file;
  }

  /**
   * Takes the lock, that of the index or of another file `name`, in `mostLooks` attempts. The data folder must exist. Another thing in the place of
   * the file, such as a link, or a file with a second name elsewhere, is taken away. Throws `UserError` `index_busy`,
   * `data_folder_unsafe`, `data_folder_unwritable`, `disk_full`, and `no_file_locks` if the file system has no locks.
   */
  static async take(
    root: string,
    folder: OwnFolder,
    name = LOCK_FILES.index,
    mostLooks = LOOKS,
  ): Promise<WriterLock> {
    const takenAway: TakenAway[] = [];
    for (let looks = 1;; looks++) {
      takenAway.push(...takeAwayOdd(folder, [name], ({ isFile, nlink }) => !isFile || (nlink ?? 1) > 1));
      const file = openLock(folder, name);
      try {
        // `clean` may have removed the file meanwhile. A lock on the removed file would not keep other processes away.
        if (await tryLock(file, true) && folder.isStillAt(name, file)) {
          await file.truncate(0);
          await writeAll(file, new TextEncoder().encode(`${Deno.pid}\n`));
          return new WriterLock(file, takenAway);
        }
      } catch (error) {
        file.close();
        throw hasNoLocks(error)
          ? new UserError("no_file_locks", { path: folder.path, error: reasonOf(error) }, { cause: error })
          : unwritable(error, folder.at(name));
      }
      file.close();
      if (looks === mostLooks) {
        throw new UserError("index_busy", { pid: await ownerOf(folder, name), path: root });
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  /** Returns whether a process holds the lock; false if that cannot be found out. */
  static async isTaken(folder: OwnFolder): Promise<boolean> {
    let file: Deno.FsFile;
    try {
      file = await folder.openToLock(LOCK_FILES.index);
    } catch {
      return false;
    }
    try {
      return !await tryLock(file, false);
    } catch {
      return false;
    } finally {
      file.close();
    }
  }

  release(): void {
    try {
      // A process that is being started has a copy of the file for a moment. Closing ours alone would leave the lock to it.
      this.#file.unlockSync();
    } catch {
      // Closing the file is enough where no process is being started.
    }
    this.#file.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.try(() => this.release());
  }
}

/** Returns whether an error means that the file system has no locks, as on some network and virtual drives. */
function hasNoLocks(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  if (code === "ENOLCK" || code === "EOPNOTSUPP" || code === "ENOTSUP" || code === "ENOSYS") return true;
  const [, number] = /os error (\d+)\b/.exec(reasonOf(error)) ?? [];
  return number !== undefined && NO_LOCKS[Deno.build.os]?.includes(Number(number)) === true;
}

function openLock(folder: OwnFolder, name: string): Deno.FsFile {
  for (let looks = 1;; looks++) {
    try {
      return folder.look(name) === undefined ? folder.create(name, 0o666) : folder.open(name, "write");
    } catch (error) {
      if (error instanceof UserError) throw error;
      // Another process created or removed the file between the check and the opening.
      if (looks === LOOKS || !isPassing(error)) throw unwritable(error, folder.at(name));
    }
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof Deno.errors.AlreadyExists || error instanceof Deno.errors.NotFound;
}

/** Returns the process number in the lock file. On Windows, a locked file cannot be read. */
async function ownerOf(folder: OwnFolder, name: string): Promise<string> {
  try {
    return (await folder.readText(name)).trim() || "?";
  } catch {
    return "?";
  }
}
