import { UsageError } from "../errors.ts";

/**
 * Puts `bytes` in the place of the file at `path` that holds `before`: at once, so that a power cut leaves the one or the
 * other, with the old file's mode and owner. A link to the file stays a link. Throws `UsageError` `config_file_changed`
 * where the file no longer holds `before`, and what the system throws.
 */
export async function replaceFile(path: string, before: Uint8Array, bytes: Uint8Array): Promise<void> {
  const real = await Deno.realPath(path);
  // A rename would get past the protection of a file that may not be written.
  (await Deno.open(real, { write: true })).close();
  const { mode, uid, gid } = await Deno.stat(real);
  const fresh = `${real}.${crypto.randomUUID()}.tmp`;
  try {
    {
      using file = await Deno.open(fresh, { createNew: true, write: true, mode: 0o600 });
      let rest = bytes;
      while (rest.length > 0) rest = rest.subarray(await file.write(rest));
      const made = await file.stat();
      if (uid !== made.uid || gid !== made.gid) await Deno.chown(fresh, uid, gid);
      if (mode !== null) await Deno.chmod(fresh, mode & 0o777);
      await file.sync();
    }
    if (!isSame(await Deno.readFile(real), before)) throw new UsageError("config_file_changed", { path });
    await Deno.rename(fresh, real);
  } catch (error) {
    await Deno.remove(fresh).catch(() => {});
    throw error;
  }
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
