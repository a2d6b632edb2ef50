/** Milliseconds to wait for a lock with a runtime that cannot just try. */
const PATIENCE_MS = 100;

/**
 * Locks an open file. Returns false if another process has locked it. The lock ends when the file is closed or the process
 * ends. Deno before 2.7 can only wait for a lock, and gets a free one at once. Throws the errors of the system.
 */
export async function tryLock(file: Deno.FsFile, exclusive: boolean): Promise<boolean> {
  if ("tryLock" in file) return await file.tryLock(exclusive);
  const older = file as { lock(exclusive: boolean): Promise<void> };
  const taken = older.lock(exclusive).then(() => true);
  // The file may be closed while this waits.
  taken.catch(() => {});
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waited = new Promise<false>((resolve) => timer = setTimeout(() => resolve(false), PATIENCE_MS));
  return await Promise.race([taken, waited]).finally(() => clearTimeout(timer));
}
