import fs from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { isMissing } from "./file_error.ts";
import { exists } from "./look.ts";

/** End of the names of files in the making: `PATH.XXXXXXXX.tmp` becomes `PATH`. */
export const TEMPORARY_END = ".tmp";

/** How often a file that must go is looked for. */
const REMOVALS = 20;

/** Permission bits of what nobody but its owner may read. */
export const OWNER_ALONE = 0o600;

/** Puts the content into a new file that is open for reading and writing. */
export type Write<T> = (file: Deno.FsFile) => T | Promise<T>;

/** How {@linkcode replaceFile} works. */
export interface ReplaceOptions {
  /** Permission bits, less the umask. Default: {@linkcode OWNER_ALONE}. */
  readonly mode?: number;
  /** Permission bits and owner to be taken over exactly, as far as they are given; not on Windows, which has no such. */
  readonly like?: Partial<Pick<Deno.FileInfo, "mode" | "uid" | "gid">>;
  /** Default: true. False: throws `Deno.errors.AlreadyExists` if there is anything at the path, a link included. */
  readonly overwrite?: boolean;
  /** Path of the file in the making, in the same folder. Default: {@linkcode temporaryBeside}. */
  readonly temporary?: string;
  /** Called with the new file and its path when it has been made, and again when it is whole: throws if it may not go on. */
  readonly check?: (file: Deno.FsFile, path: string) => void | Promise<void>;
}

/** A path for what is to become the file at `path`, that nobody can guess and nothing has. */
export function temporaryBeside(path: string): string {
  return `${path}.${crypto.randomUUID().slice(0, 8)}${TEMPORARY_END}`;
}

/**
 * Makes the file at `path`, or replaces it, in one step: readers and a power cut see the old or the new, never a part. The
 * content goes into a temporary file beside it, is forced to the disk, and is then given the name. Gives what `write` gives.
 * If anything fails the old file stays, and what failed is thrown.
 */
export async function replaceFile<T>(
  path: string,
  write: Write<T>,
  { mode = OWNER_ALONE, like, overwrite = true, temporary: fresh = temporaryBeside(path), check }:
    ReplaceOptions = {},
): Promise<T> {
  if (!overwrite && await exists(path)) throw new Deno.errors.AlreadyExists(`there already: ${path}`);
  // A file that only its owner may read must not be readable by others for a moment either.
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
      if (like !== undefined) await takeAfter(fresh, await file.stat(), like);
      await file.sync();
      await check?.(file, fresh);
    } finally {
      file.close();
    }
    if (overwrite) await Deno.rename(fresh, path);
    else await giveFreeName(fresh, path);
    await syncFolder(dirname(path));
    return result;
  } catch (error) {
    removeFresh(fresh);
    throw error;
  }
}

/** Nothing but this file has its name: it may be looked for again and again while a folder is being exchanged for another. */
function removeFresh(path: string): void {
  for (let tries = 0; tries < REMOVALS; tries++) {
    try {
      return Deno.removeSync(path);
    } catch (error) {
      if (!isMissing(error)) return;
    }
  }
}

async function takeAfter(
  path: string,
  made: Deno.FileInfo,
  { mode, uid, gid }: NonNullable<ReplaceOptions["like"]>,
): Promise<void> {
  if (Deno.build.os === "windows") return;
  const isOther = (uid ?? made.uid) !== made.uid || (gid ?? made.gid) !== made.gid;
  if (isOther) await Deno.chown(path, uid ?? null, gid ?? null);
  if (typeof mode === "number") await Deno.chmod(path, mode & 0o777);
}

/** Unlike a rename, a link never takes the place of a file. */
async function giveFreeName(fresh: string, path: string): Promise<void> {
  try {
    await Deno.link(fresh, path);
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) throw error;
    return await renameToFreeName(fresh, path);
  }
  await Deno.remove(fresh);
}

/** For file systems that have no links: the name is taken by an empty file first. */
async function renameToFreeName(fresh: string, path: string): Promise<void> {
  (await Deno.open(path, { createNew: true, write: true, mode: OWNER_ALONE })).close();
  try {
    await Deno.rename(fresh, path);
  } catch (error) {
    await Deno.remove(path).catch(() => {});
    throw error;
  }
}

/** A rename is safe from a power cut once its folder is on the disk; Windows has no such call and needs none. */
async function syncFolder(folder: string): Promise<void> {
  try {
    if (Deno.build.os === "windows") return;
    // not by Deno.open(): a pipe that takes the folder's place just then would be waited for
    const { O_DIRECTORY, O_NONBLOCK, O_RDONLY } = fs.constants;
    const handle = fs.openSync(folder, O_RDONLY | O_DIRECTORY | O_NONBLOCK);
    try {
      await promisify(fs.fsync)(handle);
    } finally {
      fs.closeSync(handle);
    }
  } catch {
    // not every file system can, nor may every command read the folder
  }
}
