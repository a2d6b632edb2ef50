import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { basename, join } from "node:path";

/** Returns the SHA-256 of a file in hexadecimal. */
export async function sha256(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of createReadStream(path)) hash.update(part);
  return hash.digest("hex");
}

/** Writes `SHA256SUMS` into `folder`, sorted by name, in the form that `sha256sum --check` reads. */
export async function writeSums(folder: string, paths: readonly string[]): Promise<void> {
  const lines = await Promise.all(paths.map(async (path) => `${await sha256(path)}  ${basename(path)}\n`));
  // The name starts after the 64 digits of the digest.
  lines.sort((a, b) => a.slice(64) < b.slice(64) ? -1 : 1);
  await Deno.writeTextFile(join(folder, "SHA256SUMS"), lines.join(""));
}
