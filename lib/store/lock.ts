import { reasonOf, UserError } from "../errors.ts";
import { type OwnFolder, tryLock, unwritable, writeAll } from "../sandbox/mod.ts";
import { dataFolder } from "./data_folder.ts";

const LOCK_FILE = "lock";
/** {@linkcode WriterLock.isTaken} holds the lock for a moment: who finds it taken looks again before giving up. */
const LOOKS = 5;
const LOOK_MS = 20;

/** Numbers of the system's errors that say that there are no locks. */
const NO_LOCKS: Readonly<Partial<Record<typeof Deno.build.os, readonly number[]>>> = {
  // ENOSYS, ENOLCK, EOPNOTSUPP
  linux: [38, 37, 95],
  // ENOTSUP, ENOLCK, ENOSYS, EOPNOTSUPP
  darwin: [45, 77, 78, 102],
  // ERROR_INVALID_FUNCTION, ERROR_NOT_SUPPORTED
  windows: [1, 50],
};

/**
 * The right to write one folder's database: a lock of the operating system on `.muxue_rag/lock`, which ends with the
 * process however that ends. The file holds the writer's process number for messages.
 */
export class WriterLock {
  readonly #file: Deno.FsFile;

  private constructor(file: Deno.FsFile) {
    this.#file = file;
  }

  /**
   * Takes the lock, or throws `index_busy`, `data_folder_unsafe`, `data_folder_unwritable`, `disk_full`, and `no_file_locks`
   * where the file system has no locks. The data folder must be there.
   */
  static async take(root: string): Promise<WriterLock> {
    const folder = dataFolder(root);
    for (let looks = 1;; looks++) {
      const file = openLock(folder);
      try {
        // `clean` may have removed the file meanwhile: a lock on it would keep nobody away
        if (await tryLock(file, true) && folder.isStillAt(LOCK_FILE, file)) {
          await file.truncate(0);
          await writeAll(file, new TextEncoder().encode(`${Deno.pid}\n`));
          return new WriterLock(file);
        }
      } catch (error) {
        file.close();
        throw hasNoLocks(error)
          ? new UserError("no_file_locks", { path: folder.path, error: reasonOf(error) }, { cause: error })
          : unwritable(error, folder.at(LOCK_FILE));
      }
      file.close();
      if (looks === LOOKS) throw new UserError("index_busy", { pid: await ownerOf(folder), path: root });
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  /** True while some process holds the lock; false as well where that cannot be told. */
  static async isTaken(root: string): Promise<boolean> {
    let file: Deno.FsFile;
    try {
      file = await dataFolder(root).openToLock(LOCK_FILE);
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

  /** Lets go. */
  release(): void {
    this.#file.close();
  }

  [Symbol.dispose](): void {
    this.release();
  }
}

/** Whether the file system says that it has no locks: some network drives and virtual ones. */
function hasNoLocks(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  if (code === "ENOLCK" || code === "EOPNOTSUPP" || code === "ENOTSUP" || code === "ENOSYS") return true;
  const [, number] = /os error (\d+)\b/.exec(reasonOf(error)) ?? [];
  return number !== undefined && NO_LOCKS[Deno.build.os]?.includes(Number(number)) === true;
}

function openLock(folder: OwnFolder): Deno.FsFile {
  for (let looks = 1;; looks++) {
    try {
      return folder.look(LOCK_FILE) === undefined
        ? folder.create(LOCK_FILE, 0o666)
        : folder.open(LOCK_FILE, "write");
    } catch (error) {
      if (error instanceof UserError) throw error;
      // another process makes or removes it between the look and the opening
      if (looks === LOOKS || !isPassing(error)) throw unwritable(error, folder.at(LOCK_FILE));
    }
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof Deno.errors.AlreadyExists || error instanceof Deno.errors.NotFound;
}

/** The process number in the lock file; on Windows a locked file cannot be read. */
async function ownerOf(folder: OwnFolder): Promise<string> {
  try {
    return (await folder.readText(LOCK_FILE)).trim() || "?";
  } catch {
    return "?";
  }
}
