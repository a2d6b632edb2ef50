import { reasonOf, UserError } from "../errors.ts";
import { type OwnFolder, tryLock, unwritable, writeAll } from "../sandbox/mod.ts";
import { dataFolder, takeAwayOdd, type TakenAway } from "./data_folder.ts";

const LOCK_FILE = "lock";
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
export class WriterLock {
  readonly #file: Deno.FsFile;

  /** `takenAway`: what was in the place of the lock's file. */
  private constructor(file: Deno.FsFile, readonly takenAway: readonly TakenAway[]) {
    this.#file = file;
  }

  /**
   * Takes the lock, that of the index or of another file `name`. The data folder must exist. Another thing in the place of the
   * file, such as a link, or a file with a second name elsewhere, is taken away. Throws `UserError`
   * `index_busy`, `data_folder_unsafe`, `data_folder_unwritable`, `disk_full`, and `no_file_locks` if the file system has no
   * locks.
   */
  static async take(root: string, folder = dataFolder(root), name = LOCK_FILE): Promise<WriterLock> {
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
      if (looks === LOOKS) {
        throw new UserError("index_busy", { pid: await ownerOf(folder, name), path: root });
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  /** Returns whether a process holds the lock; false if that cannot be found out. */
  static async isTaken(root: string, folder = dataFolder(root)): Promise<boolean> {
    let file: Deno.FsFile;
    try {
      file = await folder.openToLock(LOCK_FILE);
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

  [Symbol.dispose](): void {
    this.release();
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
