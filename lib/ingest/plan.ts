import { join } from "node:path";
import { type Found, walk, type WalkOptions } from "../corpus/mod.ts";
import type { StoredFile } from "../index/mod.ts";
import { openInside } from "../sandbox/mod.ts";
import type { SkipReason } from "./types.ts";

/** A file of the folder and what the index knew of it. */
export interface PlannedFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** Number in the previous index. */
  readonly known?: number;
  /** True if size and time are as they were, or if it cannot be read now: what is known of it stays. */
  readonly unchanged: boolean;
  /** Why it cannot be looked at, if the previous index does not say so already. */
  readonly problem?: unknown;
}

/** What an indexing run has to do. */
export interface Plan {
  /** In the order of their paths. */
  readonly files: readonly PlannedFile[];
  /** Files of the previous index that are gone, or left out now. */
  readonly removed: readonly StoredFile[];
  /** Left out by name or place. */
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
  /** Folders, and files without a stat, that could not be looked at. `known`: nor could they by the run before. */
  readonly unreadable: readonly { path: string; error: unknown; known: boolean }[];
  /** Bytes to read at most. */
  readonly bytes: number;
}

/** Reasons that can go away without a trace in a file's size and time: every run looks whether they have. */
const PASSING = new Set(["no_permission", "file_not_found", "file_unreadable"]);

/** How {@linkcode makePlan} compares. */
export interface PlanOptions extends WalkOptions {
  /**
   * Whether sizes, times and texts of the previous index are believed without a look at the file; else every file is read,
   * and nothing stays of one that cannot be. Default: true.
   */
  readonly believed?: boolean;
}

/** Compares the folder with the files of the previous index, by path, size and modification time. */
export async function makePlan(
  root: string,
  { believed = true, ...options }: PlanOptions,
  previous: readonly StoredFile[],
  onFound: (found: Found) => Promise<void>,
): Promise<Plan> {
  const known = new Map(previous.map((file, i) => [file.path, i]));
  const files: PlannedFile[] = [];
  const skipped: Partial<Record<SkipReason, number>> = {};
  const unreadable: { path: string; error: unknown; known: boolean }[] = [];
  for await (const found of walk(root, options)) {
    await onFound(found);
    if (found.kind === "skipped") {
      skipped[found.reason] = (skipped[found.reason] ?? 0) + 1;
    } else if (found.kind === "failed") {
      const index = known.get(found.path);
      const old = index === undefined ? undefined : previous[index]!;
      if (believed && old?.status === "indexed") {
        const { path, size, mtimeMs } = old;
        const problem = old.reason === undefined ? { problem: found.error } : {};
        files.push({ path, size, mtimeMs, known: index!, unchanged: true, ...problem });
      } else {
        unreadable.push({
          path: found.path,
          error: found.error,
          known: believed && old?.status === "failed",
        });
      }
      if (old?.status !== "skipped") known.delete(found.path);
    } else {
      const { path, size, mtimeMs } = found;
      const index = known.get(path);
      const old = index === undefined ? undefined : previous[index]!;
      known.delete(path);
      if (believed && old !== undefined && isPassing(old) && !await canOpen(join(root, ...path.split("/")))) {
        files.push({ path, size: old.size, mtimeMs: old.mtimeMs, known: index!, unchanged: true });
        continue;
      }
      files.push({
        path,
        size,
        mtimeMs,
        ...(index === undefined ? {} : { known: index }),
        unchanged: believed && old !== undefined && old.size === size && old.mtimeMs === mtimeMs &&
          !isPassing(old),
      });
    }
  }
  // what lies in a folder that cannot be read just now is not gone
  for (const { path: folder } of believed ? unreadable : []) {
    for (const [path, index] of known) {
      if (!path.startsWith(`${folder}/`)) continue;
      const { size, mtimeMs } = previous[index]!;
      files.push({ path, size, mtimeMs, known: index, unchanged: true });
      known.delete(path);
    }
  }
  files.sort((a, b) => a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
  return {
    files,
    removed: [...known.values()].map((index) => previous[index]!),
    skipped,
    unreadable,
    bytes: files.reduce((sum, file) => sum + (file.unchanged ? 0 : file.size), 0),
  };
}

function isPassing({ reason }: StoredFile): boolean {
  return reason !== undefined && PASSING.has(reason);
}

async function canOpen(real: string): Promise<boolean> {
  try {
    (await openInside({ real })).close();
    return true;
  } catch {
    return false;
  }
}
