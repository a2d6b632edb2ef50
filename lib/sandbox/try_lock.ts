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
