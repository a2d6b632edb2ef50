/** How long a runtime that can only wait for a lock waits. */
const PATIENCE_MS = 100;

/**
 * Locks an open file if nobody has done so; the lock ends when it is closed, or its process ends. Runtimes before 2.7 can only
 * wait for it: a lock that is free comes at once. Throws what the system throws.
 */
export async function tryLock(file: Deno.FsFile, exclusive: boolean): Promise<boolean> {
  if ("tryLock" in file) return await file.tryLock(exclusive);
  const older = file as { lock(exclusive: boolean): Promise<void> };
  const taken = older.lock(exclusive).then(() => true);
  // the file may be closed while it still waits
  taken.catch(() => {});
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waited = new Promise<false>((resolve) => timer = setTimeout(() => resolve(false), PATIENCE_MS));
  return await Promise.race([taken, waited]).finally(() => clearTimeout(timer));
}
