/**
 * Creating or replacing a file in one step through a temporary file beside it,
 * and removing temporary files that a killed process left behind.
 */
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { exists, isMissing, isSameFile, isTaken, lookAt } from "./paths.ts";
import { fs, tryLock } from "./open_file.ts";
import { OS } from "#foundation/runtime.ts";

/** Extension of temporary files: `PATH.XXXXXXXX.tmp` becomes `PATH`. */
export const TEMPORARY_END = ".tmp";

/** Attempts to remove a temporary file. */
const REMOVALS = 20;

/** Permission bits of files that only their owner may read. */
export const OWNER_ALONE = 0o600;

/** Writes the content into a new file, which is open for reading and writing. */
export type Write<T> = (file: Deno.FsFile) => T | Promise<T>;

/** Options of {@linkcode replaceFile}. */
export interface ReplaceOptions {
  /** Permission bits, less the umask. Default: {@linkcode OWNER_ALONE}. */
  readonly mode?: number;
  /** Permission bits and owner to copy exactly. Ignored on Windows, which has neither. */
  readonly like?: Partial<Pick<Deno.FileInfo, "mode" | "uid" | "gid">>;
  /** Default: true. If false, throws `Deno.errors.AlreadyExists` if anything exists at the path, a link included. */
  readonly overwrite?: boolean;
  /** Path of the temporary file, in the same folder. Default: {@linkcode temporaryBeside}. */
  readonly temporary?: string;
  /** Called with the temporary file and its path after its creation and again after writing. Throws to stop. */
  readonly check?: (file: Deno.FsFile, path: string) => void | Promise<void>;
}

/** A new random path beside `path`, for a temporary file. */
export function temporaryBeside(path: string): string {
  return `${path}.${crypto.randomUUID().slice(0, 8)}${TEMPORARY_END}`;
}

/**
 * Creates or replaces the file at `path` in one step: readers, also after a power cut, see the old file or the new one,
 * never a part. The content is written to a temporary file beside it, synced to the disk, and renamed. Returns the result of
 * `write`. If a step fails, the old file stays and the error is thrown.
 *
 * Where a disk on Windows cannot replace an open file, nothing is at `path` for a moment. A process that is killed then leaves both files
 * beside it, the old one as `PATH.old.XXXXXXXX.tmp`, see {@linkcode restoreLeft}.
 */
export async function replaceFile<T>(
  path: string,
  write: Write<T>,
  { mode = OWNER_ALONE, like, overwrite = true, temporary: fresh = temporaryBeside(path), check }:
    ReplaceOptions = {},
): Promise<T> {
  if (!overwrite && await exists(path)) throw new Deno.errors.AlreadyExists(`there already: ${path}`);
  // A private file must not be readable by others even for a moment.
  const file = await Deno.open(fresh, {
    createNew: true,
    read: true,
    write: true,
    mode: like === undefined ? mode : OWNER_ALONE,
  });
  try {
    let result: T;
    try {
      await check?.(file, fresh);
      result = await write(file);
      if (like !== undefined) await copyOwnerAndMode(fresh, await file.stat(), like);
      await file.sync();
      await check?.(file, fresh);
    } finally {
      file.close();
    }
    if (overwrite) await renameOver(fresh, path);
    else await renameIfFree(fresh, path);
    await syncFolder(dirname(path));
    return result;
  } catch (error) {
    removeFresh(fresh);
    throw error;
  }
}

/** Tries several times, because the folder may be exchanged for another at this moment. No other file has this name. */
function removeFresh(path: string): void {
  for (let tries = 0; tries < REMOVALS; tries++) {
    try {
      return Deno.removeSync(path);
    } catch (error) {
      if (!isMissing(error)) return;
    }
  }
}

async function copyOwnerAndMode(
  path: string,
  made: Deno.FileInfo,
  { mode, uid, gid }: NonNullable<ReplaceOptions["like"]>,
): Promise<void> {
  if (OS === "windows") return;
  const isOther = (uid ?? made.uid) !== made.uid || (gid ?? made.gid) !== made.gid;
  if (isOther) await Deno.chown(path, uid ?? null, gid ?? null);
  if (typeof mode === "number") await Deno.chmod(path, mode & 0o777);
}

/** Pauses before another attempt on Windows, in milliseconds; the first, doubled until the last. */
const FIRST_PAUSE_MS = 10;
const LAST_PAUSE_MS = 640;

/** Replaces what exists at `path`, in one step where the system can. */
export async function renameOver(fresh: string, path: string): Promise<void> {
  if (OS !== "windows") return await Deno.rename(fresh, path);
  for (let pause = FIRST_PAUSE_MS;; pause *= 2) {
    try {
      return await renameOverOpen(fresh, path);
    } catch (error) {
      // A scanner for viruses opens new files for a moment, and lets nobody rename them meanwhile.
      if (!isHeld(error) || pause > LAST_PAUSE_MS) throw error;
    }
    await new Promise((done) => setTimeout(done, pause));
  }
}

/**
 * Only NTFS lets a file replace an open one. FAT, network shares and Wine do not, but let the open file have another name. So for a moment
 * nothing has the name there, and as short a one as can be: this thread does nothing else meanwhile.
 */
async function renameOverOpen(fresh: string, path: string): Promise<void> {
  try {
    return await Deno.rename(fresh, path);
  } catch (error) {
    const there = isHeld(error) ? await lookAt(path) : undefined;
    if (!there?.isFile && !there?.isSymlink) throw error;
  }
  // `removeAbandoned` must not take it for a file that was never finished.
  const old = temporaryBeside(`${path}.old`);
  Deno.renameSync(path, old);
  try {
    Deno.renameSync(fresh, path);
  } catch (error) {
    Deno.renameSync(old, path);
    throw error;
  }
  await Deno.remove(old).catch(() => {});
}

/** The name of a file whose old content has this temporary name, as {@linkcode renameOverOpen} gives it; otherwise `undefined`. */
export function nameOfLeft(temporary: string): string | undefined {
  return /^(.+)\.old\.[0-9a-f]{8}\.tmp$/s.exec(temporary)?.[1];
}

/** Time in which a process that replaces a file has done so, or given up. Milliseconds. */
const REPLACING_MS = 2_000;

/**
 * If nothing is at `path`, gives the old file its name back that a process left beside it when it was killed between two renames. A
 * process that is replacing the file now is waited for. Never throws. Does nothing on other systems than Windows, where files are
 * replaced in one step: one of such a name is somebody else's there.
 */
export async function restoreLeft(path: string): Promise<void> {
  if (OS !== "windows") return;
  const folder = dirname(path);
  const timeOf = (name: string) => Deno.lstatSync(join(folder, name)).mtime?.getTime() ?? 0;
  try {
    const late = performance.now() + REPLACING_MS;
    while (!await exists(path)) {
      const left = [...Deno.readDirSync(folder)].filter(({ isFile, name }) =>
        isFile && nameOfLeft(name) === basename(path)
      ).map(({ name }) => name).sort((a, b) => timeOf(a) - timeOf(b)).at(-1);
      if (left === undefined) return;
      if (performance.now() >= late) return await renameIfFree(join(folder, left), path);
      await new Promise((done) => setTimeout(done, FIRST_PAUSE_MS));
    }
  } catch {
    // The folder cannot be listed, or another process was faster.
  }
}

/** Whether Windows says that a program has a file open: access denied, sharing violation, lock violation. */
function isHeld(error: unknown): boolean {
  return error instanceof Error && /\(os error (?:5|32|33)\)/.test(error.message);
}

/** Renames without overwriting: unlike a rename, a hard link does not replace an existing file. */
async function renameIfFree(fresh: string, path: string): Promise<void> {
  try {
    await Deno.link(fresh, path);
  } catch (error) {
    if (isTaken(error)) throw error;
    return await renameToReserved(fresh, path);
  }
  await Deno.remove(fresh);
}

/** For file systems without hard links: an empty file reserves the name first. */
async function renameToReserved(fresh: string, path: string): Promise<void> {
  (await Deno.open(path, { createNew: true, write: true, mode: OWNER_ALONE })).close();
  try {
    await renameOver(fresh, path);
  } catch (error) {
    await Deno.remove(path).catch(() => {});
    throw error;
  }
}

/** Makes a rename durable. Windows has no such call and needs none. */
async function syncFolder(folder: string): Promise<void> {
  try {
    if (OS === "windows") return;
    // Deno.open() would wait for a pipe that takes the folder's place at this moment.
    const { O_DIRECTORY, O_NONBLOCK, O_RDONLY } = fs.constants;
    const handle = fs.openSync(folder, O_RDONLY | O_DIRECTORY | O_NONBLOCK);
    try {
      await promisify(fs.fsync)(handle);
    } finally {
      fs.closeSync(handle);
    }
  } catch {
    // Some file systems cannot sync a folder, and some commands may not read it.
  }
}

/** Younger temporary files are kept, because a file is locked only after it was created. Milliseconds. */
const YOUNG_MS = 60_000;

/** The random part of a temporary file's name, see {@linkcode temporaryBeside}. */
const RANDOM_PART = /\.[0-9a-f]{8}$/;

/**
 * Removes temporary files (see {@linkcode temporaryBeside}) in `folder` that a killed process left behind: those whose
 * final name `isOurs` accepts and that no process has locked. The processes that write these files must therefore lock
 * them. Files that cannot be examined, locked or removed are kept.
 */
export async function removeAbandoned(folder: string, isOurs: (name: string) => boolean): Promise<void> {
  let names: string[];
  try {
    names = [...Deno.readDirSync(folder)].filter(({ isFile }) => isFile).map(({ name }) => name);
  } catch {
    return;
  }
  for (const name of names) {
    const stem = name.endsWith(TEMPORARY_END) ? name.slice(0, -TEMPORARY_END.length) : "";
    if (RANDOM_PART.test(stem) && isOurs(stem.replace(RANDOM_PART, ""))) {
      await removeUnlessLocked(join(folder, name)).catch(() => {});
    }
  }
}

async function removeUnlessLocked(path: string): Promise<void> {
  const { isFile, mtime, nlink } = Deno.lstatSync(path);
  if (!isFile || nlink !== null && nlink > 1 || Date.now() - (mtime?.getTime() ?? 0) < YOUNG_MS) return;
  // Writing is asked for as well, because the call would wait for a pipe otherwise.
  using file = Deno.openSync(path, { read: true, write: true });
  if (!await tryLock(file, true) || !isSameFile(Deno.lstatSync(path), file.statSync())) return;
  Deno.removeSync(path);
}
