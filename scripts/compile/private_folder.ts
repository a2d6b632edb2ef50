/** Permission bits of all but the owner. */
const OTHERS = 0o077;

/**
 * Makes a folder that this user alone may use, or takes the one that is there. Gives `path`. Throws an `Error` where that is
 * a link, another user's or open to others; not on Windows, whose folder for temporary files is the user's own.
 */
export async function privateFolder(path: string): Promise<string> {
  try {
    await Deno.mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
  const { isDirectory, uid, mode } = await Deno.lstat(path);
  if (!isDirectory) throw new Error(`no folder: ${path}`);
  if (Deno.build.os === "windows") return path;
  if (uid !== Deno.uid()) throw new Error(`another user's folder: ${path}`);
  if (((mode ?? OTHERS) & OTHERS) !== 0) throw new Error(`open to other users: ${path}`);
  return path;
}
