import { readFileBytes } from "../corpus/mod.ts";
import { lookAt } from "../sandbox/mod.ts";
import type { SelectedChunk } from "./select.ts";

/**
 * Full paths of files in an answer that are gone or have changed since they were indexed. If only the change time differs, as
 * after a copy, the contents are compared.
 */
export async function outdatedFiles(selected: readonly SelectedChunk[]): Promise<string[]> {
  const named = selected.flatMap((chunk) => [chunk, ...chunk.also]);
  const known = new Map(named.map(({ filePath, index, file }) => [filePath, index.files[file]!]));
  const outdated: string[] = [];
  for (const [path, { size, mtimeMs, ctimeMs, sha256 }] of known) {
    const now = await lookAt(path).catch(() => undefined);
    if (now === undefined || now.size !== size || now.mtime?.getTime() !== mtimeMs) outdated.push(path);
    else if (ctimeMs === undefined || now.ctime === null || now.ctime.getTime() === ctimeMs) continue;
    else if (!await hasContent(path, size, sha256)) outdated.push(path);
  }
  return outdated;
}

async function hasContent(path: string, size: number, sha256: string): Promise<boolean> {
  try {
    return (await readFileBytes(path, { maxBytes: size })).sha256.toHex() === sha256;
  } catch {
    return false;
  }
}
