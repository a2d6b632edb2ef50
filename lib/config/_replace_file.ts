import { UsageError } from "../errors.ts";
import { openNamed, readNamed, realNamed, statNamed, writeAll, writeNamed } from "../sandbox/mod.ts";

/**
 * Puts `bytes` in the place of the file at `path` that holds `before`: at once, so that a power cut leaves the one or the
 * other, with the old file's mode and owner. A link to the file stays a link. Throws `UsageError` `config_file_changed`
 * where the file no longer holds `before`, and what the system throws.
 */
export async function replaceFile(path: string, before: Uint8Array, bytes: Uint8Array): Promise<void> {
  const real = await realNamed(path);
  // A rename would get past the protection of a file that may not be written.
  (await openNamed(real, "write")).close();
  await writeNamed(real, (file) => writeAll(file, bytes), {
    like: await statNamed(real),
    check: async () => {
      if (!isSame(await readNamed(real), before)) throw new UsageError("config_file_changed", { path });
    },
  });
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
