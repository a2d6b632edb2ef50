import { readFileBytes } from "../corpus/mod.ts";
import type { StoredFile } from "../index/mod.ts";
import { lookAtSync } from "../sandbox/mod.ts";
import type { SelectedChunk } from "./select.ts";
import type { Hit } from "./types.ts";

/**
 * Full paths of files in an answer that are gone or have changed since they were indexed. If only the change time differs,
 * as after a copy, the contents are compared.
 */
export async function outdatedFiles(selected: readonly SelectedChunk[]): Promise<string[]> {
  const named = selected.flatMap((chunk) => [chunk, ...chunk.also]);
  const known = new Map(named.map(({ filePath, index, file }) => [filePath, index.files[file]!]));
  const states = await Promise.all(Array.from(known, ([path, file]) => isOutdated(path, file)));
  return [...known.keys()].filter((_, i) => states[i]);
}

async function isOutdated(path: string, { size, mtimeMs, ctimeMs, sha256 }: StoredFile): Promise<boolean> {
  const now = stateOf(path);
  if (now === undefined || now.size !== size || now.mtime?.getTime() !== mtimeMs) return true;
  if (ctimeMs === undefined || now.ctime === null || now.ctime.getTime() === ctimeMs) return false;
  return !await hasContent(path, size, sha256);
}

/** Synchronous, because the switch to another thread takes ten times as long as the look. */
function stateOf(path: string): Deno.FileInfo | undefined {
  try {
    return lookAtSync(path);
  } catch {
    return undefined;
  }
}

async function hasContent(path: string, size: number, sha256: string): Promise<boolean> {
  try {
    return (await readFileBytes(path, { maxBytes: size })).sha256.toHex() === sha256;
  } catch {
    return false;
  }
}

/** The hits, with a mark at those of files that are not as they were indexed. */
export function withOutdated(hits: readonly Hit[], outdated: readonly string[]): readonly Hit[] {
  if (outdated.length === 0) return hits;
  return hits.map((hit) => outdated.includes(hit.filePath) ? { ...hit, outdated: true } : hit);
}
