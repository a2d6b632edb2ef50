/** Permission bits of users other than the owner. */
const OTHERS = 0o077;

/**
 * Makes a folder that only this user may use, or takes an existing one. Returns `path`. Throws an `Error` if it is a link,
 * belongs to another user, or is open to other users. Windows is not checked: there, each user has a private temporary
 * folder.
 */
export async function privateFolder(path: string): Promise<string> {
  try {
    await Deno.mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
  const { isDirectory, uid, mode } = await Deno.lstat(path);
  if (!isDirectory) throw new Error(`not a folder: ${path}`);
  if (Deno.build.os === "windows") return path;
  if (uid !== Deno.uid()) throw new Error(`another user's folder: ${path}`);
  if (((mode ?? OTHERS) & OTHERS) !== 0) throw new Error(`open to other users: ${path}`);
  return path;
}
