import { join } from "node:path";
import { TEMPORARY_END } from "./replace_file.ts";
import { isSameFile } from "./look.ts";
import { tryLock } from "./try_lock.ts";

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
