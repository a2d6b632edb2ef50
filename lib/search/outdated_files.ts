import { readFileBytes } from "../corpus/mod.ts";
import { lookAt } from "../sandbox/mod.ts";
import type { SelectedChunk } from "./select.ts";

/**
 * Files that an answer names and that are gone, or not what they were when they were indexed. Where only the change time is another, as
 * after a copy, the content is looked at.
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
