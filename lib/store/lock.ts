import { UserError } from "../errors.ts";
import { type OwnFolder, unwritable, writeAll } from "../sandbox/mod.ts";
import { dataFolder } from "./data_folder.ts";

const LOCK_FILE = "lock";
/** {@linkcode WriterLock.isTaken} holds the lock for a moment: who finds it taken looks again before giving up. */
const LOOKS = 5;
const LOOK_MS = 20;
/** How long a runtime that can only wait for a lock waits. */
const PATIENCE_MS = 100;

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
   * Takes the lock, or throws `index_busy`, `data_folder_unsafe`, `data_folder_unwritable`, `disk_full`. The data folder
   * must be there.
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
        throw unwritable(error, folder.at(LOCK_FILE));
      }
      file.close();
      if (looks === LOOKS) throw new UserError("index_busy", { pid: await ownerOf(folder), path: root });
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  /** True while some process holds the lock. */
  static async isTaken(root: string): Promise<boolean> {
    let file: Deno.FsFile;
    try {
      file = dataFolder(root).open(LOCK_FILE, "read");
    } catch {
      return false;
    }
    try {
      return !await tryLock(file, false);
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

/** Takes the lock if nobody has it. Runtimes before 2.7 can only wait for it: a lock that is free comes at once. */
async function tryLock(file: Deno.FsFile, exclusive: boolean): Promise<boolean> {
  if ("tryLock" in file) return await file.tryLock(exclusive);
  const older = file as { lock(exclusive: boolean): Promise<void> };
  const taken = older.lock(exclusive).then(() => true).catch(() => false);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waited = new Promise<false>((resolve) => timer = setTimeout(() => resolve(false), PATIENCE_MS));
  return await Promise.race([taken, waited]).finally(() => clearTimeout(timer));
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
