import { join } from "node:path";
import { UserError } from "../errors.ts";
import { dataFolder } from "./data_folder.ts";
import { unwritable } from "./unwritable.ts";

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
    const path = join(dataFolder(root), LOCK_FILE);
    for (let looks = 1;; looks++) {
      const file = await openLock(path);
      try {
        if (await tryLock(file, true) && await isStillAt(path, file)) {
          await file.truncate(0);
          await file.write(new TextEncoder().encode(`${Deno.pid}\n`));
          return new WriterLock(file);
        }
      } catch (error) {
        file.close();
        throw error instanceof UserError ? error : unwritable(error, path);
      }
      file.close();
      if (looks === LOOKS) throw new UserError("index_busy", { pid: await ownerOf(path), path: root });
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  /** True while some process holds the lock. */
  static async isTaken(root: string): Promise<boolean> {
    let file: Deno.FsFile;
    try {
      file = await Deno.open(join(dataFolder(root), LOCK_FILE), { read: true });
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

async function openLock(path: string): Promise<Deno.FsFile> {
  try {
    const info = await Deno.lstat(path);
    if (info.isSymlink || !info.isFile) throw new UserError("data_folder_unsafe", { path });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  try {
    return await Deno.open(path, { read: true, write: true, create: true });
  } catch (error) {
    throw unwritable(error, path);
  }
}

/** The process number in the lock file; on Windows a locked file cannot be read. */
async function ownerOf(path: string): Promise<string> {
  try {
    return (await Deno.readTextFile(path)).trim() || "?";
  } catch {
    return "?";
  }
}

/** False if `clean` has removed the file meanwhile: a lock on it would keep nobody away. */
async function isStillAt(path: string, file: Deno.FsFile): Promise<boolean> {
  try {
    const { ino } = await Deno.lstat(path);
    // not every system numbers its files
    return ino === null || ino === (await file.stat()).ino;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
