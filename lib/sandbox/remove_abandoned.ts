import { join } from "node:path";
import { TEMPORARY_END } from "./replace_file.ts";
import { isSameFile } from "./same_file.ts";
import { tryLock } from "./try_lock.ts";

/** A file in the making is locked right after it was made: a younger one may be about to be. */
const YOUNG_MS = 60_000;

/** The ending that a temporary file has after the name of the file it becomes. */
const CHANCE = /\.[0-9a-f]{8}$/;

/**
 * Removes files in the making (see {@linkcode temporaryBeside}) in `folder` that a process left which was killed: those of
 * final names that `isOurs` says yes to and that no process holds a lock on. `write` of such files has to lock them. What
 * cannot be looked at, locked or removed stays.
 */
export async function removeAbandoned(folder: string, isOurs: (name: string) => boolean): Promise<void> {
  let names: string[];
  try {
    names = [...Deno.readDirSync(folder)].filter(({ isFile }) => isFile).map(({ name }) => name);
  } catch {
    return;
  }
  for (const name of names) {
    const unended = name.endsWith(TEMPORARY_END) ? name.slice(0, -TEMPORARY_END.length) : "";
    if (CHANCE.test(unended) && isOurs(unended.replace(CHANCE, ""))) {
      await removeUnlessLocked(join(folder, name)).catch(() => {});
    }
  }
}

async function removeUnlessLocked(path: string): Promise<void> {
  const { isFile, mtime, nlink } = Deno.lstatSync(path);
  if (!isFile || nlink !== null && nlink > 1 || Date.now() - (mtime?.getTime() ?? 0) < YOUNG_MS) return;
  // for writing as well: a pipe that takes its place is not waited for then
  using file = Deno.openSync(path, { read: true, write: true });
  if (!await tryLock(file, true) || !isSameFile(Deno.lstatSync(path), file.statSync())) return;
  Deno.removeSync(path);
}
